/* A scenario's own panels: calls their functions for the session. */
#pragma once

#include "script/state/state.h"
#include "session/host.h"

typedef struct cs_script_panel {
    char name[32];
    bool stopped;  /* it ran for too long: it is not called any more */
    char why[512]; /* why it shows nothing, "" = it does */
} cs_script_panel;

typedef struct cs_script_panels {
    cs_script_panel row[CS_OPENED_OWN];
    size_t n;
} cs_script_panels;

/* The run at the top of the stack, which is popped, has been attached: finds its
 * panels. */
void cs_script_panels_open(cs_script_panels *p, cs_script *s);

/* As cs_host.panels and cs_host.sample, of the run at the top of the stack,
 * which is popped. */
void cs_script_panels_put(cs_script_panels *p, cs_script *s,
                          cs_host_wanted *wanted, const void *of, cs_flat *out);
uint64_t cs_script_panels_sample(cs_script_panels *p, cs_script *s,
                                 size_t room);

/* As cs_host.key, of the run at the top of the stack, which is popped. */
cs_status cs_script_panels_key(cs_script_panels *p, cs_script *s,
                               const char *panel, const char *key,
                               cs_error *err);
