/* A run without a screen, followed to its end: progress on stderr (one line on a
 * terminal, a line a minute in a file), and what happens on the way. */
#pragma once

#include "session/client.h"

typedef struct cs_seen {
    char run[24]; /* what it is called, "": it is made of draws */
    char state[16], title[200], message[1024], said[CS_SAID][256];
    double steps, rate, progress, eta, messages, tuned;
    double update, updates; /* of the arm that learns and is least far; 0 of 0:
                               none does */
    double arms, chains, stopped; /* of the run; of all arms */
    char
        loose[2048]; /* warnings, a line each: a density that changes, bounds of
                         arms that are loose */
    bool watched;    /* its draws are read from a folder */
} cs_seen;

/* Takes the newest snapshot; false when there was none. */
bool cs_follow_look(cs_client *c, cs_seen *s);
/* The newest there is, newer than the last look or not; false: there is none. */
bool cs_follow_see(cs_client *c, cs_seen *s);

/* Before `run`: its warnings, a line on stderr each. */
void cs_follow_warn(const cs_seen *s);

/* Writes the line of progress to stderr. */
typedef void cs_follow_show(const cs_seen *s, void *to);

/* After `run`: waits until the run has stopped by itself, or a signal of
 * cli/stop.h came; then its session is interrupted. *told: how many messages
 * were shown. */
cs_status cs_follow(cs_client *c, cs_follow_show *show, void *to, double *told,
                    cs_error *err);

/* ", 1:20 left" on stderr, where that is known. */
void cs_follow_left(double seconds);

/* Prints the session's messages (that a density is NaN, say) that were not
 * printed yet, up to number `last`; *told: how many were. Of those that the
 * session no longer keeps it prints the number. */
void cs_follow_messages(const cs_seen *s, double last, double *told);

/* Runs what is open to the end of its budget, with a line of progress. CS_INPUT,
 * with the way out, where it has none; nothing is done where the script has
 * moved its run itself. *told: as above, from now on. */
cs_status cs_follow_budget(cs_client *c, double *told, cs_error *err);
/* The same to a step, whatever the budget is; nothing is done from there on. *s: what
 * was seen before. */
cs_status cs_follow_to(cs_client *c, cs_seen *s, double step, double *told,
                       cs_error *err);
