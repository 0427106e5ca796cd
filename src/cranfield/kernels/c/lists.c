/* Lists of cells of sparse matrices: what one matrix tells about the cells of another. */
#define PY_SSIZE_T_CLEAN
#include "lists.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "buffers.h"

typedef struct {
    const int64_t *offsets, *places;
} Lists;

/* Notes what is told about a list, looks its cells up, and clears the notes again. */
#define DEFINE_GATHER(NAME, VALUE)                                                               \
    static void NAME(Lists wanted, Lists told, const VALUE *values, VALUE *known, ptrdiff_t i,   \
                     VALUE *out) {                                                               \
        const int64_t from = told.offsets[i], to = told.offsets[i + 1];                          \
        for (int64_t j = from; j < to; j++) known[told.places[j]] = values[j];                   \
        for (int64_t j = wanted.offsets[i]; j < wanted.offsets[i + 1]; j++)                      \
            out[j] = known[wanted.places[j]];                                                    \
        for (int64_t j = from; j < to; j++) known[told.places[j]] = 0;                           \
    }
DEFINE_GATHER(gather_bytes, uint8_t)
DEFINE_GATHER(gather_words, int64_t)

/* gather(wanted_offsets, wanted_places, told_offsets, told_places, values, itemsize, size, first,
          last, out): the value told about each wanted cell, or 0 */
static PyObject *gather(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer wanted_offsets, wanted_places, told_offsets, told_places, values, out;
    int itemsize, enough = 1;
    Py_ssize_t size, first, last;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*innnw*", &wanted_offsets, &wanted_places, &told_offsets,
                          &told_places, &values, &itemsize, &size, &first, &last, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    void *known = calloc((size_t)size + 1, (size_t)itemsize);
    enough = known != NULL;
    const Lists wanted = {wanted_offsets.buf, wanted_places.buf};
    const Lists told = {told_offsets.buf, told_places.buf};
    for (ptrdiff_t i = first; enough && i < last; i++) {
        if (itemsize == 1) gather_bytes(wanted, told, values.buf, known, i, out.buf);
        else gather_words(wanted, told, values.buf, known, i, out.buf);
    }
    free(known);
    Py_END_ALLOW_THREADS
    RELEASE(&wanted_offsets, &wanted_places, &told_offsets, &told_places, &values, &out);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef lists_functions[] = {
    {"gather", gather, METH_VARARGS, "What one sparse matrix tells about the cells of another."},
    {NULL, NULL, 0, NULL},
};
