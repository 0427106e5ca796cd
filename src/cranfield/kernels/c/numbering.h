#ifndef CRANFIELD_NUMBERING_H
#define CRANFIELD_NUMBERING_H
#include <Python.h>

#include <stdint.h>
#include <string.h>

static inline uint64_t hash_of(const char *s, Py_ssize_t size) {
    uint64_t hash = (uint64_t)size;
    for (; size >= 8; s += 8, size -= 8) {
        uint64_t eight;
        memcpy(&eight, s, 8);
        hash = (hash ^ eight) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    uint64_t rest = 0;
    memcpy(&rest, s, (size_t)size);
    return (hash ^ rest) * 0x9E3779B97F4A7C15u;
}

/* See numbering.c; text.c lists them among its functions. */
extern const char numbering_doc[], numbered_doc[], numbered_names_doc[], order_cells_doc[];
PyObject *numbering(PyObject *module, PyObject *arguments);
PyObject *numbered(PyObject *module, PyObject *arguments);
PyObject *numbered_names(PyObject *module, PyObject *capsule);
PyObject *order_cells(PyObject *module, PyObject *arguments);

#endif
