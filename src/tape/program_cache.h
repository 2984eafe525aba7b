/* A cache of programs, so that equal graphs are compiled only once. */
#pragma once

#include "tape/program.h"

/* A graph with its root, and its program. */
typedef struct cs_cached_program {
    cs_graph *graph; /* [own] */
    cs_node root;
    cs_program *program; /* [borrowed] program shared by all requests for an
                          * equal graph */
    size_t hash;
} cs_cached_program;

typedef struct cs_program_cache {
    cs_cached_program *item;
    size_t n, capacity;
    uint32_t *table; /* 1 + the index in `item`, by hash; 0: empty */
    size_t table_capacity;
    size_t compared; /* number of comparisons of two whole graphs */
} cs_program_cache;

/* Returns the program for this root of g, compiled now or earlier for an equal
 * graph. Always takes ownership of the graph. cs_program_cache_end passes
 * ownership of the programs to the caller. */
cs_status cs_program_cache_compile(cs_program_cache *s, cs_graph *g,
                                   cs_node root, cs_program **out,
                                   cs_error *err);

/* Frees the graphs and moves the programs to *programs [own]; *n is set to
 * their number. If `programs` is NULL, destroys the programs too. */
void cs_program_cache_end(cs_program_cache *s, cs_program ***programs,
                          size_t *n);
