#ifndef CRANFIELD_SUMS_H
#define CRANFIELD_SUMS_H
#include <Python.h>

/* Sums that are rounded once. See sums.c. */
extern PyMethodDef sums_functions[];

#endif
