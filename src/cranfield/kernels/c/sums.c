/* Sums of rows, columns, lists and groups of numbers, each rounded once: see exact.h. */
#define PY_SSIZE_T_CLEAN
#include "sums.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "exact.h"
#include "hot.h"

/* Adds neighbouring columns of a matrix, ADDED_AT_ONCE of them at most, to long numbers that stand
   `step` apart; 0 adds all of them to one. */
static void add_tile(const double *values, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t width,
                     Fixed *sums, ptrdiff_t step) {
    Parts parts = {{0}, {0}, {0}};
    const Hot *loops = hot();
    for (ptrdiff_t i = 0; i < rows; i++) {
        i += loops->add_rows(values + i * stride, stride, rows - i, width, &parts);
        /* A row that leaves more than three doubles hold. */
        for (ptrdiff_t j = 0; i < rows && j < width; j++) {
            const double value = values[i * stride + j];
            double high, middle, low;
            const double error = two_sum(parts.high[j], value, &high);
            const double second = two_sum(parts.middle[j], error, &middle);
            const double lost = two_sum(parts.low[j], second, &low);
            if (isfinite(lost)) {
                parts.high[j] = high;
                parts.middle[j] = middle;
                parts.low[j] = low;
            }
            fixed_add(sums + j * step, isfinite(lost) ? lost : value);
        }
    }
    for (ptrdiff_t j = 0; j < width; j++) {
        fixed_add(sums + j * step, parts.high[j]);
        fixed_add(sums + j * step, parts.middle[j]);
        fixed_add(sums + j * step, parts.low[j]);
    }
}

/* As if the numbers stood in rows. */
void fixed_add_all(Fixed *sum, const double *values, ptrdiff_t length) {
    const ptrdiff_t rows = length / ADDED_AT_ONCE;
    add_tile(values, ADDED_AT_ONCE, rows, ADDED_AT_ONCE, sum, 0);
    for (ptrdiff_t i = rows * ADDED_AT_ONCE; i < length; i++) fixed_add(sum, values[i]);
}

/* add_columns(values, rows, columns, sums): adds each column of a matrix to its long number */
static PyObject *add_columns(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer values, sums;
    Py_ssize_t rows, columns;
    if (!PyArg_ParseTuple(args, "y*nnw*", &values, &rows, &columns, &sums)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    if (columns == 1) fixed_add_all(sums.buf, values.buf, rows);
    for (ptrdiff_t j = 0; columns > 1 && j < columns; j += ADDED_AT_ONCE) {
        const ptrdiff_t left = columns - j;
        add_tile((const double *)values.buf + j, columns, rows,
                 left < ADDED_AT_ONCE ? left : ADDED_AT_ONCE, (Fixed *)sums.buf + j, 1);
    }
    Py_END_ALLOW_THREADS
    RELEASE(&values, &sums);
    Py_RETURN_NONE;
}

/* round_sums(sums, out): the doubles nearest to long numbers */
static PyObject *round_sums(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer sums, out;
    if (!PyArg_ParseTuple(args, "w*w*", &sums, &out)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    const ptrdiff_t count = out.len / (ptrdiff_t)sizeof(double);
    for (ptrdiff_t i = 0; i < count; i++)
        ((double *)out.buf)[i] = fixed_round((Fixed *)sums.buf + i);
    Py_END_ALLOW_THREADS
    RELEASE(&sums, &out);
    Py_RETURN_NONE;
}

/* The sum of neighbouring numbers. */
static double sum_of(const double *values, ptrdiff_t length) {
    enum { MANY = 8 * ADDED_AT_ONCE };
    if (length < MANY) {
        NEW_SUM(sum);
        for (ptrdiff_t i = 0; i < length; i++) sum_add(&sum, values[i]);
        return sum_round(&sum);
    }
    Fixed sum = {{0}, 0, 0, 0, 0};
    fixed_add_all(&sum, values, length);
    return fixed_round(&sum);
}

static double sum_of_products(const double *values, const double *weights, ptrdiff_t length) {
    NEW_SUM(sum);
    for (ptrdiff_t i = 0; i < length; i++) {
        double product;
        const double error = two_product(values[i], weights[i], &product);
        sum_add(&sum, product);
        sum_add(&sum, error);
    }
    return sum_round(&sum);
}

/* list_sums(values, weights | None, offsets, first, last, out): sums of lists first … last */
static PyObject *list_sums(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer values, weights, offsets, out;
    Py_ssize_t first, last;
    if (!PyArg_ParseTuple(args, "y*z*y*nnw*", &values, &weights, &offsets, &first, &last, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf;
    for (ptrdiff_t i = first; i < last; i++) {
        const ptrdiff_t from = offset[i], length = offset[i + 1] - from;
        const double *own = (const double *)values.buf + from;
        ((double *)out.buf)[i] =
            weights.buf ? sum_of_products(own, (const double *)weights.buf + from, length)
                        : sum_of(own, length);
    }
    Py_END_ALLOW_THREADS
    RELEASE(&values, &weights, &offsets, &out);
    Py_RETURN_NONE;
}

/* group_sums(values, groups, out): sums of the numbers of each group; groups are numbered from 0 */
static PyObject *group_sums(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer values, groups, out;
    int enough, outside = 0;
    if (!PyArg_ParseTuple(args, "y*y*w*", &values, &groups, &out)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    const ptrdiff_t size = out.len / (ptrdiff_t)sizeof(double);
    const ptrdiff_t length = values.len / (ptrdiff_t)sizeof(double);
    const int64_t *group = groups.buf;
    double *sorted = malloc((size_t)(length + 1) * sizeof *sorted);
    ptrdiff_t *ends = calloc((size_t)(size + 1), sizeof *ends);
    enough = sorted && ends;
    for (ptrdiff_t i = 0; i < length; i++) outside |= group[i] < 0 || group[i] >= size;
    if (enough && !outside) {
        for (ptrdiff_t i = 0; i < length; i++) ends[group[i] + 1]++;
        for (ptrdiff_t g = 0; g < size; g++) ends[g + 1] += ends[g];
        for (ptrdiff_t i = 0; i < length; i++)
            sorted[ends[group[i]]++] = ((const double *)values.buf)[i];
        for (ptrdiff_t g = 0; g < size; g++) {
            const ptrdiff_t start = g ? ends[g - 1] : 0;
            ((double *)out.buf)[g] = sum_of(sorted + start, ends[g] - start);
        }
    }
    free(sorted);
    free(ends);
    Py_END_ALLOW_THREADS
    RELEASE(&values, &groups, &out);
    if (!enough) return PyErr_NoMemory();
    if (outside) {
        PyErr_SetString(PyExc_IndexError, "a group is numbered beyond the last one");
        return NULL;
    }
    Py_RETURN_NONE;
}

PyMethodDef sums_functions[] = {
    {"add_columns", add_columns, METH_VARARGS, "Add the columns of a matrix to long numbers."},
    {"round_sums", round_sums, METH_VARARGS, "The doubles nearest to long numbers."},
    {"list_sums", list_sums, METH_VARARGS, "Sums of lists, or of their products."},
    {"group_sums", group_sums, METH_VARARGS, "Sums of groups."},
    {NULL, NULL, 0, NULL},
};
