/* The coordinates with integer values ("sites") of a space, and the states that
 * differ from a given state only in them. */
#pragma once

#include "kernel/kernel.h"

typedef struct cs_site_list {
    const cs_target *t;
    double *x;            /* [dim] the given state [own] */
    uint32_t *coordinate; /* [n] in ascending order [own] */
    int *low, *values;    /* [n] smallest value and number of values of each;
                               `low` owns both [own] */
    size_t *stride;       /* [n] difference between the indices of two states
                               whose values of a site differ by 1 [own] */
    size_t n;
    double states; /* number of states, HUGE_VAL if too many */
} cs_site_list;

/* Finds the sites of the target's space. The other coordinates keep the values
 * of x[dim]. Returns false if memory is exhausted; close the sites in any
 * case. */
bool cs_site_list_open(cs_site_list *s, const cs_target *t, const double *x);
void cs_site_list_close(cs_site_list *s);

/* Writes state number `index` of s->states to x[dim]. The first site varies
 * slowest: in a space without real coordinates the order is that of
 * cs_space_state. */
void cs_site_list_state(const cs_site_list *s, size_t index, double *x);

/* Returns the index of the state with the same values of the sites as x[dim],
 * which must be in range. */
size_t cs_site_list_index(const cs_site_list *s, const double *x);

/* ---- the sites that one step can change together -------------------------- */

/* A kernel, or a member of a composed one. */
typedef struct cs_site_move {
    uint32_t *site; /* [n] numbers of the sites that it moves, ascending
                       [own] */
    size_t n;
    size_t most; /* largest number of sites that one step changes; n if it is
                    not known */
    bool known;  /* the kernel declares the number */
} cs_site_move;

typedef struct cs_site_moves {
    cs_site_move *move; /* [n] [own] */
    size_t n, capacity;
} cs_site_moves;

/* Lists the moves of a kernel that has the values of its rows, except that
 * driven[row] may change; NULL: none is driven. A kernel with a conditional
 * distribution in a script, and a wrapper, may change any sites. A member that sums
 * out sites changes all of them together with its own. Returns false if memory is
 * exhausted; close the moves in any case. */
bool cs_site_moves_open(cs_site_moves *m, const cs_site_list *s,
                        const cs_kernel *kernel, const bool *driven);
void cs_site_moves_close(cs_site_moves *m);

/* Returns true if some move can change all `n` sites `site` in one step; sets
 * *known to whether the kernel declares how many sites such a step changes. */
bool cs_site_moves_reach(const cs_site_moves *m, const uint32_t *site, size_t n,
                         bool *known);
