/* Parts of the possible states that moves of few sites do not connect, for
 * spaces whose states can be listed. */
#pragma once

#include "check/sites.h"

/* The part of an impossible state. */
enum { CS_APART_NOWHERE = -1 };

/* Numbers the parts of the possible states that the moves connect, on the
 * assumption that a step can change the sites of a move to any possible values.
 * part[s->states] is CS_APART_NOWHERE for impossible states; the numbers 0 ...
 * *parts - 1 replace the others. *parts is 0 if this takes too much work.
 * Returns false if memory is exhausted. */
bool cs_apart_by_moves(const cs_site_list *s, const cs_site_moves *moves,
                       int32_t *part, size_t *parts);

/* Two possible states of different parts. */
typedef struct cs_apart_jump {
    size_t from, to; /* indices of the states */
    size_t sites;    /* number of sites in which they differ; 0: there is only
                        one part */
} cs_apart_jump;

/* Finds the widest jump of a minimum spanning tree between the parts, whose
 * distances are numbers of sites. It connects two parts, and changes of fewer
 * than j->sites sites do not connect all parts. Mehlhorn, A faster approximation
 * algorithm for the Steiner problem in graphs, 1988, section 2: the tree is one
 * of the edges between the states that are nearest to different parts. Returns
 * false if memory is exhausted. */
bool cs_apart_find_jump(const cs_site_list *s, const int32_t *part,
                        size_t parts, cs_apart_jump *j);
