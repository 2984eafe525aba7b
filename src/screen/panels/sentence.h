/* The verdict on each arm's draws, and sentences about the run for the top of
 * the screen. */
#pragma once

#include "screen/panels/panel.h"
#include "warn/warnings.h"

/* Returns the verdict of the first warning of an arm that affects it. Returns false if nothing
 * is known: the arm has no diagnosed draws and no warning. */
bool cs_verdict_of(const cs_shot *s, size_t arm, cs_arm_verdict *out);

enum { CS_SENTENCE = 400 };

/* The sentences: a problem of the chosen arm, else of another arm, else the
 * comparison of the arms, else the verdict on the draws; then the next fact of
 * this order; "" if none is left. */
typedef struct cs_run_sentences {
    char text[2][CS_SENTENCE];
} cs_run_sentences;
void cs_sentences_write(const cs_shot *s, const cs_selection *at,
                        cs_run_sentences *out);
