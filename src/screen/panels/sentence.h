/* What is known about the run: the verdict on each arm's draws, and sentences
 * for the top of the screen. */
#pragma once

#include "screen/panels/panel.h"
#include "warn/warnings.h"

/* Returns the verdict of the first warning of an arm that affects it. Returns false if nothing
 * is known: the arm has no diagnosed draws and no warning. */
bool cs_verdict_of(const cs_shot *s, size_t arm, cs_arm_verdict *out);

enum { CS_SENTENCE = 400 };

/* The sentences: a problem of the chosen arm, else of another arm, else the
 * comparison of the arms, else the verdict on the draws; then the next fact of
 * this order. "": there is none. */
typedef struct cs_sentences {
    char text[2][CS_SENTENCE];
} cs_sentences;
void cs_sentences_write(const cs_shot *s, const cs_selection *at,
                        cs_sentences *out);
