#ifndef CRANFIELD_SETS_H
#define CRANFIELD_SETS_H
#include <Python.h>

/* Sets of labels: rules, the nearest of another set, the best of a row. See sets.c. */
extern PyMethodDef sets_functions[];

#endif
