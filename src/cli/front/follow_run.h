/* Follows a run without a screen to its end: prints progress on stderr (one
 * rewritten line on a terminal, a line per minute in a file) and messages. */
#pragma once

#include "session/client/client.h"

typedef struct cs_seen {
    char run[24]; /* name of the run; "": read from draws */
    char state[16], title[200], message[1024], said[CS_SAID][256];
    double steps, rate, progress, eta, messages, tuned;
    double update, updates; /* for the training arm with the least progress;
                             * 0 of 0: no arm trains */
    double arms, chains, stopped; /* arms of the run; chains of all arms */
    char loose[2048]; /* warnings, one per line: a changing density, arms
                      * whose bounds are loose */
    bool watched;     /* draws are read from a folder */
} cs_seen;

/* Reads a snapshot, base[used]. */
void cs_follow_read(const unsigned char *base, size_t used, cs_seen *s);
/* Reads the newest snapshot; returns false if it is not newer than the last
 * read. */
bool cs_follow_look(cs_client *c, cs_seen *s);
/* Reads the newest snapshot, even if already read; returns false if there is
 * none. */
bool cs_follow_see(cs_client *c, cs_seen *s);

/* Prints the warnings to stderr, one per line. Call before `run`. */
void cs_follow_warn(const cs_seen *s);

/* Writes the progress line to stderr. */
typedef void cs_follow_show(const cs_seen *s, void *to);

/* Waits after `run` until the run stops by itself or a signal of
 * cli/line/stop.h arrives, which interrupts the session. *told: number of
 * messages printed. */
cs_status cs_follow(cs_client *c, cs_follow_show *show, void *to,
                    double *reported, cs_error *err);

/* Prints the remaining time (", 1:20 left") to stderr if it is known. */
void cs_follow_left(double seconds);

/* Prints the messages of the session not yet printed (for example that a
 * density is NaN), up to number `last`; *told: number printed so far. Prints
 * only the number of those that the session no longer keeps. */
void cs_follow_messages(const cs_seen *s, double last, double *reported);

/* Runs the open scenario to the end of its budget, with a progress line.
 * Returns CS_INPUT with a hint if it has no budget; does nothing if the script
 * has already run it. *told: as above, set here. */
cs_status cs_follow_budget(cs_client *c, double *reported, cs_error *err);
/* Does the same up to a step, whatever the budget; does nothing if the run is
 * already there. *s: the last snapshot. */
cs_status cs_follow_to(cs_client *c, cs_seen *s, double step, double *reported,
                       cs_error *err);
