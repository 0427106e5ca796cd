/* The cheapest one-to-one assignment between two sets: see assignment.inc. */
#define PY_SSIZE_T_CLEAN
#include "assignment.h"

#include <stdint.h>
#include <stdlib.h>

#include "bits.h"
#include "buffers.h"
#include "hot.h"

/* assign(sources, targets, costs, concepts, first, last, out) */
static PyObject *assign(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer sources, targets, costs, out;
    Py_ssize_t concepts, first, last;
    int enough;
    if (!PyArg_ParseTuple(args, "y*y*y*nnnw*", &sources, &targets, &costs, &concepts, &first, &last,
                          &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const ptrdiff_t words = words_for(concepts);
    const size_t room = (size_t)concepts + LANES;
    double *numbers = malloc(2 * room * sizeof *numbers);
    int32_t *places = malloc(5 * room * sizeof *places);
    Closed *closed = malloc(room * sizeof *closed);
    uint64_t *bits = malloc((size_t)(words + 1) * sizeof *bits);
    enough = numbers && places && closed && bits;
    Assignment p = {.costs = costs.buf,
                    .stride = concepts + 1,
                    .given = places,
                    .wanted = places + room,
                    .column_of = places + 2 * room,
                    .row_of = places + 3 * room,
                    .before = places + 4 * room,
                    .price = numbers,
                    .length = numbers + room,
                    .closed = closed,
                    .free = bits};
    for (ptrdiff_t i = first; enough && i < last; i++)
        ((double *)out.buf)[i] = hot()->cheapest(&p, (const uint64_t *)sources.buf + i * words,
                                                 (const uint64_t *)targets.buf + i * words);
    free(numbers);
    free(places);
    free(closed);
    free(bits);
    Py_END_ALLOW_THREADS
    RELEASE(&sources, &targets, &costs, &out);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef assignment_functions[] = {
    {"assign", assign, METH_VARARGS, "The cheapest assignment between the sets of each row."},
    {NULL, NULL, 0, NULL},
};
