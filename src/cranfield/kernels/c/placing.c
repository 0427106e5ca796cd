/* Cells of a list of them, put in the order in which a matrix has them: row after row. */
#define PY_SSIZE_T_CLEAN
#include "placing.h"

#include <stdint.h>
#include <string.h>

#include "memory.h"

/* Cells by their rows and columns, or some of them; `order`, if there is one, is that by column. */
typedef struct {
    Py_buffer rows, columns, order, starts;
    Py_ssize_t begin, end;
} Cells;

static const uint32_t *order_of(const Cells *cells) {
    return cells->order.len ? cells->order.buf : NULL;
}

/* Whether these are cells, and each row has a place among the starts. */
static int are_cells(const Cells *cells) {
    const Py_ssize_t size = (Py_ssize_t)sizeof(uint32_t), count = cells->rows.len / size;
    const size_t height = (size_t)(cells->starts.len / size);
    const uint32_t *row = cells->rows.buf, *order = order_of(cells);
    int fits = 0 <= cells->begin && cells->begin <= cells->end && cells->end <= count &&
               (uint64_t)count < UINT32_MAX &&
               (order == NULL || cells->order.len == cells->rows.len);
    for (Py_ssize_t i = cells->begin; fits && i < cells->end; i++)
        fits = order == NULL ? row[i] < height : order[i] < (size_t)count && row[order[i]] < height;
    return fits;
}

PyDoc_STRVAR(column_order_doc,
             "column_order(columns, width, order)\n--\n\n"
             "Writes the order of cells by their uint32 columns, equal ones as they are; False if\n"
             "they are in that order already.");

static PyObject *column_order(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_buffer columns, order;
    Py_ssize_t width;
    if (!PyArg_ParseTuple(arguments, "y*nw*", &columns, &width, &order)) return NULL;
    const Py_ssize_t count = columns.len / (Py_ssize_t)sizeof(uint32_t);
    const uint32_t *column = columns.buf;
    int ascending = 1, fits = order.len == columns.len && width >= 0 && (uint64_t)count < UINT32_MAX;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        fits = column[i] < (size_t)width;
        ascending &= i == 0 || column[i] >= column[i - 1];
    }
    uint32_t *starts = fits ? scattered(((size_t)width + 1) * sizeof(uint32_t)) : NULL;
    if (starts != NULL && !ascending) {
        uint32_t *out = order.buf;
        memset(starts, 0, ((size_t)width + 1) * sizeof(uint32_t));
        for (Py_ssize_t i = 0; i < count; i++) starts[column[i] + 1]++;
        for (Py_ssize_t k = 0; k < width; k++) starts[k + 1] += starts[k];
        for (Py_ssize_t i = 0; i < count; i++) out[starts[column[i]]++] = (uint32_t)i;
    }
    PyBuffer_Release(&columns);
    PyBuffer_Release(&order);
    if (starts == NULL) {
        if (fits) return PyErr_NoMemory();
        PyErr_SetString(PyExc_ValueError, "column_order: columns within the matrix");
        return NULL;
    }
    free(starts);
    return PyBool_FromLong(!ascending);
}

PyDoc_STRVAR(count_rows_doc,
             "count_rows(rows, order, begin, end, counts)\n--\n\n"
             "Adds the cells of each row to its count, uint32; `order` may be empty.");

static PyObject *count_rows(PyObject *module, PyObject *arguments) {
    (void)module;
    Cells cells = {0};
    if (!PyArg_ParseTuple(arguments, "y*y*nnw*", &cells.rows, &cells.order, &cells.begin, &cells.end,
                          &cells.starts))
        return NULL;
    int fits;
    Py_BEGIN_ALLOW_THREADS
    fits = are_cells(&cells);
    const uint32_t *row = cells.rows.buf, *order = order_of(&cells);
    uint32_t *counts = cells.starts.buf;
    for (Py_ssize_t i = cells.begin; fits && i < cells.end; i++)
        counts[row[order == NULL ? (size_t)i : order[i]]]++;
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&cells.rows);
    PyBuffer_Release(&cells.order);
    PyBuffer_Release(&cells.starts);
    if (fits) return Py_NewRef(Py_None);
    PyErr_SetString(PyExc_ValueError, "count_rows: rows that have a count");
    return NULL;
}

PyDoc_STRVAR(place_cells_doc,
             "place_cells(rows, columns, order, begin, end, starts, width, values, numbers, codes,\n"
             "            placed)\n--\n\n"
             "Puts some cells, given by their uint32 rows and columns, where those of their row start,\n"
             "one after the other. Writes row * width + column, int64, to `codes`, and the values of\n"
             "each cell, so many numbers of eight bytes, to `placed`. `order` may be empty.");

static PyObject *place_cells(PyObject *module, PyObject *arguments) {
    (void)module;
    Cells cells = {0};
    Py_buffer values, codes, placed;
    Py_ssize_t width, numbers;
    if (!PyArg_ParseTuple(arguments, "y*y*y*nnw*ny*nw*w*", &cells.rows, &cells.columns, &cells.order,
                          &cells.begin, &cells.end, &cells.starts, &width, &values, &numbers, &codes,
                          &placed))
        return NULL;
    int fits = cells.columns.len == cells.rows.len && codes.len == 2 * cells.rows.len && width >= 0 &&
               numbers > 0 && values.len == codes.len * numbers && placed.len == values.len;
    Py_BEGIN_ALLOW_THREADS
    fits = fits && are_cells(&cells);
    const uint32_t *row = cells.rows.buf, *column = cells.columns.buf, *order = order_of(&cells);
    const size_t count = (size_t)(cells.rows.len / (Py_ssize_t)sizeof(uint32_t));
    uint32_t *starts = cells.starts.buf;
    const int64_t *value = values.buf;
    int64_t *code = codes.buf, *out = placed.buf;
    for (Py_ssize_t i = cells.begin; fits && i < cells.end; i++) {
        const size_t one = order == NULL ? (size_t)i : order[i], place = starts[row[one]]++;
        if (place >= count) {
            fits = 0;
            break;
        }
        code[place] = (int64_t)row[one] * width + column[one];
        for (Py_ssize_t j = 0; j < numbers; j++)
            out[place * (size_t)numbers + (size_t)j] = value[(Py_ssize_t)one * numbers + j];
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&cells.rows);
    PyBuffer_Release(&cells.columns);
    PyBuffer_Release(&cells.order);
    PyBuffer_Release(&cells.starts);
    PyBuffer_Release(&values);
    PyBuffer_Release(&codes);
    PyBuffer_Release(&placed);
    if (fits) return Py_NewRef(Py_None);
    PyErr_SetString(PyExc_ValueError, "place_cells: cells that have a place");
    return NULL;
}

PyMethodDef placing_functions[] = {
    {"column_order", column_order, METH_VARARGS, column_order_doc},
    {"count_rows", count_rows, METH_VARARGS, count_rows_doc},
    {"place_cells", place_cells, METH_VARARGS, place_cells_doc},
    {NULL, NULL, 0, NULL},
};
