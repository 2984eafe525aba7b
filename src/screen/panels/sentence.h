/* The verdict on each arm's draws, and sentences about the run for the top of
 * the screen. */
#pragma once

#include "screen/panels/panel.h"
#include "warn/warnings.h"

/* Stores an arm's verdict, which is that of the first warning that affects the
 * verdict. Returns false if nothing is known: the arm has no diagnosed draws
 * and no warning. */
bool cs_verdict_of(const cs_shot *s, size_t arm, cs_arm_verdict *out);

/* Returns true if the run has made too few steps to judge its chains. */
bool cs_too_early(const cs_shot *s);

enum { CS_SENTENCE = 400 };

/* The sentences about the run. The first sentence is the first of these facts
 * that applies: a problem of the chosen arm, a problem of another arm, the
 * comparison of the arms, the verdict on the draws. The second sentence is the
 * next fact of this order; "" if no fact is left, or if the first sentence says
 * that draws are wrong or miss modes. */
typedef struct cs_run_sentences {
    char text[2][CS_SENTENCE];
} cs_run_sentences;
/* Returns the end of a question [borrowed] that fits in `columns`, or its last
 * sentence, which asks. */
const char *cs_question_end(const char *question, int columns);

void cs_sentences_write(const cs_shot *s, const cs_selection *at,
                        cs_run_sentences *out);
