#ifndef CRANFIELD_RANKS_H
#define CRANFIELD_RANKS_H
#include <Python.h>

/* Ranked lists: keys, their groups, and rows that need no sorting. See ranks.c. */
extern PyMethodDef ranks_functions[];

#endif
