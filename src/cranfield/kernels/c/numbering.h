#ifndef CRANFIELD_NUMBERING_H
#define CRANFIELD_NUMBERING_H
#include <Python.h>

#include <stdint.h>
#include <string.h>

/* Some bytes, at most eight, as a number; what is read twice does no harm. */
static inline uint64_t few_bytes(const char *s, Py_ssize_t size) {
    uint32_t first = 0, last = 0;
    if (size >= 4) {
        memcpy(&first, s, 4);
        memcpy(&last, s + size - 4, 4);
    } else if (size > 0) {
        first = (uint32_t)(unsigned char)s[0] << 8 | (unsigned char)s[size / 2];
        last = (unsigned char)s[size - 1];
    }
    return (uint64_t)last << 32 | first;
}

static inline uint64_t hash_of(const char *s, Py_ssize_t size) {
    uint64_t hash = (uint64_t)size;
    for (; size > 8; s += 8, size -= 8) {
        uint64_t eight;
        memcpy(&eight, s, 8);
        hash = (hash ^ eight) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    hash = (hash ^ few_bytes(s, size)) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

/* Whether texts of one size are the same; most have a few characters. */
static inline int same_bytes(const char *s, const char *t, Py_ssize_t size) {
    if (size > 16) return memcmp(s, t, (size_t)size) == 0;
    if (size < 4)
        return size == 0 || (s[0] == t[0] && s[size / 2] == t[size / 2] && s[size - 1] == t[size - 1]);
    if (size >= 8) {
        uint64_t a, b, c, d;
        memcpy(&a, s, 8), memcpy(&b, t, 8);
        memcpy(&c, s + size - 8, 8), memcpy(&d, t + size - 8, 8);
        return a == b && c == d;
    }
    uint32_t a, b, c, d;
    memcpy(&a, s, 4), memcpy(&b, t, 4);
    memcpy(&c, s + size - 4, 4), memcpy(&d, t + size - 4, 4);
    return a == b && c == d;
}

typedef struct Numbering Numbering;

enum { NO_MEMORY = -1, NOT_UTF8 = -2, OUTSIDE = -3 }; /* instead of a number */

/* What is to be numbered: names in a block between spans, so many int64 apart. */
typedef struct {
    const char *base;
    Py_ssize_t size;
    const int64_t *span;
    Py_ssize_t rows, stride;
} Spans;

/* Writes the numbers of names of several columns, whose spans stand side by side, so many numbers
 * apart; returns 0, or one of those above. */
int64_t number_columns(Numbering **all, Py_ssize_t columns, const Spans *names, uint32_t *out,
                       Py_ssize_t apart);

/* The same for names by themselves. */
int64_t number_texts(Numbering *all, const char *const *text, const Py_ssize_t *sizes,
                     Py_ssize_t count, uint32_t *numbers);

/* The numberings in a tuple of capsules; 0 with an exception if one of them is another thing. */
int numberings_of(PyObject *capsules, Numbering **all);

/* See numbering.c; text.c lists them among its functions. */
extern const char numbering_doc[], numbered_doc[], renumbered_doc[], numbered_names_doc[],
    numbering_size_doc[];
PyObject *numbering(PyObject *module, PyObject *arguments);
PyObject *numbered(PyObject *module, PyObject *arguments);
PyObject *renumbered(PyObject *module, PyObject *arguments);
PyObject *numbered_names(PyObject *module, PyObject *capsule);
PyObject *numbering_size(PyObject *module, PyObject *capsule);

#endif
