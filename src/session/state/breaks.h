/* Breakpoints on events of chains, and stop rules on diagnostics. Both belong
 * to the session: breakpoints and rules are not stored in the journal or in
 * checkpoints, and do not affect the chains. */
#pragma once

#include "probe/events.h"
#include "session/state/history.h"
#include "target/enumeration.h"

typedef struct cs_session cs_session;

/* The quantity that a stop rule compares. */
typedef enum cs_rule {
    CS_RULE_EVENT, /* not a rule but a breakpoint on an event */
    CS_RULE_RHAT,
    CS_RULE_ESS,
    CS_RULE_MODES,
    CS_RULE_STEPS,
    CS_RULE_GRADIENTS,
    CS_RULE_DENSITIES,
    CS_RULE_SECONDS
} cs_rule;

typedef struct cs_break {
    unsigned number; /* number from 1, as listed by `break` */
    cs_rule rule;
    unsigned kinds; /* kinds of events, one bit per cs_event_kind */
    /* CS_EVERY: any arm or chain; in a rule it means that all arms must meet the
     * rule */
    size_t arm, chain;
    char name[64]; /* name of the arm, since its number may change */
    double limit;  /* for a visit to a mode: number of the mode (0: any
                          mode); for rejections: how many in a row; for a rule:
                          its limit */
    /* step at which the rule stopped the run; 0: the rule has not stopped it */
    uint64_t held;
} cs_break;

enum { CS_BREAKS = 16 };

typedef struct cs_breaks {
    cs_break row[CS_BREAKS];
    size_t n;
    unsigned numbers; /* numbers assigned so far */
    cs_break next;    /* target of `event next`; kinds 0: no search */
    cs_break first;   /* breakpoint at the first NaN; kinds 0: a NaN has
                         occurred */
    bool by_hand;     /* the run was started by `toggle`, a key */
    cs_history history;
    char file[512]; /* file that was open when the breakpoints were set */
    uint64_t shown; /* number of times that the session itself has changed the
                     * selection */
    uint64_t holds; /* number of stops at breakpoints */
} cs_breaks;

/* Writes the event or condition of a breakpoint in words: "jump in any chain of
 * dmala". */
void cs_break_words(const cs_session *s, const cs_break *b, char *text,
                    size_t size);

/* Returns the number of steps, at most n, that the next advance may make. An
 * advance makes either only replayed steps or only new steps. */
uint64_t cs_breaks_limit(const cs_session *s, uint64_t n);

/* Call this after a quantum that began at step `from`; `end` is the farthest
 * step that was reached before this quantum. If a breakpoint was hit, moves the
 * run to exactly the step of the event, pauses the run and returns true. While
 * draws are written, the run cannot go back and therefore pauses at the current
 * step. */
bool cs_breaks_look(cs_session *s, uint64_t from, uint64_t end);

/* If a breakpoint would have stopped this arm at an earlier step, pauses the
 * run at the current step. Call this after an arm has made the steps that the
 * other arms already had. */
bool cs_breaks_caught_up(cs_session *s, size_t arm);

/* Returns true if a rule on diagnostics stops the run. Call this when there are
 * new reports. */
bool cs_breaks_report(cs_session *s);

/* Records that a stopping rule of the script has ended the run before its
 * budget was spent. */
void cs_breaks_rule(cs_session *s, const char *why);

/* Returns true if at least one rule reads the report of the probe. */
bool cs_breaks_read(const cs_breaks *b, const char *probe);

/* Selects the chain of an event, so that the panels display this chain. */
void cs_breaks_show(cs_session *s, const cs_event *e);

/* Call this after another run was opened. If the open file is the same as
 * before, keeps the breakpoints, except breakpoints for arms that no longer
 * exist. Otherwise removes all breakpoints. */
void cs_breaks_opened(cs_session *s);
