#ifndef CRANFIELD_LISTS_H
#define CRANFIELD_LISTS_H
#include <Python.h>

/* Lists of cells of sparse matrices. See lists.c. */
extern PyMethodDef lists_functions[];

#endif
