/* Parsing of numeric text. */
#define PY_SSIZE_T_CLEAN
#include "text.h"

PyMethodDef text_functions[] = {{NULL, NULL, 0, NULL}};
