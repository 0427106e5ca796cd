#ifndef CRANFIELD_PLACING_H
#define CRANFIELD_PLACING_H
#include <Python.h>

/* Cells in the order of a matrix: see placing.c. */
extern PyMethodDef placing_functions[];

#endif
