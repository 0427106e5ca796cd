/* Counts of decisions by row and by column, the range of scores, and the choice of loops. */
#define PY_SSIZE_T_CLEAN
#include "counts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "hot.h"

static const Hot *chosen = &hot_baseline;

const Hot *hot(void) { return chosen; }

static const Hot *best_loops(void) {
#ifdef CRANFIELD_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return &hot_avx512;
    if (__builtin_cpu_supports("avx2")) return &hot_avx2;
#endif
    return &hot_baseline;
}

/* use_loops(name): "best", or one of those this machine can run; returns the name in use. */
static PyObject *use_loops(PyObject *self, PyObject *args) {
    (void)self;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
    const Hot *best = best_loops();
    const Hot *wanted = NULL;
    if (strcmp(name, "best") == 0) wanted = best;
    if (strcmp(name, "baseline") == 0) wanted = &hot_baseline;
#ifdef CRANFIELD_X86
    if (strcmp(name, "avx2") == 0 && best != &hot_baseline) wanted = &hot_avx2;
    if (strcmp(name, "avx512") == 0 && best == &hot_avx512) wanted = &hot_avx512;
#endif
    if (!wanted) return PyErr_Format(PyExc_ValueError, "this machine cannot run the loops for %s", name);
    chosen = wanted;
    return PyUnicode_FromString(wanted->name);
}

/* Adds byte counters to the sums and clears them. */
static void flush(uint8_t *bytes, int64_t *sums, size_t width) {
    for (size_t j = 0; j < width; j++) sums[j] += bytes[j];
    memset(bytes, 0, width);
}

/* count(scores | None, cut | None, cut_stride, assigned | None, labels, include | None, itemsize,
         rows, width, first, last, by_item, by_concept)
   by_item is (2, rows): hits, assigned; by_concept is (2, width). */
static PyObject *count(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, cut, assigned, labels, include, by_item, by_concept;
    int itemsize, enough = 1;
    Py_ssize_t cut_stride, rows, width, first, last;
    if (!PyArg_ParseTuple(args, "z*z*nz*y*z*innnnw*w*", &scores, &cut, &cut_stride, &assigned,
                          &labels, &include, &itemsize, &rows, &width, &first, &last, &by_item,
                          &by_concept))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    enum { ROWS_A_BYTE_HOLDS = 255 };
    uint8_t *room = calloc(2, (size_t)width + 1), *hits = room, *said = room + width;
    enough = room != NULL;
    int64_t *item_hits = by_item.buf, *item_said = item_hits + rows;
    int64_t *concept_hits = by_concept.buf, *concept_said = concept_hits + width;
    const Hot *loops = hot();
    for (ptrdiff_t i = first; enough && i < last; i++) {
        const ptrdiff_t at = i * width, limit = i * cut_stride;
        const uint8_t *label = (const uint8_t *)labels.buf + at;
        const uint8_t *listed = include.buf ? (const uint8_t *)include.buf + at : NULL;
        const Decided row =
            assigned.buf
                ? loops->count_u8((const uint8_t *)assigned.buf + at, label, label, listed, width,
                                  hits, said)
            : itemsize == 4
                ? loops->count_f32((const float *)scores.buf + at, (const float *)cut.buf + limit,
                                   label, listed, width, hits, said)
                : loops->count_f64((const double *)scores.buf + at, (const double *)cut.buf + limit,
                                   label, listed, width, hits, said);
        item_hits[i] = row.hits;
        item_said[i] = row.said;
        if ((i - first + 1) % ROWS_A_BYTE_HOLDS == 0 || i + 1 == last) {
            flush(hits, concept_hits, (size_t)width);
            flush(said, concept_said, (size_t)width);
        }
    }
    free(room);
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &cut, &assigned, &labels, &include, &by_item, &by_concept);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* examine(scores, itemsize, first, last) -> (finite, low, high) */
static PyObject *examine(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores;
    int itemsize, finite;
    Py_ssize_t first, last;
    double low, high;
    if (!PyArg_ParseTuple(args, "y*inn", &scores, &itemsize, &first, &last)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    if (itemsize == 4) {
        float least, most;
        finite = hot()->examine_f32((const float *)scores.buf + first, last - first, &least, &most);
        low = least;
        high = most;
    } else {
        finite = hot()->examine_f64((const double *)scores.buf + first, last - first, &low, &high);
    }
    Py_END_ALLOW_THREADS
    RELEASE(&scores);
    return Py_BuildValue("Odd", finite ? Py_True : Py_False, low, high);
}

PyMethodDef counts_functions[] = {
    {"use_loops", use_loops, METH_VARARGS, "Choose the instruction set of the hot loops."},
    {"count", count, METH_VARARGS, "Hits and assigned labels, by row and by column."},
    {"examine", examine, METH_VARARGS, "Whether scores are finite, and their range."},
    {NULL, NULL, 0, NULL},
};
