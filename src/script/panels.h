/* Calls the functions of a scenario's panels and of its predictive checks for
 * the session. */
#pragma once

#include "script/state/state.h"
#include "session/host/script_host.h"

typedef struct cs_script_panel {
    char name[32];
    char prefix[16]; /* start of the keys of its contents */
    bool checks;     /* true: the panel of the predictive checks, which the
                      * program draws; false: defined by the scenario */
    bool stopped;  /* true if the panel exceeded its time limit and is no longer
                    * called */
    char why[512]; /* reason why the panel displays nothing; "" if it displays
                    * something */
    unsigned char *bytes; /* the last contents, entries of a cs_flat [own] */
    size_t used;
    double seconds; /* duration of the last call */
} cs_script_panel;

typedef struct cs_script_panels {
    cs_script_panel row[CS_OPENED_OWN + 1];
    size_t n;
    size_t next; /* index of the panel that is called next */
    size_t left; /* displayed panels that the round has not called; 0: the next
                  * call begins a round */
} cs_script_panels;

/* Finds the panels of the attached run, which is on top of the stack. Pops the
 * run. */
void cs_script_panels_open(cs_script_panels *p, cs_script *s);
/* Frees the contents of the panels. */
void cs_script_panels_close(cs_script_panels *p);

/* Implement cs_host.panels and cs_host.sample for the run on top of the stack.
 * Pop the run. */
bool cs_script_panels_put(cs_script_panels *p, cs_script *s,
                          cs_host_wanted *wanted, const void *of, cs_flat *out);
uint64_t cs_script_panels_sample(cs_script_panels *p, cs_script *s,
                                 size_t capacity);

/* Implements cs_host.key for the run on top of the stack. Pops the run. */
cs_status cs_script_panels_key(cs_script_panels *p, cs_script *s,
                               const char *panel, const char *key,
                               cs_error *err);
