/* The events of a run: events of its chains that probes still store
 * (probe/events.h), and the changes in its journal, ordered by step. */
#pragma once

#include "run/arms/spec.h"

/* Passed instead of the number of an arm or chain, it means all arms or all
 * chains. */
#define CS_EVERY SIZE_MAX

/* cs_event_title returns the title of a kind of events in lists ("first visit",
 * "jump", ...). cs_event_word returns the name of a kind in commands ("visit").
 * After the last kind, cs_event_word returns NULL. */
const char *cs_event_title(cs_event_kind kind);
const char *cs_event_word(size_t kind);

/* Passes the events of a chain after step `since` to `sink`, in any order. If
 * `chain` is CS_EVERY, also passes the changes in the journal, including
 * changes after the present step. Returns one bit per kind; the bit is set if
 * earlier events of this kind may be lost (cs_probe_type.events). Changes
 * nothing. */
unsigned cs_run_events(const cs_run *r, size_t arm, size_t chain,
                       uint64_t since, cs_event_sink *sink, void *self);

/* Counts the events of each kind that probes have recorded in all chains. */
void cs_run_count_events(const cs_run *r, double count[CS_EVENT_KINDS]);

/* Writes an event without its step: "chain 2 of arm dmala: first visit to mode
 * 3". */
void cs_event_words(const cs_run *r, const cs_event *e, char *text,
                    size_t size);
