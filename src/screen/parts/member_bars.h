/* The members of a cycle or a mixture: acceptance, work and time of each. */
#pragma once

#include "race/shot.h"
#include "screen/canvas/canvas.h"

/* Returns the number of members of an arm's kernel that are not composed; 0: the
 * kernel has no members. */
size_t cs_members_count(const cs_shot *s, size_t arm);

/* Draws a table of the members with a bar of the acceptance of each; a mark in
 * the bar is the acceptance at which a member of this kind works best. Returns
 * the number of lines used. */
int cs_draw_members(const cs_area *a, const cs_shot *s, size_t arm);
