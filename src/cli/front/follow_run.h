/* Follows a run without a screen until it ends: prints messages, and progress
 * on stderr (on a terminal one line that is rewritten, in a file one line per
 * minute). */
#pragma once

#include "session/client/client.h"

typedef struct cs_seen {
    char run[24]; /* name of the run; "": the run is read from files of draws */
    /* `message` is the newest message of the session; `said` contains the
     * newest messages: message i, from 0, has the index i % CS_SAID */
    char state[16], title[200], message[1024], said[CS_SAID][256];
    double steps, rate, progress, eta, messages, tuned;
    /* For the training arm with the least progress: the number of updates made
     * so far, and the number of updates at the end of the training. Both are 0
     * if no arm trains. */
    double update, updates;
    /* numbers of arms, of chains in all arms, of stopped chains, and of chains
     * whose files are damaged or left out */
    double arms, chains, stopped, lost;
    char loose[2048]; /* warnings, one per line: a density that changes, arms
                       * whose bounds are loose */
    bool watched;     /* true if draws are read from a folder */
} cs_seen;

/* Reads a snapshot from the table base[used] into *s. */
void cs_follow_read(const unsigned char *base, size_t used, cs_seen *s);
/* Reads the newest snapshot; returns false if it was already read by an earlier
 * call. */
bool cs_follow_look(cs_client *c, cs_seen *s);
/* Reads the newest snapshot even if it was already read; returns false if there
 * is no snapshot. */
bool cs_follow_see(cs_client *c, cs_seen *s);

/* Prints the warnings to stderr, one per line. Call before `run`. */
void cs_follow_warn(const cs_seen *s);

/* Writes the progress line to stderr; `to` is the argument that the caller of
 * cs_follow passes. */
typedef void cs_follow_show(const cs_seen *s, void *to);

/* Call after the command `run`: waits until the run stops by itself or a signal
 * of cli/line/stop.h arrives. The signal interrupts the session. *reported is
 * the number of messages printed so far. */
cs_status cs_follow(cs_client *c, cs_follow_show *show, void *to,
                    double *reported, cs_error *err);

/* Prints the remaining time (", 1:20 left") to stderr if the time is known. */
void cs_follow_left(double seconds);

/* Prints messages of the session (for example that a density is NaN) from
 * number *reported up to number `last`, and updates *reported. For messages
 * that the session no longer stores, prints only their number. */
void cs_follow_messages(const cs_seen *s, double last, double *reported);

/* Runs the open scenario to the end of its budget, with a progress line. If the
 * scenario has no budget, returns CS_INPUT with a hint, or does nothing if the
 * script of the scenario has already run it. Sets *reported to the number of
 * messages printed. */
cs_status cs_follow_budget(cs_client *c, double *reported, cs_error *err);
/* Runs the open scenario to step `step` regardless of the budget, with a
 * progress line; does nothing if the run is already at that step. *s receives
 * the last snapshot. */
cs_status cs_follow_to(cs_client *c, cs_seen *s, double step, double *reported,
                       cs_error *err);
