/* Where every cell of a list stands among the relevant ones.

   Only the relevant cells are sorted; the others are looked up among them, which takes less than to
   sort them all and keeps every cell at its place. */
#define PY_SSIZE_T_CLEAN
#include "standings.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "buffers.h"

enum { RELEVANT = 2 }; /* 0 and 1 are irrelevant, alone or tied with relevant cells */
enum { AT_ONCE = 8 }; /* searches that wait for memory together */

/* How many of `size` ascending numbers are below each of AT_ONCE scores. */
static inline void below(const double *ascending, ptrdiff_t size, const double *scores,
                         ptrdiff_t *found) {
    for (int k = 0; k < AT_ONCE; k++) found[k] = 0;
    for (ptrdiff_t left = size; left > 0;) {
        const ptrdiff_t half = (left + 1) / 2;
        /* A product, not a branch that would be guessed wrongly every other time. */
        for (int k = 0; k < AT_ONCE; k++)
            found[k] += half * (ascending[found[k] + half - 1] < scores[k]);
        left -= half;
    }
}

/* For each place among the ascending numbers how many are above the group that stands there. */
static void groups_above(const double *ascending, ptrdiff_t size, int64_t *above) {
    for (ptrdiff_t i = size; i-- > 0;)
        above[i] = i + 1 < size && ascending[i] == ascending[i + 1] ? above[i + 1] : size - i - 1;
}

static void stand(const double *scores, const uint8_t *relevant, ptrdiff_t cells,
                  const double *ascending, ptrdiff_t size, const int64_t *above, int64_t *codes,
                  int64_t *counts) {
    for (ptrdiff_t i = 0; i < cells; i += AT_ONCE) {
        double wanted[AT_ONCE] = {0};
        ptrdiff_t found[AT_ONCE];
        const int count = cells - i < AT_ONCE ? (int)(cells - i) : AT_ONCE;
        for (int k = 0; k < count; k++) wanted[k] = scores[i + k];
        below(ascending, size, wanted, found);
        for (int k = 0; k < count; k++) {
            const int tied = found[k] < size && ascending[found[k]] == wanted[k];
            const int64_t higher = tied ? above[found[k]] : size - found[k];
            const int64_t code = (size + 1) * (relevant[i + k] ? RELEVANT : tied) + higher;
            codes[i + k] = code;
            counts[code]++;
        }
    }
}

/* standings(scores, relevant, ascending, codes, counts): see kernels.standings */
static PyObject *standings(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, relevant, ascending, codes, counts;
    if (!PyArg_ParseTuple(args, "y*y*y*w*w*", &scores, &relevant, &ascending, &codes, &counts))
        return NULL;
    int enough;
    Py_BEGIN_ALLOW_THREADS
    const ptrdiff_t size = ascending.len / (ptrdiff_t)sizeof(double);
    int64_t *above = malloc(((size_t)size + 1) * sizeof *above);
    enough = above != NULL;
    if (enough) {
        groups_above(ascending.buf, size, above);
        stand(scores.buf, relevant.buf, relevant.len, ascending.buf, size, above, codes.buf,
              counts.buf);
    }
    free(above);
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &relevant, &ascending, &codes, &counts);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef standings_functions[] = {
    {"standings", standings, METH_VARARGS, "Where cells stand among the relevant ones."},
    {NULL, NULL, 0, NULL},
};
