/* Describes the kind of log p in an arm's draws, and evaluations that are not
 * part of the arm's work. An exact log p is not mentioned. */
#pragma once

#include "base/page.h"
#include "run/views/view.h"

/* Writes lines of a summary. `shown`: the kind of lp__ in the table. */
void cs_logp_text(const cs_arm_view *v, cs_logp_kind shown, cs_page *p);
/* Writes the JSON fields ", \"log_p\": ..., \"observed\": {...}". */
void cs_logp_json(const cs_arm_view *v, cs_logp_kind shown, cs_page *p);
/* Returns a comment for files of draws. If lp__ in the files is log p, returns
 * NULL. */
const char *cs_logp_note(cs_logp_kind kind);
