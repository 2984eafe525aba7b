/* Advances the run in quanta of a few milliseconds; commands are obeyed between
 * quanta. */
#pragma once

#include "base/status.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct cs_session cs_session;

typedef struct cs_motion {
    bool running;
    bool waits;    /* running, but its draws are written by another process */
    bool over;     /* for a following rank: there are no more orders */
    bool failed;   /* the last message says why the run stopped */
    uint64_t goal; /* runs until this step */
    double speed;  /* requested steps per second, 0: no limit */
    double pace;   /* the scenario's speed for `toggle` until changed; 0:
                      none */
    double speed_from; /* time and step at which the limit took effect */
    uint64_t speed_step;
    uint64_t quantum;  /* steps of the next advance */
    uint64_t farthest; /* the farthest step, after the run went back */
    uint64_t event_at; /* the step of the script's next event */
    double calling;    /* seconds since the start spent in functions of the
                          script */
} cs_motion;

/* Starts the run until step `goal`. `beyond`: a run whose budget is spent
 * continues without a budget. */
cs_status cs_session_go(cs_session *s, uint64_t goal, bool beyond,
                        cs_error *err);
/* Makes one quantum of steps of a started run; returns the seconds until the
 * next quantum is due. */
double cs_session_move(cs_session *s);
void cs_session_pause(cs_session *s);

/* Call after the run was moved to another step. With `redo`, events of the
 * script due at `step` happen once more. */
void cs_session_placed(cs_session *s, uint64_t step, bool redo);
/* The same after a load: events up to that step are not repeated. */
void cs_session_loaded(cs_session *s);
