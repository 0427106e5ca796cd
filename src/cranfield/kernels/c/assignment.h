#ifndef CRANFIELD_ASSIGNMENT_H
#define CRANFIELD_ASSIGNMENT_H
#include <Python.h>

/* The cheapest one-to-one assignment between two sets. See assignment.c. */
extern PyMethodDef assignment_functions[];

#endif
