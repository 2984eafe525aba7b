/* Events of a run's chains (probe/events.h), as far as probes still hold them,
 * and changes of its journal; by steps of the run. */
#pragma once

#include "run/run.h"

#define CS_EVERY SIZE_MAX /* arm or chain, from 0: all of them */

/* "first visit", "jump" ...: what a list calls it; and in one word, as commands
 * have it ("visit"), NULL past the last. */
const char *cs_event_title(cs_event_kind kind);
const char *cs_event_word(size_t kind);

/* The events of some chains after step `since`, in no order, to `sink`; of all
 * chains the changes of the journal too, those ahead among them. Returns bits of
 * the kinds of which some may be held no longer (cs_probe_type.events). Changes
 * nothing. */
unsigned cs_run_events(const cs_run *r, size_t arm, size_t chain,
                       uint64_t since, cs_event_sink *sink, void *self);

/* How many events of each kind probes have noticed so far in all chains. */
void cs_run_count_events(const cs_run *r, double count[CS_EVENT_KINDS]);

/* "chain 2 of arm dmala: first visit to mode 3", without its step. */
void cs_event_words(const cs_run *r, const cs_event *e, char *text,
                    size_t size);

/* After an exchange: the chains of an arm tell their probes whose state they
 * have, from[chains]. (For the run.) */
void cs_arm_note_exchange(cs_run *r, size_t arm, const size_t *from);
