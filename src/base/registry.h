/* Finds entries of a list (kernels.def and similar) by number and by name. */
#pragma once

#include "simd/variants.h"

#include <stddef.h>
#include <string.h>

/* A row of a table that is compiled once, with portable flags. A table that is
 * compiled for each instruction set has rows of CS_VARIANT_ROW instead. */
#define CS_SINGLE_ROW(name) {&name},

/* Defines WORD_at(i), which returns NULL after the last entry, and
 * WORD_find(name), which returns NULL for an unknown name. The file must define
 *     static const TYPE *const table[][variants] = { rows, {NULL}}; */
#define CS_REGISTRY(type, word)                                                \
    const type *word##_at(size_t i)                                            \
    {                                                                          \
        size_t n = sizeof table / sizeof *table - 1;                           \
        size_t hot = sizeof *table > sizeof **table;                           \
        const type *entry = table[i < n ? i : n][hot ? cs_simd_level() : 0];   \
        return entry ? entry : table[i < n ? i : n][0];                        \
    }                                                                          \
    const type *word##_find(const char *name)                                  \
    {                                                                          \
        const type *entry;                                                     \
        for (size_t i = 0; (entry = word##_at(i)); i++)                        \
            if (strcmp(entry->name, name) == 0)                                \
                return entry;                                                  \
        return NULL;                                                           \
    }
