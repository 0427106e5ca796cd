#ifndef CRANFIELD_CUTS_H
#define CRANFIELD_CUTS_H
#include <Python.h>

/* Where lists are cut: see cuts.c. */
extern PyMethodDef cuts_functions[];

#endif
