#ifndef CRANFIELD_FLIPS_H
#define CRANFIELD_FLIPS_H
#include <Python.h>

/* Sums under flipped signs. See flips.c. */
extern PyMethodDef flips_functions[];

#endif
