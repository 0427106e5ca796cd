#ifndef CRANFIELD_FINGERPRINTS_H
#define CRANFIELD_FINGERPRINTS_H
#include <Python.h>

/* Whether memory has changed: see fingerprints.c. */
extern PyMethodDef fingerprints_functions[];

#endif
