/* Sets of labels as bits: bit j % 64 of word j / 64 says whether concept j is in the set. */
#ifndef CRANFIELD_BITS_H
#define CRANFIELD_BITS_H
#include <stddef.h>
#include <stdint.h>

enum { WORD = 64 };

/* 1 for a mark, whatever byte stands for it: arrays may hold others than 0 and 1, and a mark is
   counted, added to an index and packed into keys. */
#define IS_SET(mark) ((mark) != 0)

static inline ptrdiff_t words_for(ptrdiff_t concepts) { return (concepts + WORD - 1) / WORD; }

/* Place of the lowest bit of a word that is not 0. */
static inline int lowest_bit(uint64_t word) {
#ifdef __GNUC__
    return __builtin_ctzll(word);
#else
    int place = 0;
    for (int step = 32; step; step /= 2)
        if (!(word & (((uint64_t)1 << step) - 1))) {
            word >>= step;
            place += step;
        }
    return place;
#endif
}

static inline int count_bits(uint64_t word) {
#ifdef __GNUC__
    return __builtin_popcountll(word);
#else
    int count = 0;
    for (; word; word &= word - 1) count++;
    return count;
#endif
}

/* Word w of a set, without bits behind the last concept. */
static inline uint64_t word_of(const uint64_t *set, ptrdiff_t w, ptrdiff_t concepts) {
    const ptrdiff_t left = concepts - w * WORD;
    return left < WORD ? set[w] & (((uint64_t)1 << left) - 1) : set[w];
}

static inline ptrdiff_t count_members(const uint64_t *set, ptrdiff_t concepts) {
    ptrdiff_t count = 0;
    for (ptrdiff_t w = 0; w < words_for(concepts); w++)
        count += count_bits(word_of(set, w, concepts));
    return count;
}

/* Writes the members of a set in ascending order; returns how many. */
static inline ptrdiff_t list_members(const uint64_t *set, ptrdiff_t concepts, int32_t *members) {
    ptrdiff_t count = 0;
    for (ptrdiff_t w = 0; w < words_for(concepts); w++)
        for (uint64_t left = word_of(set, w, concepts); left; left &= left - 1)
            members[count++] = (int32_t)(w * WORD + lowest_bit(left));
    return count;
}

/* Whether two sets have a member in common. */
static inline int meet(const uint64_t *one, const uint64_t *other, ptrdiff_t words) {
    uint64_t common = 0;
    for (ptrdiff_t w = 0; w < words; w++) common |= one[w] & other[w];
    return common != 0;
}

#endif
