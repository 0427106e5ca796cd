#ifndef CRANFIELD_TEXT_H
#define CRANFIELD_TEXT_H
#include <Python.h>

/* Parsing of numeric text: see text.c. */
extern PyMethodDef text_functions[];

#endif
