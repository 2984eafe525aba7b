/* How the run is moved: in quanta of a few milliseconds, between which commands
 * are obeyed. */
#pragma once

#include "base/status.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct cs_session cs_session;

typedef struct cs_motion {
    bool running;
    bool waits;    /* it would run, and others have yet to write its draws */
    bool over;     /* of a rank that follows: there are no more orders */
    bool failed;   /* the last message is why the run stopped */
    uint64_t goal; /* runs until this step */
    double speed;  /* steps per second asked for, 0 = no limit */
    double pace;   /* what the scenario asks of `toggle`, until it is told
                          otherwise; 0: nothing */
    double speed_from; /* when the limit began to count, at which step */
    uint64_t speed_step;
    uint64_t quantum;  /* steps of the next advance */
    uint64_t farthest; /* the farthest step, once the run went back */
    uint64_t event_at; /* the step of the script's next event */
    double calling;    /* seconds since it was started that went to functions of
                          the script */
} cs_motion;

/* Starts the run: it is moved until step `goal`. `beyond`: a run whose budget
 * is spent goes on without one. */
cs_status cs_session_go(cs_session *s, uint64_t goal, bool beyond,
                        cs_error *err);
/* Makes one quantum of steps of a run that was started; returns the seconds
 * until the next one is due. */
double cs_session_move(cs_session *s);
void cs_session_pause(cs_session *s);

/* To be called after the run was put at another step. Events of the script that are
 * due at `step` happen once more with `redo`. */
void cs_session_placed(cs_session *s, uint64_t step, bool redo);
/* The same after a load: events up to there have happened for ever. */
void cs_session_loaded(cs_session *s);
