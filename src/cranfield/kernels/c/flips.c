/* Sums of values under flipped signs, and tallies of the distances between such sums.

   Four signs have sixteen ways: their sums are looked up, so that a flip costs one addition for each
   four units and run (the method of four Russians). */
#define PY_SSIZE_T_CLEAN
#include "flips.h"

#include <stdint.h>
#include <stdlib.h>

#include "buffers.h"
#include "hot.h"

/* flip_sums(values, units, stride, bits, width, rows, sums)
   values is (units, stride), bits (rows, width), sums (rows, stride) and cleared. */
static PyObject *flip_sums(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer values, bits, sums;
    int enough;
    Py_ssize_t units, stride, width, rows;
    if (!PyArg_ParseTuple(args, "y*nny*nnw*", &values, &units, &stride, &bits, &width, &rows, &sums))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    enum { LINE = 64 }; /* bytes of a cache line, where tables begin */
    char *room = malloc((size_t)(64 * stride) * sizeof(double) + LINE);
    enough = room != NULL;
    if (enough) {
        double *tables = (double *)(room + (LINE - (uintptr_t)room % LINE));
        hot()->flip_sums(values.buf, units, stride, bits.buf, width, rows, tables, sums.buf);
    }
    free(room);
    Py_END_ALLOW_THREADS
    RELEASE(&values, &bits, &sums);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* tally(sums, length, first, second, scale, bar, pairs, farthest, counts)
   sums is (runs, length), farthest (length) and cleared, counts (pairs, 2); pairs nearest first. */
static PyObject *tally(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer sums, first, second, scale, bar, farthest, counts;
    Py_ssize_t length, pairs;
    if (!PyArg_ParseTuple(args, "y*ny*y*y*y*nw*w*", &sums, &length, &first, &second, &scale, &bar,
                          &pairs, &farthest, &counts))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const double *rows = sums.buf;
    for (ptrdiff_t p = 0; p < pairs; p++)
        hot()->tally_pair(rows + ((const int64_t *)first.buf)[p] * length,
                          rows + ((const int64_t *)second.buf)[p] * length, length,
                          ((const double *)scale.buf)[p], ((const double *)bar.buf)[p], farthest.buf,
                          (int64_t *)counts.buf + 2 * p);
    Py_END_ALLOW_THREADS
    RELEASE(&sums, &first, &second, &scale, &bar, &farthest, &counts);
    Py_RETURN_NONE;
}

PyMethodDef flips_functions[] = {
    {"flip_sums", flip_sums, METH_VARARGS, "Sums of values under flipped signs."},
    {"tally", tally, METH_VARARGS, "How many sums lie as far apart as the bars of pairs."},
    {NULL, NULL, 0, NULL},
};
