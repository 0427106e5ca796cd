/* The loops that pay for wide vectors, compiled once for each instruction set.

   hot.inc holds the code; hot_baseline.c, hot_avx2.c and hot_avx512.c compile it; hot() is the
   best set this machine can run, so that one build is fast everywhere. All sets give the same
   numbers. */
#ifndef CRANFIELD_HOT_H
#define CRANFIELD_HOT_H
#include <stddef.h>
#include <stdint.h>

#include "statistics.h"

/* Padding that rows carry behind their last score, in cells. */
enum { ROW_PAD = 64 };

/* Keys that the room for sorting has more than there are to sort. */
enum { SORT_ROOM = 64 };

/* Labels that a row was assigned, and right ones among them. */
typedef struct {
    int64_t hits, said;
} Decided;

/* Cells of a row that count, relevant ones among them, and groups. */
typedef struct {
    ptrdiff_t length, found, count;
} RowGroups;

/* Numbers that are worked on together. */
enum { LANES = 8 };

/* Columns of numbers that are added up together, and their sums. */
enum { ADDED_AT_ONCE = 32 };

typedef struct {
    double high[ADDED_AT_ONCE], middle[ADDED_AT_ONCE], low[ADDED_AT_ONCE];
} Parts;

/* What it costs to replace concepts of one set by the nearest of another. */
typedef struct {
    ptrdiff_t concepts;
    const double *costs;  /* (concepts, concepts), from a source to a target */
    const double *turned; /* from a target to a source, rows of whole words; may be NULL */
    const double *target_scale, *source_scale; /* may be NULL: all are 1 */
    /* Room for all concepts: */
    int32_t *given, *wanted;
    double *prices;
    int64_t *scales; /* bits of numbers that are not negative: they order like the numbers */
} Replacement;

/* A column that no chain will reach sooner. In the search its length and price are infinite, so
   that it stays out of all comparisons; the true ones are here. */
typedef struct {
    ptrdiff_t column;
    double length, price;
} Closed;

/* Two sets on the way to their cheapest assignment: members of one are rows, of the other columns,
   and the smaller is filled up. Everything has room for all concepts and LANES more; columns behind
   the last are infinitely far. */
typedef struct {
    const double *costs; /* (stride, stride); the last concept fills up */
    ptrdiff_t stride, size;
    int32_t *given, *wanted;     /* the concepts of rows and columns */
    int32_t *column_of, *row_of; /* partners, -1 = none yet */
    uint64_t *free;              /* columns without one, as bits */
    double *price;               /* of each column */
    double *length;              /* of the shortest chain to each column … */
    int32_t *before;             /* … and the row before it */
    Closed *closed;
} Assignment;

