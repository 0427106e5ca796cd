#ifndef CRANFIELD_DRAWS_H
#define CRANFIELD_DRAWS_H
#include <Python.h>

/* Ranked lists whose cells count several times, or not at all. See draws.c. */
extern PyMethodDef draws_functions[];

#endif
