/* Fingerprints: one number that tells whether memory has changed, as fast as memory is read.

   What it is stands in kernels/fingerprints.py, which gives the same number. */
#define PY_SSIZE_T_CLEAN
#include "fingerprints.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "buffers.h"

static const uint64_t STEP = 0x9e3779b97f4a7c15u, FIRST = 0xbf58476d1ce4e5b9u,
                      SECOND = 0x94d049bb133111ebu;

static inline uint64_t scattered_word(uint64_t word, uint64_t place) {
    word = (word ^ place) * FIRST;
    return (word ^ (word >> 32)) * SECOND;
}

/* fingerprint(memory) */
static PyObject *fingerprint(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer memory;
    if (!PyArg_ParseTuple(args, "y*", &memory)) return NULL;
    uint64_t sum = (uint64_t)memory.len;
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *bytes = memory.buf;
    const ptrdiff_t words = (ptrdiff_t)memory.len / 8, rest = (ptrdiff_t)memory.len % 8;
    for (ptrdiff_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * i, sizeof word);
        sum += scattered_word(word, (uint64_t)(i + 1) * STEP);
    }
    if (rest) {
        uint64_t word = 0;
        memcpy(&word, bytes + 8 * words, (size_t)rest);
        sum += scattered_word(word, (uint64_t)(words + 1) * STEP);
    }
    Py_END_ALLOW_THREADS
    RELEASE(&memory);
    return PyLong_FromUnsignedLongLong(sum);
}

PyMethodDef fingerprints_functions[] = {
    {"fingerprint", fingerprint, METH_VARARGS, "A number that tells whether memory has changed."},
    {NULL, NULL, 0, NULL},
};
