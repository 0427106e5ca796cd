#ifndef CRANFIELD_COUNTS_H
#define CRANFIELD_COUNTS_H
#include <Python.h>

/* Counts of decisions, and the range of scores. See counts.c. */
extern PyMethodDef counts_functions[];

#endif
