/* Lists of cells of sparse matrices: where the cells of one stand in another. */
#define PY_SSIZE_T_CLEAN
#include "lists.h"

#include <stddef.h>
#include <stdint.h>

#include "buffers.h"

/* The first of the places from `at` on that is not below one: doubling steps, then halving. */
static int64_t seek(const int64_t *places, int64_t at, int64_t length, int64_t place) {
    int64_t step = 1;
    while (at + step <= length && places[at + step - 1] < place) {
        at += step;
        step *= 2;
    }
    int64_t left = step - 1 < length - at ? step - 1 : length - at;
    while (left > 1) {
        const int64_t half = left / 2;
        at += (places[at + half - 1] < place) * half;
        left -= half;
    }
    return at + (left && places[at] < place);
}

/* locate(wanted_offsets, wanted_places, among_offsets, among_places, first, last, out): which of the
   other cells of its list has the place of each wanted cell, or -1; places ascend in a list */
static PyObject *locate(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer wanted_offsets, wanted_places, among_offsets, among_places, out;
    Py_ssize_t first, last;
    if (!PyArg_ParseTuple(args, "y*y*y*y*nnw*", &wanted_offsets, &wanted_places, &among_offsets,
                          &among_places, &first, &last, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *wanted = wanted_offsets.buf, *place = wanted_places.buf;
    const int64_t *among = among_offsets.buf;
    int64_t *found = out.buf;
    for (ptrdiff_t i = first; i < last; i++) {
        const int64_t *places = (const int64_t *)among_places.buf + among[i];
        const int64_t length = among[i + 1] - among[i];
        int64_t at = 0;
        for (int64_t j = wanted[i]; j < wanted[i + 1]; j++) {
            at = seek(places, at, length, place[j]);
            found[j] = at < length && places[at] == place[j] ? among[i] + at : -1;
        }
    }
    Py_END_ALLOW_THREADS
    RELEASE(&wanted_offsets, &wanted_places, &among_offsets, &among_places, &out);
    Py_RETURN_NONE;
}

PyMethodDef lists_functions[] = {
    {"locate", locate, METH_VARARGS, "Where cells of one sparse matrix stand in another."},
    {NULL, NULL, 0, NULL},
};
