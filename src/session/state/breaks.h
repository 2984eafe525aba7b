/* Breakpoints on events of chains, and stop rules on diagnostics. They belong
 * to the session: the journal and checkpoints do not contain them, and they do
 * not affect the chains. */
#pragma once

#include "probe/events.h"
#include "session/state/history.h"
#include "target/enumeration.h"

typedef struct cs_session cs_session;

/* The quantity that a stop rule compares. */
typedef enum cs_rule {
    CS_RULE_EVENT, /* no rule: a breakpoint */
    CS_RULE_RHAT,
    CS_RULE_ESS,
    CS_RULE_MODES,
    CS_RULE_STEPS,
    CS_RULE_GRADIENTS,
    CS_RULE_DENSITIES,
    CS_RULE_SECONDS
} cs_rule;

typedef struct cs_break {
    unsigned number; /* from 1, as listed by `break` */
    cs_rule rule;
    unsigned kinds;    /* bits of cs_event_kind */
    size_t arm, chain; /* CS_EVERY: any; for a rule: every arm */
    char name[64];     /* name of the arm: its number may change */
    double limit;      /* for an event the mode, 0: any; for rejections their
                          number */
    uint64_t held;     /* step at which a rule stopped the run, 0: not yet */
} cs_break;

enum { CS_BREAKS = 16 };

typedef struct cs_breaks {
    cs_break row[CS_BREAKS];
    size_t n;
    unsigned numbers; /* numbers assigned so far */
    cs_break next;    /* target of `event next`; no kinds: none */
    cs_break first;   /* first NaN; no kinds: it has occurred */
    bool by_hand;     /* the run was started by `toggle`, the key */
    cs_history history;
    char file[512]; /* file that was open when they were set */
    uint64_t shown; /* count of automatic changes of the selection ... */
    uint64_t holds; /* ... and of stops at breakpoints */
} cs_breaks;

/* Writes the event or condition of a breakpoint in words: "jump in any chain of
 * dmala". */
void cs_break_words(const cs_session *s, const cs_break *b, char *text,
                    size_t size);

/* Returns how many of n steps may be made in one advance: an advance does not
 * cross from replayed steps to new ones. */
uint64_t cs_breaks_limit(const cs_session *s, uint64_t n);

/* Call after a quantum that began at step `from`, when the farthest step was
 * `end`. If a breakpoint is hit, the run is put at exactly that step and
 * paused: true. While draws are written the run cannot go back and pauses at
 * the current step. */
bool cs_breaks_look(cs_session *s, uint64_t from, uint64_t end);

/* Call after an arm has caught up with the steps of the others: pauses the run
 * at the current step if a breakpoint would have stopped it on the way. */
bool cs_breaks_caught_up(cs_session *s, size_t arm);

/* Call after new reports: true if a rule on diagnostics stops the run. */
bool cs_breaks_report(cs_session *s);

/* Records that a rule of the script's own has ended the run before its
 * budget. */
void cs_breaks_rule(cs_session *s, const char *why);

/* True if some rule reads the report of a probe. */
bool cs_breaks_read(const cs_breaks *b, const char *probe);

/* Selects the chain of an event for display. */
void cs_breaks_show(cs_session *s, const cs_event *e);

/* Call after another run was opened: keeps the breakpoints that are of the same
 * file and whose arms exist. */
void cs_breaks_opened(cs_session *s);
