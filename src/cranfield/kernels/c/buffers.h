/* Arrays handed in from Python. */
#ifndef CRANFIELD_BUFFERS_H
#define CRANFIELD_BUFFERS_H
#include <Python.h>

static inline void release_all(Py_buffer **buffers, size_t count) {
    for (size_t i = 0; i < count; i++) PyBuffer_Release(buffers[i]);
}

/* RELEASE(&scores, &labels, …) gives the arrays back. */
#define RELEASE(...)                                                   \
    release_all((Py_buffer *[]){__VA_ARGS__},                          \
                sizeof((Py_buffer *[]){__VA_ARGS__}) / sizeof(Py_buffer *))

#endif
