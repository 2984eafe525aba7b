/* Declarations that the two parts of the law `reach` share. */
#pragma once

#include "check/laws.h"
#include "check/sites.h"

/* Returns the number of steps after which every coordinate should have
 * changed. */
uint64_t cs_reach_steps(size_t dim);

/* Writes the values of the first sites of x[dim] to text[size]. */
void cs_reach_state_text(const cs_site_list *s, const double *x, char *text,
                         size_t size);

/* Writes to text[size] that the sites in which the states from[dim] and to[dim]
 * differ must change together, and which kernel can do that. */
void cs_reach_together_text(const cs_site_list *s, const cs_site_moves *moves,
                            const double *from, const double *to, char *text,
                            size_t size);

/* Checks a space whose states cannot be listed, with searches among the states of
 * the target `t` and with chains on `on`, which has the same possible states.
 * Returns false if memory is exhausted. */
bool cs_check_reach_search(cs_check *c, const cs_target *t, cs_target *on,
                           const cs_arm_view *arm, uint64_t seed);
