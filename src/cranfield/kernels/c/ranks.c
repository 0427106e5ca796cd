/* Ranked lists: keys, sorted, groups of a sorted list, and rows that need no sorting.

   Python allocates; what runs here runs without the interpreter's lock. */
#define PY_SSIZE_T_CLEAN
#include "ranks.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "buffers.h"
#include "hot.h"
#include "statistics.h"

/* Where a list lies in the buffer of keys, and where its negative scores begin. */
typedef struct {
    int64_t start, length, split;
} Span;

#define KEY uint32_t
#define SCORE float
#define NAME(x) f32_##x
#include "keys.inc"
#undef KEY
#undef SCORE
#undef NAME
#define KEY uint64_t
#define SCORE double
#define NAME(x) f64_##x
#include "keys.inc"

/* column_keys(scores, labels, include | None, itemsize, rows, stride, first, width, keys, spans) */
static PyObject *column_keys(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, labels, include, keys, spans;
    int itemsize;
    Py_ssize_t rows, stride, first, width;
    if (!PyArg_ParseTuple(args, "y*y*z*innnnw*w*", &scores, &labels, &include, &itemsize, &rows,
                          &stride, &first, &width, &keys, &spans))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    Span *span = spans.buf;
    for (ptrdiff_t j = 0; j < width; j++) span[j] = (Span){j * rows, rows, rows};
    enum { TILE = 16 }; /* columns that the loops turn about at once */
    for (ptrdiff_t j = 0; j < width; j += TILE) {
        const ptrdiff_t wide = width - j < TILE ? width - j : TILE, at = first + j;
        const uint8_t *said = (const uint8_t *)labels.buf + at;
        const uint8_t *listed = include.buf ? (const uint8_t *)include.buf + at : NULL;
        if (itemsize == 4) {
            const float *cells = (const float *)scores.buf + at;
            uint32_t *out = (uint32_t *)keys.buf + j * rows;
            if (listed || hot()->column_keys_f32(cells, said, rows, stride, wide, out))
                for (ptrdiff_t i = 0; i < wide; i++)
                    f32_list_keys(cells + i, said + i, listed ? listed + i : NULL, rows, stride,
                                  out + i * rows, span + j + i);
        } else {
            const double *cells = (const double *)scores.buf + at;
            uint64_t *out = (uint64_t *)keys.buf + j * rows;
            if (listed || hot()->column_keys_f64(cells, said, rows, stride, wide, out))
                for (ptrdiff_t i = 0; i < wide; i++)
                    f64_list_keys(cells + i, said + i, listed ? listed + i : NULL, rows, stride,
                                  out + i * rows, span + j + i);
        }
    }
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &labels, &include, &keys, &spans);
    Py_RETURN_NONE;
}

/* list_keys(scores, labels, offsets, itemsize, first, count, keys, spans) */
static PyObject *list_keys(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, labels, offsets, keys, spans;
    int itemsize;
    Py_ssize_t first, count;
    if (!PyArg_ParseTuple(args, "y*y*y*innw*w*", &scores, &labels, &offsets, &itemsize, &first,
                          &count, &keys, &spans))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = (const int64_t *)offsets.buf + first;
    for (ptrdiff_t i = 0; i < count; i++) {
        const int64_t from = offset[i], length = offset[i + 1] - from;
        Span *span = (Span *)spans.buf + i;
        span->start = from - offset[0];
        const uint8_t *said = (const uint8_t *)labels.buf + from;
        span->length = span->split = length;
        if (itemsize == 4) {
            const float *cells = (const float *)scores.buf + from;
            uint32_t *out = (uint32_t *)keys.buf + span->start;
            if (f32_plain_keys(cells, said, length, out))
                f32_list_keys(cells, said, NULL, length, 1, out, span);
        } else {
            const double *cells = (const double *)scores.buf + from;
            uint64_t *out = (uint64_t *)keys.buf + span->start;
            if (f64_plain_keys(cells, said, length, out))
                f64_list_keys(cells, said, NULL, length, 1, out, span);
        }
    }
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &labels, &offsets, &keys, &spans);
    Py_RETURN_NONE;
}

/* Room for the longest of some lists. */
typedef struct {
    void *keys;
    uint32_t *narrowed;
    uint32_t *places;
    Group *groups;
    Shared shared;
} Room;

