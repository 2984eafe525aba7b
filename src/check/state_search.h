/* A search of limited size: the possible states that steps of a kernel connect
 * with a given one, and the nearest possible state outside them. */
#pragma once

#include "check/sites.h"

typedef struct cs_state_search {
    cs_site_list sites;
    cs_site_moves moves;
    size_t tried;     /* number of states whose log p was computed */
    bool closed;      /* true: no limit was reached before all states were known
                         that steps connect with the given one */
    size_t connected; /* number of these states */
    size_t far; /* number of sites: all states that differ from a connected
                         one in no more sites were tried */
    double *from,
        *to; /* [dim] a connected state, and the nearest possible state
                          outside, if `found` [own] */
    bool found;
    struct cs_state_table *table; /* the states [own] */
} cs_state_search;

/* Prepares a search from the state x[dim]. A step of a member changes the
 * number of sites that its kernel declares (cs_site_moves_open); one site, if it
 * declares nothing. Returns false if memory is exhausted; close the search in any case. */
bool cs_state_search_open(cs_state_search *f, const cs_target *t,
                          const cs_kernel *kernel, const bool *driven,
                          const double *x);
void cs_state_search_close(cs_state_search *f);

/* Searches until the clock reaches `end`, or a limit of memory. Coordinates with
 * fixed[i], and then those with many values too, keep their values; NULL: all may
 * change. Looks for a state that is not connected only if the search closes. */
void cs_state_search_run(cs_state_search *f, const bool *fixed, double end);

/* Returns true if the sites of x[dim] have the values of a connected state. */
bool cs_state_search_has(const cs_state_search *f, const double *x);
