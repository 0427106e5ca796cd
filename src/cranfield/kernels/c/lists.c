/* Lists of cells of sparse matrices: where the cells of one stand in another. */
#define PY_SSIZE_T_CLEAN
#include "lists.h"

#include <stddef.h>
#include <stdint.h>

#include "bits.h"
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

/* running_counts(owner, start, marks, above, out): of cells in order, list after list, how many marked
   cells of the list are in or above the group of each, or only above it; cells of one group have one
   start */
static PyObject *running_counts(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer owners, starts, marks, out;
    int above;
    if (!PyArg_ParseTuple(args, "y*y*y*pw*", &owners, &starts, &marks, &above, &out)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *owner = owners.buf, *start = starts.buf, cells = marks.len;
    const uint8_t *mark = marks.buf;
    int32_t *counts = out.buf, count = 0;
    for (int64_t first = 0, end; first < cells; first = end) {
        if (first > 0 && owner[first] != owner[first - 1]) count = 0;
        int32_t marked = IS_SET(mark[first]);
        for (end = first + 1;
             end < cells && start[end] == start[first] && owner[end] == owner[first]; end++)
            marked += IS_SET(mark[end]);
        for (int64_t i = first; i < end; i++) counts[i] = above ? count : count + marked;
        count += marked;
    }
    Py_END_ALLOW_THREADS
    RELEASE(&owners, &starts, &marks, &out);
    Py_RETURN_NONE;
}

PyMethodDef lists_functions[] = {
    {"locate", locate, METH_VARARGS, "Where cells of one sparse matrix stand in another."},
    {"running_counts", running_counts, METH_VARARGS, "Marked cells down to each."},
    {NULL, NULL, 0, NULL},
};
