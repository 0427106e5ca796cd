/* Where every cell of a list stands among the relevant ones.

   Keys hold a score and, in their last bits, the cell that has it, so that NumPy sorts both at once.
   Scores that differ only in the bits given up for that are told apart afterwards. */
#define PY_SSIZE_T_CLEAN
#include "standings.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"

enum { RELEVANT = 2 }; /* 0 and 1 are irrelevant, alone or tied with relevant cells */

/* The bits that hold a cell. */
static uint64_t places(ptrdiff_t cells) {
    uint64_t mask = 1;
    while (mask < (uint64_t)cells) mask = 2 * mask + 1;
    return mask;
}

/* Ascending keys are descending scores; both zeros are one number. */
static uint64_t key_of(double score) {
    uint64_t bits;
    score += 0.0;
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? bits : ~bits ^ (1ull << 63);
}

/* standing_keys(scores, keys) */
static PyObject *standing_keys(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, keys;
    if (!PyArg_ParseTuple(args, "y*w*", &scores, &keys)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    const ptrdiff_t cells = scores.len / (ptrdiff_t)sizeof(double);
    const uint64_t mask = places(cells);
    for (ptrdiff_t i = 0; i < cells; i++)
        ((uint64_t *)keys.buf)[i] = (key_of(((const double *)scores.buf)[i]) & ~mask) | (uint64_t)i;
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &keys);
    Py_RETURN_NONE;
}

typedef struct {
    uint64_t whole, key;
} Placed;

static int best_first(const void *one, const void *other) {
    const uint64_t a = ((const Placed *)one)->whole, b = ((const Placed *)other)->whole;
    return (a > b) - (a < b);
}

/* Puts keys that begin alike in the order of their scores; returns 0 if memory lacks. */
static int settle(uint64_t *keys, ptrdiff_t count, uint64_t mask, const double *scores) {
    int differ = 0;
    for (ptrdiff_t i = 1; i < count; i++) differ |= scores[keys[i] & mask] != scores[keys[0] & mask];
    if (!differ) return 1;
    Placed *placed = malloc((size_t)count * sizeof *placed);
    if (placed == NULL) return 0;
    for (ptrdiff_t i = 0; i < count; i++)
        placed[i] = (Placed){key_of(scores[keys[i] & mask]), keys[i]};
    qsort(placed, (size_t)count, sizeof *placed, best_first);
    for (ptrdiff_t i = 0; i < count; i++) keys[i] = placed[i].key;
    free(placed);
    return 1;
}

/* The end of the cells of one score that begin at `first`; -1 if memory lacks. `settled` is the end
   of the keys that begin alike. */
static ptrdiff_t group_end(uint64_t *keys, ptrdiff_t first, ptrdiff_t cells, uint64_t mask,
                           const double *scores, ptrdiff_t *settled) {
    ptrdiff_t end = first + 1;
    if (first >= *settled) {
        while (end < cells && (keys[end] & ~mask) == (keys[first] & ~mask)) end++;
        *settled = end;
        if (end > first + 1 && !settle(keys + first, end - first, mask, scores)) return -1;
        end = first + 1;
    }
    while (end < *settled && scores[keys[end] & mask] == scores[keys[first] & mask]) end++;
    return end;
}

static int stand(const double *scores, const uint8_t *relevant, ptrdiff_t cells, uint64_t *keys,
                 int64_t stride, int64_t *codes, int64_t *counts) {
    const uint64_t mask = places(cells);
    int64_t above = 0;
    for (ptrdiff_t first = 0, settled = 0; first < cells;) {
        if (first >= settled && (first + 1 == cells || (keys[first] ^ keys[first + 1]) > mask)) {
            const ptrdiff_t cell = (ptrdiff_t)(keys[first++] & mask); /* alone, as most are */
            const int64_t code = stride * RELEVANT * relevant[cell] + above;
            codes[cell] = code;
            counts[code]++;
            above += relevant[cell];
            continue;
        }
        const ptrdiff_t end = group_end(keys, first, cells, mask, scores, &settled);
        if (end < 0) return 0;
        int64_t hits = 0;
        for (ptrdiff_t k = first; k < end; k++) hits += relevant[keys[k] & mask];
        for (ptrdiff_t k = first; k < end; k++) {
            const ptrdiff_t cell = (ptrdiff_t)(keys[k] & mask);
            const int64_t own = relevant[cell]; /* no branch: nobody could guess it */
            const int64_t code = stride * (RELEVANT * own + (1 - own) * (hits > 0)) + above;
            codes[cell] = code;
            counts[code]++;
        }
        above += hits;
        first = end;
    }
    return 1;
}

/* standings(scores, relevant, sorted keys, relevant + 1, codes, counts): see kernels.standings */
static PyObject *standings(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, relevant, keys, codes, counts;
    Py_ssize_t stride;
    if (!PyArg_ParseTuple(args, "y*y*w*nw*w*", &scores, &relevant, &keys, &stride, &codes, &counts))
        return NULL;
    int enough;
    Py_BEGIN_ALLOW_THREADS
    enough = stand(scores.buf, relevant.buf, relevant.len, keys.buf, stride, codes.buf, counts.buf);
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &relevant, &keys, &codes, &counts);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef standings_functions[] = {
    {"standing_keys", standing_keys, METH_VARARGS, "Scores and the cells that have them."},
    {"standings", standings, METH_VARARGS, "Where cells stand among the relevant ones."},
    {NULL, NULL, 0, NULL},
};