static int make_room(Room *room, int64_t longest, int itemsize) {
    const size_t length = (size_t)longest + SORT_ROOM;
    room->keys = malloc(length * (size_t)itemsize);
    room->narrowed = malloc(length * sizeof *room->narrowed);
    room->places = malloc(length * sizeof *room->places);
    room->groups = malloc(length * sizeof *room->groups);
    const int shares = make_shared(&room->shared, longest);
    return room->keys && room->narrowed && room->places && room->groups && shares;
}

static void free_room(Room *room) {
    free(room->keys);
    free(room->narrowed);
    free(room->places);
    free(room->groups);
    free_shared(&room->shared);
}

/* What statistics ask of a sorted list. */
static void describe_f32(List *list, const f32_Sorted *sorted, Room *room) {
    list->groups = room->groups;
    list->retrieved = hot()->places_u32(sorted->keys, sorted->length, room->places);
    list->count = f32_find_groups(sorted, room->places, list->retrieved, room->groups);
    list->run_of = f32_run_of;
    list->keys = sorted;
    share(list, &room->shared);
}

static void describe_f64(List *list, const f64_Sorted *sorted, Room *room) {
    list->groups = room->groups;
    list->retrieved = hot()->places_u64(sorted->keys, sorted->length, room->places);
    list->count = f64_find_groups(sorted, room->places, list->retrieved, room->groups);
    list->run_of = f64_run_of;
    list->keys = sorted;
    share(list, &room->shared);
}

/* Keys of 32 bits sort in half the time. If bits were lost in which keys may differ, but nothing
   relevant has an equal, groups are what they were; otherwise returns 0. */
static int describe_narrowed(List *list, const uint64_t *keys, f32_Sorted *sorted,
                             Room *room) {
    const int lost = hot()->narrow(keys, list->length, room->narrowed);
    hot()->sort_u32(room->narrowed, room->keys, list->length);
    *sorted = (f32_Sorted){room->narrowed, list->length, list->length};
    describe_f32(list, sorted, room);
    return !lost || list->shared->ties == 0;
}

/* Sorts the keys of a list, those of scores without a sign and those of negative ones. */
static void sort_list(void *keys, int itemsize, const Span *span, void *room) {
    const int64_t ends[] = {0, span->split, span->length};
    for (int part = 0; part < 2; part++) {
        const int64_t start = span->start + ends[part], length = ends[part + 1] - ends[part];
        if (length < 2) continue;
        if (itemsize == 4) hot()->sort_u32((uint32_t *)keys + start, room, length);
        else hot()->sort_u64((uint64_t *)keys + start, room, length);
    }
}

/* scan(keys, itemsize, spans, first, count, positives, negatives, plan, requests, discounts, out,
        lists, keep): fills columns first … first + count of out (requests, lists); `keep`: keys are
   sorted as well */
