/* Statistics of one ranked list, from the groups of its relevant cells.

   The meaning of each is defined by reference.py; the numbering follows statistics.py. */
#ifndef CRANFIELD_STATISTICS_H
#define CRANFIELD_STATISTICS_H
#include <stddef.h>
#include <stdint.h>

#include "exact.h"

enum { GROUPED, EXPECTED, BEST, WORST };
enum { AUC, AP, IAP, EER, RP, P_AT, R_AT, NDCG, SUCCESS, RR, ONE_ERROR, COVERAGE, RANKING_LOSS,
       RBP, P_AT_RECALL, EFFICIENCY, PRAUC, AP_AT_PREVALENCE, AP_AT };
enum { PLAIN, LINEAR, VERTEX, EXACT, TREC9, TREC10, STEP, TRAPEZOID, INTERPOLATED, IDEAL, RETRIEVED };

/* One statistic asked for. */
typedef struct {
    int64_t name, ties, k, variant;
    double parameter;
} Request;

/* For each score that something relevant has: `start` cells above it, `end` at or above it,
   `before` relevant cells above it, `through` at or above it. Rows give their groups in any order;
   statistics that need the order (IAP, EER, RR …) are asked of sorted lists only. */
typedef struct {
    int64_t start, end, before, through;
} Group;

/* What the rules for ties share: they differ in groups of several cells only. */
typedef struct {
    double *precisions; /* behind each group */
    double *untied;     /* the same, 0 where several cells have the group's score */
    uint32_t *tied;     /* groups that have several … */
    int64_t ties;       /* … and how many these are */
    int64_t wrong;      /* pairs of a relevant cell and an irrelevant one above it */
    Fixed sum;          /* of `untied` … */
    int summed;         /* … if somebody asked for it */
} Shared;

/* Room for a list of so many groups; 0 where memory lacks. */
int make_shared(Shared *shared, int64_t groups);
void free_shared(Shared *shared);

typedef struct {
    const Group *groups;
    int64_t count;
    int64_t length;    /* cells retrieved */
    int64_t retrieved; /* relevant ones among them */
    int64_t positives, negatives; /* of the truth, retrieved or not */
    const double *discounts;      /* sums of discounts of the first ranks */
    Shared *shared;               /* of sorted lists, as share() made it; NULL of rows */
    /* Where the run of equal scores around a place of the sorted list begins and ends. */
    void (*run_of)(const void *keys, int64_t place, int64_t *begin, int64_t *end);
    const void *keys;
} List;

/* Finds what the rules for ties share of a sorted list. */
void share(List *list, Shared *shared);

double statistic(const Request *request, const List *list);

#endif
