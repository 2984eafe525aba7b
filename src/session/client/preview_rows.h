/* The preview of a chain's next step: keys and rows sent to the front
 * (run/preview/step_preview.h). */
#pragma once

#include "kernel/odds.h"
#include "kernel/step_trace.h"
#include "session/client/snapshot_rows.h"

#define CS_KEY_PREVIEW_STEP "look/preview/step" /* cs_decision */
#define CS_KEY_ODDS "look/preview/odds"         /* cs_proposal_odds */
#define CS_KEY_SITES "look/preview/sites"       /* cs_site_odds */
#define CS_KEY_OTHERS "look/preview/others"     /* cs_other_step */
/* cs_row_note, for the first rows drawn */
#define CS_KEY_DRAWN "look/preview/drawn"
#define CS_KEY_SWAPS "look/preview/swaps" /* cs_swap_note */
