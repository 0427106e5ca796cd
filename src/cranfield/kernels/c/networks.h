/* Sorting networks of 4, 8 and 16 places: Batcher's odd-even merge sort (1968), written out, so that
   what they sort can stay in registers. SWAP(i, j) puts the lesser of two at i. */
#ifndef CRANFIELD_NETWORKS_H
#define CRANFIELD_NETWORKS_H

#define NETWORK4(SWAP) \
    SWAP(0, 1) SWAP(2, 3) \
    SWAP(0, 2) SWAP(1, 3) \
    SWAP(1, 2)

#define NETWORK8(SWAP) \
    SWAP(0, 1) SWAP(2, 3) SWAP(4, 5) SWAP(6, 7) \
    SWAP(0, 2) SWAP(1, 3) SWAP(4, 6) SWAP(5, 7) \
    SWAP(1, 2) SWAP(5, 6) \
    SWAP(0, 4) SWAP(1, 5) SWAP(2, 6) SWAP(3, 7) \
    SWAP(2, 4) SWAP(3, 5) \
    SWAP(1, 2) SWAP(3, 4) SWAP(5, 6)

#define NETWORK16(SWAP) \
    SWAP(0, 1) SWAP(2, 3) SWAP(4, 5) SWAP(6, 7) SWAP(8, 9) SWAP(10, 11) SWAP(12, 13) SWAP(14, 15) \
    SWAP(0, 2) SWAP(1, 3) SWAP(4, 6) SWAP(5, 7) SWAP(8, 10) SWAP(9, 11) SWAP(12, 14) SWAP(13, 15) \
    SWAP(1, 2) SWAP(5, 6) SWAP(9, 10) SWAP(13, 14) \
    SWAP(0, 4) SWAP(1, 5) SWAP(2, 6) SWAP(3, 7) SWAP(8, 12) SWAP(9, 13) SWAP(10, 14) SWAP(11, 15) \
    SWAP(2, 4) SWAP(3, 5) SWAP(10, 12) SWAP(11, 13) \
    SWAP(1, 2) SWAP(3, 4) SWAP(5, 6) SWAP(9, 10) SWAP(11, 12) SWAP(13, 14) \
    SWAP(0, 8) SWAP(1, 9) SWAP(2, 10) SWAP(3, 11) SWAP(4, 12) SWAP(5, 13) SWAP(6, 14) SWAP(7, 15) \
    SWAP(4, 8) SWAP(5, 9) SWAP(6, 10) SWAP(7, 11) \
    SWAP(2, 4) SWAP(3, 5) SWAP(6, 8) SWAP(7, 9) SWAP(10, 12) SWAP(11, 13) \
    SWAP(1, 2) SWAP(3, 4) SWAP(5, 6) SWAP(7, 8) SWAP(9, 10) SWAP(11, 12) SWAP(13, 14)

#endif
