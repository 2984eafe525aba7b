/* The preview of a chain's next step: keys and rows sent to the front
 * (run/preview/step_preview.h). */
#pragma once

#include "kernel/odds.h"
#include "kernel/turns.h"
#include "session/client/snapshot_rows.h"

#define CS_KEY_PREVIEW_STEP "look/preview/step" /* cs_decision */
#define CS_KEY_ODDS "look/preview/odds"         /* cs_proposal_odds */
#define CS_KEY_SITES "look/preview/sites"       /* cs_site_odds */
#define CS_KEY_OTHERS "look/preview/others"     /* cs_other_step */
/* cs_row_note, for the first rows drawn */
#define CS_KEY_DRAWN "look/preview/drawn"
#define CS_KEY_SWAPS "look/preview/swaps" /* cs_swap_note */
#define CS_KEY_TURNS "look/turns/notes"   /* cs_turn_note */

/* The conditional distribution of the chosen coordinate, given the others just
 * before its draw (run/preview/conditional.h). */
#define CS_KEY_CONDITIONAL "look/conditional/at" /* cs_row_conditional */
typedef struct cs_row_conditional {
    double discrete; /* 1: probabilities of values; 0: a density */
    double quantity; /* index of the displayed quantity */
    double from, to; /* its values before and after the draw */
} cs_row_conditional;
