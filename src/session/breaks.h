/* What holds the run: breakpoints on events of chains, and stop rules on
 * figures. They are the session's: neither the journal nor a checkpoint has
 * them, and what chains do does not depend on them. */
#pragma once

#include "run/events.h"

typedef struct cs_session cs_session;

/* What a stop rule compares. */
typedef enum cs_rule {
    CS_RULE_EVENT, /* none: it is a breakpoint */
    CS_RULE_RHAT,
    CS_RULE_ESS,
    CS_RULE_MODES,
    CS_RULE_STEPS,
    CS_RULE_GRADIENTS,
    CS_RULE_DENSITIES,
    CS_RULE_SECONDS
} cs_rule;

typedef struct cs_break {
    unsigned number; /* from 1, as `break` lists it */
    cs_rule rule;
    unsigned kinds;    /* bits of cs_event_kind */
    size_t arm, chain; /* CS_EVERY: any; of a rule: every arm */
    char name[64];     /* of the arm: its number may change */
    double limit;      /* of an event the mode, 0: any; of refusals how many */
    uint64_t held;     /* a rule has held the run at this step, 0: not yet */
} cs_break;

enum { CS_BREAKS = 16, CS_MOMENTS = 512, CS_HELD = CS_EVENT_KINDS };

/* An event that was seen, or (CS_HELD) where a breakpoint held the run. */
typedef struct cs_moment {
    uint64_t step;
    size_t arm, chain;
    unsigned kind;
} cs_moment;

/* What was seen, for the timeline: of the most frequent kinds only each so many
 * are kept. */
typedef struct cs_history {
    cs_moment at[CS_MOMENTS];
    size_t n;
    size_t kept[CS_HELD + 1]; /* rows of each kind */
    uint64_t every[CS_HELD + 1], met[CS_HELD + 1];
    uint64_t seen; /* those up to this step are in it */
} cs_history;

typedef struct cs_breaks {
    cs_break row[CS_BREAKS];
    size_t n;
    unsigned numbers; /* given so far */
    cs_break next;    /* what `event next` looks for; no kinds: nothing */
    cs_break first;   /* the first NaN; no kinds: there has been one */
    bool by_hand;     /* what goes on was set going by `toggle`, the key */
    cs_history history;
    char file[512]; /* what was open when they were set */
} cs_breaks;

/* What it holds the run at, in words: "jump in any chain of dmala". */
void cs_break_words(const cs_session *s, const cs_break *b, char *text,
                    size_t size);

/* How many of n steps may be made at one go: a way through the past and one
 * beyond it are two. */
uint64_t cs_breaks_limit(const cs_session *s, uint64_t n);

/* After a quantum that began at step `from`, when the farthest step was `end`.
 * Where a breakpoint holds the run it is put at that very step and paused:
 * true. While draws are written it cannot go back: it stands where it is. */
bool cs_breaks_look(cs_session *s, uint64_t from, uint64_t end);

/* After an arm has made the steps that the others had: holds the run, where it
 * stands, if a breakpoint would have held it on the way. */
bool cs_breaks_caught_up(cs_session *s, size_t arm);

/* After new reports: whether a rule on their figures holds the run. */
bool cs_breaks_report(cs_session *s);

/* A rule of the script's own has ended the run here, before its budget. */
void cs_breaks_rule(cs_session *s, const char *why);

/* Whether some rule reads the report of a probe. */
bool cs_breaks_read(const cs_session *s, const char *probe);

/* The chain of an event is looked at from now on. */
void cs_breaks_show(cs_session *s, const cs_event *e);

/* Another run is open: breakpoints stay where it is of the same file, and has
 * their arms. */
void cs_breaks_opened(cs_session *s);

/* ---- history.c ---- */

/* Takes what has happened since the last time. */
void cs_history_follow(cs_session *s);
void cs_history_add(cs_history *m, const cs_moment *e);
/* Forgets what was seen after `step`. */
void cs_history_cut(cs_history *m, uint64_t step);
