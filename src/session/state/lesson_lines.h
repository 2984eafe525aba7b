/* The state of the lesson of the open scenario (its field `course`). The steps,
 * the answers and the truth of the questions are in the script host
 * (lua/chainscope/lesson.lua). */
#pragma once

#include "base/flat.h"
#include "base/page.h"
#include "session/state/set_back.h"

#include <stdbool.h>

typedef struct cs_session cs_session;

/* A run of the lesson at an earlier stage (session/commands/lesson_stages.h). */
typedef struct cs_earlier_run {
    char *journal;    /* [own] */
    cs_way_back back; /* changes that can be undone; empty if it was read from
                       * a journal */
    struct cs_earlier_run *next; /* [own] the run before it, or NULL */
} cs_earlier_run;

/* The state as lines "KEY<tab>VALUE"; empty: the scenario has no course. A
 * carriage return within a value separates the parts of a list. */
typedef struct cs_course {
    cs_page lines;           /* [own] */
    bool later;              /* the next step begins when the run has stopped */
    cs_earlier_run *earlier; /* [own] the newest one; NULL: none */
} cs_course;

/* Replaces the state by *lines. [own: lines] */
void cs_course_store(cs_session *s, const cs_page *lines);

/* Returns the value of the first line at or after `at` with this key, and sets
 * *n to its length; NULL: there is no such line. [borrowed] */
const char *cs_course_find(const char *at, const char *key, size_t *n);

/* Copies the value of a key to out[size]; returns false if there is no such
 * key. */
bool cs_course_value(const cs_course *c, const char *key, char *out,
                     size_t size);

/* Returns true if a question is open, so that its truth is covered. */
bool cs_course_asks(const cs_course *c);

/* Returns true if a question is open or will follow, so that the verdicts are
 * covered. */
bool cs_course_hides(const cs_course *c);
/* Returns true if the open scenario is a game (lua/chainscope/game.lua). */
bool cs_course_is_game(const cs_course *c);
/* Returns true if a game is open whose answer is not revealed yet. */
bool cs_course_plays(const cs_course *c);

/* Publishes the state under "course/". (publish_course.c) */
void cs_session_put_course(const cs_session *s, cs_flat *f);
/* Removes from a snapshot the entries that would give the truth of a question
 * away. Until the last answer of a lesson is revealed, these are the verdicts
 * and the texts of the scenario that state its results; while a question is
 * open, also comparisons of arms, distances from exact answers and the figures
 * that the question is about. (publish_course.c) */
void cs_session_cover(const cs_session *s, cs_flat *f);