typedef struct {
    const char *name;

    /* Keys of `width` neighbouring columns of a row-major matrix, one column after the other, for
       scores without a sign: descending score = ascending key, label in bit 0. Returns whether a
       sign was met after all (then the keys are of no use). */
    int (*column_keys_f32)(const float *scores, const uint8_t *labels, ptrdiff_t rows,
                           ptrdiff_t stride, ptrdiff_t width, uint32_t *keys);
    int (*column_keys_f64)(const double *scores, const uint8_t *labels, ptrdiff_t rows,
                           ptrdiff_t stride, ptrdiff_t width, uint64_t *keys);

    /* Sorts keys; `room` is for SORT_ROOM more than there are. */
    void (*sort_u32)(uint32_t *keys, uint32_t *room, ptrdiff_t length);
    void (*sort_u64)(uint64_t *keys, uint64_t *room, ptrdiff_t length);

    /* Keys of 64 bits as such of 32, in the same order as far as they still differ; returns whether
       bits were lost in which they may differ. */
    int (*narrow)(const uint64_t *keys, ptrdiff_t length, uint32_t *narrowed);

    /* Places of the keys whose label is set; `places` needs room for 16 more. */
    ptrdiff_t (*places_u32)(const uint32_t *keys, ptrdiff_t length, uint32_t *places);
    ptrdiff_t (*places_u64)(const uint64_t *keys, ptrdiff_t length, uint32_t *places);

    /* The precision behind each group, and the same or 0 where several cells have its score;
       returns how many pairs there are of a relevant cell and an irrelevant one above it. */
    int64_t (*precisions)(const Group *groups, ptrdiff_t count, double *precision, double *untied);

    /* The largest of some numbers that are not negative, or 0. */
    double (*largest)(const double *values, ptrdiff_t length);

    /* Groups of a row without sorting: the cells at or above each relevant one are counted.
       `include` may be NULL; `row`, `hits` and `groups` have room for width + ROW_PAD. */
    RowGroups (*row_groups_f32)(const float *scores, const uint8_t *labels, const uint8_t *include,
                                ptrdiff_t width, float *row, float *hits, Group *groups);
    RowGroups (*row_groups_f64)(const double *scores, const uint8_t *labels, const uint8_t *include,
                                ptrdiff_t width, double *row, double *hits, Group *groups);

    /* Marks the `size` best cells of a row; returns whether `order` had to choose among equals.
       `include` may be NULL; `room` is for `width` numbers of eight bytes. */
    uint8_t (*mark_top_f32)(const float *scores, const uint8_t *include, ptrdiff_t width,
                            int64_t size, const int64_t *order, void *room, uint8_t *marks);
    uint8_t (*mark_top_f64)(const double *scores, const uint8_t *include, ptrdiff_t width,
                            int64_t size, const int64_t *order, void *room, uint8_t *marks);

    /* Counts the decisions of a row, score >= cut or as given; `include` may be NULL. Adds them to
       the byte counters of each column, which hold 255 rows. */
    Decided (*count_f32)(const float *scores, const float *cut, const uint8_t *labels,
                         const uint8_t *include, ptrdiff_t width, uint8_t *hits, uint8_t *said);
    Decided (*count_f64)(const double *scores, const double *cut, const uint8_t *labels,
                         const uint8_t *include, ptrdiff_t width, uint8_t *hits, uint8_t *said);
    Decided (*count_u8)(const uint8_t *assigned, const uint8_t *cut, const uint8_t *labels,
                        const uint8_t *include, ptrdiff_t width, uint8_t *hits, uint8_t *said);

    /* Finite? and the range, as bits that order like the numbers. */
    int (*examine_f32)(const float *scores, ptrdiff_t length, float *low, float *high);
    int (*examine_f64)(const double *scores, ptrdiff_t length, double *low, double *high);

    /* The cost of replacing every member of a set by the nearest of another. */
    double (*replace_all)(const Replacement *costs, const uint64_t *sources,
                          const uint64_t *targets);

    /* The cost of the cheapest assignment between two sets. */
    double (*cheapest)(Assignment *room, const uint64_t *sources, const uint64_t *targets);

    /* Adds to `sums` (rows, stride) the values (units, stride) under the signs of each row of bits;
       `room` is for 64 rows. */
    void (*flip_sums)(const double *values, ptrdiff_t units, ptrdiff_t stride, const uint8_t *bits,
                      ptrdiff_t width, ptrdiff_t rows, double *room, double *sums);

    /* Counts distances at or beyond the bar, and farthest ones so far. */
    void (*tally_pair)(const double *first, const double *second, ptrdiff_t length, double scale,
                       double bar, double *farthest, int64_t *counts);

    /* Adds rows of ADDED_AT_ONCE numbers or fewer to sums of three doubles each (exact.h), until a
       row would leave more than these hold; returns how many rows were added. */
    ptrdiff_t (*add_rows)(const double *values, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t width,
                          Parts *sums);
} Hot;

extern const Hot hot_baseline;
#if defined(__x86_64__) && defined(__GNUC__)
#define CRANFIELD_X86 1
extern const Hot hot_avx2;
extern const Hot hot_avx512;
#endif

const Hot *hot(void);

#endif
