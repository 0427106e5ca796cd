#ifndef CRANFIELD_STANDINGS_H
#define CRANFIELD_STANDINGS_H
#include <Python.h>

/* Where cells stand among the relevant ones of their list. See standings.c. */
extern PyMethodDef standings_functions[];

#endif
