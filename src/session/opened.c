/* What a run is opened from: the files as they are now, or what a recording
 * carries of them (data/inputs.h). */
#include "base/hash.h"
#include "run/run.h"
#include "run/views/fingerprint.h"
#include "session/state.h"

#include <string.h>

cs_inputs *cs_session_recorded(const cs_session *s)
{
    return cs_inputs_are_recorded(s->open.inputs) ? s->open.inputs : NULL;
}

bool cs_session_differs(const cs_session *s)
{
    return cs_inputs_are_strict(s->open.inputs);
}

/* Not of the probes and of the draws that are kept: these are the front's wish. */
uint64_t cs_session_made(const cs_session *s)
{
    static const char *const parts[] = {"arm", "target: ", "start", "script: "};
    uint64_t h = CS_DIGEST;
    const char *at = cs_run_made_of(s->open.run);
    for (size_t n; *at; at += n) {
        n = strcspn(at, "\n");
        n += at[n] == '\n';
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (strncmp(at, parts[i], strlen(parts[i])) == 0)
                h = cs_digest(h, at, n);
    }
    return h;
}

static void tell_host(const cs_session *s, cs_inputs *in)
{
    if (s->host->inputs)
        s->host->inputs(s->host->self, in);
}

void cs_session_leave(cs_session *s, cs_opened *next)
{
    if (s->host->attach)
        s->host->attach(s->host->self, s->open.run);
    tell_host(s, s->open.inputs);
    cs_run_destroy(next->run);
    cs_inputs_drop(next->inputs);
    *next = (cs_opened){.run = NULL};
}

cs_status cs_session_make(cs_session *s, const char *path,
                          const char *const *set, size_t n, cs_inputs *from,
                          cs_opened *next, cs_error *err)
{
    cs_error why;
    cs_inputs *in = from ? cs_inputs_hold(from) : cs_inputs_create();
    if (!in)
        return cs_fail(err, CS_MEMORY, "no memory to open %s", path);
    cs_inputs_forgive(in);
    tell_host(s, in);
    cs_status status = s->host->open(s->host->self, path, set, n, next, err);
    bool refused = cs_inputs_failure(in, &why) != CS_OK;
    if (refused && err)
        *err = why;
    if (status || refused) {
        tell_host(s, s->open.inputs);
        cs_inputs_drop(in);
    }
    if (status)
        return refused ? why.status : status;
    next->inputs = refused ? NULL : in;
    if (refused)
        cs_session_leave(s, next);
    return refused ? why.status : CS_OK;
}
