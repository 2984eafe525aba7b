/* Events of a run's chains (probe/events.h) that probes still store, and
 * changes of its journal, by steps of the run. */
#pragma once

#include "run/arms/spec.h"

#define CS_EVERY SIZE_MAX /* in place of an arm or chain: all */

/* Returns the title of a kind in a list, "first visit", "jump" ...; the second
 * function its name in commands, "visit". NULL past the last. */
const char *cs_event_title(cs_event_kind kind);
const char *cs_event_word(size_t kind);

/* Passes the events of some chains after step `since`, in no order, to `sink`;
 * for all chains also the changes of the journal, those ahead included. Returns
 * bits of the kinds of which some events may no longer be stored
 * (cs_probe_type.events). Changes nothing. */
unsigned cs_run_events(const cs_run *r, size_t arm, size_t chain,
                       uint64_t since, cs_event_sink *sink, void *self);

/* Counts the events of each kind that probes have recorded so far in all
 * chains. */
void cs_run_count_events(const cs_run *r, double count[CS_EVENT_KINDS]);

/* Describes an event without its step: "chain 2 of arm dmala: first visit to
 * mode 3". */
void cs_event_words(const cs_run *r, const cs_event *e, char *text,
                    size_t size);