static PyObject *scan(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer keys, spans, positives, negatives, plan, discounts, out;
    int itemsize, keep, enough = 1;
    Py_ssize_t first, count, requests, lists;
    if (!PyArg_ParseTuple(args, "w*iy*nny*y*y*ny*w*np", &keys, &itemsize, &spans, &first, &count,
                          &positives, &negatives, &plan, &requests, &discounts, &out, &lists,
                          &keep))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const Span *span = spans.buf;
    const Request *request = plan.buf;
    int64_t longest = 0;
    for (ptrdiff_t i = 0; i < count; i++) longest = span[i].length > longest ? span[i].length : longest;
    /* Beyond so many cells something relevant has an equal nearly always. Vertices of the ROC curve
       ask for the runs of irrelevant cells. */
    enum { NARROW = 32768 };
    int narrows = itemsize == 8 && !keep;
    for (ptrdiff_t r = 0; r < requests; r++) narrows &= request[r].variant != VERTEX;
    Room room;
    enough = make_room(&room, longest, itemsize);
    for (ptrdiff_t i = 0; enough && i < count; i++) {
        List list = {.length = span[i].length,
                     .positives = ((const int64_t *)positives.buf)[first + i],
                     .negatives = ((const int64_t *)negatives.buf)[first + i],
                     .discounts = discounts.buf};
        const uint32_t *own32 = (const uint32_t *)keys.buf + span[i].start;
        const uint64_t *own64 = (const uint64_t *)keys.buf + span[i].start;
        f32_Sorted narrow = {own32, span[i].length, span[i].split};
        const f64_Sorted wide = {own64, span[i].length, span[i].split};
        const int short_enough = span[i].split == span[i].length && span[i].length <= NARROW;
        if (!narrows || !short_enough || !describe_narrowed(&list, own64, &narrow, &room)) {
            sort_list(keys.buf, itemsize, span + i, room.keys);
            if (requests == 0) continue;
            if (itemsize == 4) describe_f32(&list, &narrow, &room);
            else describe_f64(&list, &wide, &room);
        }
        for (ptrdiff_t r = 0; r < requests; r++)
            ((double *)out.buf)[r * lists + first + i] = statistic(request + r, &list);
    }
    free_room(&room);
    Py_END_ALLOW_THREADS
    RELEASE(&keys, &spans, &positives, &negatives, &plan, &discounts, &out);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* bounds(keys, itemsize, spans, first, last, scores, all, offsets, out): how many cells of a list are
   above each score that is held against it, and at or above it; out is (2, all) */
static PyObject *bounds(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer keys, spans, scores, offsets, out;
    int itemsize;
    Py_ssize_t first, last, all;
    if (!PyArg_ParseTuple(args, "y*iy*nny*ny*w*", &keys, &itemsize, &spans, &first, &last, &scores,
                          &all, &offsets, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf;
    int64_t *above = out.buf, *level = above + all;
    for (ptrdiff_t i = first; i < last; i++) {
        const Span span = ((const Span *)spans.buf)[i];
        const f32_Sorted narrow = {(const uint32_t *)keys.buf + span.start, span.length, span.split};
        const f64_Sorted wide = {(const uint64_t *)keys.buf + span.start, span.length, span.split};
        for (int64_t j = offset[i]; j < offset[i + 1]; j++) {
            if (itemsize == 4)
                f32_bounds_of(&narrow, ((const float *)scores.buf)[j], above + j, level + j);
            else
                f64_bounds_of(&wide, ((const double *)scores.buf)[j], above + j, level + j);
        }
    }
    Py_END_ALLOW_THREADS
    RELEASE(&keys, &spans, &scores, &offsets, &out);
    Py_RETURN_NONE;
}

/* rank_rows(scores, labels, include | None, itemsize, width, first, last, positives, negatives,
             plan, requests, discounts, out, lists): fills columns first … last of out */
static PyObject *rank_rows(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, labels, include, positives, negatives, plan, discounts, out;
    int itemsize, enough = 1;
    Py_ssize_t width, first, last, requests, lists;
    if (!PyArg_ParseTuple(args, "y*y*z*innny*y*y*ny*w*n", &scores, &labels, &include, &itemsize,
                          &width, &first, &last, &positives, &negatives, &plan, &requests,
                          &discounts, &out, &lists))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const size_t room = (size_t)(width + ROW_PAD);
    double *row = malloc(room * sizeof *row), *hits = malloc(room * sizeof *hits);
    Group *groups = malloc(room * sizeof *groups);
    enough = row && hits && groups;
    const Hot *loops = hot();
    for (ptrdiff_t i = first; enough && i < last; i++) {
        const ptrdiff_t at = i * width;
        const uint8_t *said = (const uint8_t *)labels.buf + at;
        const uint8_t *listed = include.buf ? (const uint8_t *)include.buf + at : NULL;
        const RowGroups of =
            itemsize == 4
                ? loops->row_groups_f32((const float *)scores.buf + at, said, listed, width,
                                        (float *)row, (float *)hits, groups)
                : loops->row_groups_f64((const double *)scores.buf + at, said, listed, width, row,
                                        hits, groups);
        const List list = {.groups = groups,
                           .count = of.count,
                           .length = of.length,
                           .retrieved = of.found,
                           .positives = ((const int64_t *)positives.buf)[i],
                           .negatives = ((const int64_t *)negatives.buf)[i],
                           .discounts = discounts.buf};
        for (ptrdiff_t r = 0; r < requests; r++)
            ((double *)out.buf)[r * lists + i] = statistic((const Request *)plan.buf + r, &list);
    }
    free(row);
    free(hits);
    free(groups);
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &labels, &include, &positives, &negatives, &plan, &discounts, &out);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef ranks_functions[] = {
    {"column_keys", column_keys, METH_VARARGS, "Keys of neighbouring columns."},
    {"list_keys", list_keys, METH_VARARGS, "Keys of lists stored one after the other."},
    {"scan", scan, METH_VARARGS, "Sorts lists and fills in their statistics."},
    {"bounds", bounds, METH_VARARGS, "Where cells stand in sorted lists."},
    {"rank_rows", rank_rows, METH_VARARGS, "Statistics of rows, without sorting."},
    {NULL, NULL, 0, NULL},
};
