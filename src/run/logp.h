/* What log p of an arm's draws is, in words, and what was evaluated of it beside
 * the arm's work. Nothing is said where it is exact. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* Lines of a summary; `shown`: what lp__ there is. */
void cs_logp_text(const cs_arm_view *v, cs_logp_kind shown, cs_page *p);
/* ", \"log_p\": ..., \"observed\": {...}" */
void cs_logp_json(const cs_arm_view *v, cs_logp_kind shown, cs_page *p);
/* A comment for files of draws, NULL: their lp__ is log p. */
const char *cs_logp_note(cs_logp_kind kind);
