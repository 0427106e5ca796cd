/* Memory that is taken and given back without the GIL. */
#ifndef CRANFIELD_MEMORY_H
#define CRANFIELD_MEMORY_H
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Memory that is hit at random: if there is much of it, few large pages serve it better. */
static inline void *scattered(size_t size) {
#ifdef MADV_HUGEPAGE
    enum { PAGE = 1 << 21 };
    if (size >= PAGE) {
        void *memory;
        if (posix_memalign(&memory, PAGE, size) != 0) return NULL;
        madvise(memory, size, MADV_HUGEPAGE);
        return memory;
    }
#endif
    return malloc(size);
}

#endif
