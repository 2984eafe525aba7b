/* The turns of the members of a cycle or a mixture in the next step of the chosen
 * chain, and the conditional distribution of the chosen coordinate. */
#pragma once

#include "race/shot.h"
#include "screen/parts/shown.h"
#include "session/client/preview_rows.h"

typedef struct cs_turns_view {
    const cs_turn_note *note; /* [n]; NULL: no turns are known */
    size_t n, of;             /* of: number of all turns */
    /* [n][shown] states before and after each turn, and proposals */
    const double *before, *after, *proposal;
    size_t shown, arm;
    size_t made;            /* number of turns that are displayed as made */
    bool slow;              /* slow motion goes turn by turn */
    const double *moved_by; /* [dim] member of each coordinate */
    size_t dim;
    const cs_row_conditional *conditional; /* NULL: not known */
    const double *value, *density;         /* [n_values] */
    size_t n_values;
} cs_turns_view;

/* Reads the turns from the snapshot. Returns false without turns. The
 * conditional distribution is read in any case. */
bool cs_turns_find(const cs_shot *s, cs_turns_view *t);

/* Writes the name and the kernel of the member of turn i: "mu by nuts". */
void cs_turn_member(const cs_shot *s, const cs_turns_view *t, size_t i,
                    char *text, size_t size);

/* Returns true if quantity i is moved by the member of a turn. */
bool cs_turn_moves(const cs_turns_view *t, const cs_shown_kinds *k, size_t turn,
                   size_t i);

/* Draws the conditional distribution of the chosen coordinate: bars for a
 * discrete one, a curve for a real one, and below them a circle at the value
 * before the draw and a triangle at the drawn value. Returns the number of lines
 * used; 0 if it is not known or the area is too small. */
int cs_draw_conditional(const cs_area *a, const cs_shown_kinds *k,
                        const cs_turns_view *t);

/* Returns the number of lines that cs_draw_turns needs. */
int cs_turns_lines(const cs_shown_kinds *k, const cs_turns_view *t);

/* Draws all turns, each in its own terms. Returns the number of lines used. */
int cs_draw_turns(const cs_area *a, const cs_shot *s, const cs_shown_kinds *k,
                  const cs_turns_view *t, size_t chosen);
