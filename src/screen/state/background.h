/* A run that is made beside the open one, in a session of its own: what replicates
 * and calibrations share. */
#pragma once

#include "figure/shot.h"
#include "screen/state/app_link.h"
#include "session/wire.h"

/* What has been asked of the session, and the ids of the replies. */
enum {
    CS_BACKGROUND_NOTHING,
    CS_BACKGROUND_QUIET,
    CS_BACKGROUND_OPENED,
    CS_BACKGROUND_MOVED,
    CS_BACKGROUND_ASKED
};

typedef struct cs_background {
    const cs_app_link *link;  /* [borrowed] */
    cs_client *client;        /* [own] of the run that is being made, or NULL */
    uint32_t answered;        /* the last reply that has come */
    bool asked;               /* it rests, and what is wanted was asked for */
    cs_shot shot;             /* of that session [borrowed] */
    double opened;            /* of the run that they are of, run/opened */
    double began;             /* when, in seconds */
    long told;                /* seconds that are left, as shown */
    char open[CS_WIRE_BYTES]; /* the line but for what sets one apart */
} cs_background;

/* Whether there can be runs like the one that the snapshot shows; `verb`: what is
 * done to it ("calibrate"). Then all begins. */
cs_status cs_background_prepare(cs_background *b, const cs_shot *s,
                                const char *verb, cs_error *err);

/* Opens one that differs by these words (" seed=8") and sets it going by the line
 * `go`, without reports, which cost. */
cs_status cs_background_begin(cs_background *b, const char *difference,
                              const char *go, cs_error *err);

/* Takes what the session says; its refusal is the error, and so is its end, unless
 * the answer to what was asked is here. `take`: what is done with the pieces of
 * that answer; NULL: it is none, and all is in snapshots. */
typedef void cs_background_take(void *self, const void *body, size_t size);
cs_status cs_background_listen(cs_background *b, cs_background_take *take,
                               void *self, cs_error *err);

/* It is open and was set going, and runs no more. */
bool cs_background_rests(const cs_background *b);

/* Ends the one that is being made. It writes no files: nothing is lost where it is
 * killed at once. */
void cs_background_end(cs_background *b);

/* Descriptors for poll(); returns how many, at most 2. */
int cs_background_fds(const cs_background *b, int fd[2]);

/* *left: how long it takes to the end of all, of which this share is made, NAN:
 * not known; true: that is news. */
bool cs_background_estimate(cs_background *b, double share, double *left);
