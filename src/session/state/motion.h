/* Advances the run in quanta of a few milliseconds; commands are obeyed between
 * quanta. */
#pragma once

#include "base/status.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct cs_session cs_session;

/* steps per second of slow motion (for a cycle of kernels, turns of its members
 * per second), and the number of steps of a lesson that are
 * made in slow motion at its start */
#define CS_SLOW 4.0
enum { CS_SLOW_STEPS = 20 };

typedef struct cs_motion {
    bool running;
    bool waits;     /* running, but waiting for draws written by another
                    * process */
    bool over;      /* on a rank other than the first: true if the first rank
                      will send no more orders */
    bool failed;    /* the last message gives the reason why the run stopped */
    uint64_t goal;  /* step at which the run stops */
    double speed;   /* requested steps per second, 0: no limit */
    bool paced;     /* `speed` is the scenario's */
    double unpaced; /* the speed before the scenario's, if `paced` */
    /* the speed that the scenario defines; 0: none. The command `toggle` uses
     * this speed until the user changes the speed */
    double pace;
    /* slow motion (CS_SLOW steps per second) until this step; 0: off */
    uint64_t slow_until;
    double turns; /* turns of a step of the chosen arm when the pace began */
    uint64_t
        turn; /* in slow motion: number of turns of members in the next step
                      that are displayed as made */
    /* speed_from: time at which the speed limit took effect; speed_step: the
     * step of the run at that time */
    double speed_from;
    uint64_t speed_step;
    uint64_t quantum;  /* number of steps of the next advance */
    uint64_t farthest; /* the farthest step reached before the run went back */
    uint64_t event_at; /* step of the script's next event */
    double calling;    /* seconds spent in functions of the script since the
                        * start */
} cs_motion;

/* Starts the run, which stops at step `goal`. If `beyond` is true, a run whose
 * budget is spent continues without a budget. */
cs_status cs_session_go(cs_session *s, uint64_t goal, bool beyond,
                        cs_error *err);
/* Makes one quantum of steps of a started run. Returns the seconds until the
 * next quantum is due. */
double cs_session_move(cs_session *s);
void cs_session_pause(cs_session *s);
/* Returns the number of turns of members that slow motion shows in a step of the
 * selected arm; 1 if its kernel has no members. A run is open. */
double cs_session_turns(const cs_session *s);
/* Starts counting the steps that the speed allows from now on. */
void cs_session_pace(cs_session *s);
/* Begins slow motion, which ends at the step `until`. If `until` is 0, ends
 * slow motion now. */
void cs_session_slow(cs_session *s, uint64_t until);

/* Call this after the run was moved to another step. If `redo` is true, events
 * of the script that are due at `step` happen again. */
void cs_session_placed(cs_session *s, uint64_t step, bool redo);
/* Call this after the run was loaded. Events of the script up to the present
 * step will not be repeated. */
void cs_session_loaded(cs_session *s);
