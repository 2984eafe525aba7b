#include "run/recorded_open.h"

#include "base/memory.h"
#include "run/arms/limits.h"
#include "run/arms/run_state.h"
#include "run/draws/recall.h"
#include "run/draws/recorded.h"
#include "run/draws/usual.h"
#include "run/history/marks.h"
#include "run/run.h"

enum { PROBES = 64 };
/* Past states: bytes and number. Few are needed: the steps after a stored state
 * are read again, which is faster than moving chains. */
enum { REWIND_BYTES = 2 << 20, REWIND_STATES = 1 };

/* Chooses the probes that support the run. */
static size_t choose_probes(const cs_run_spec *spec, cs_probe_spec *to)
{
    size_t n = 0;
    const cs_probe_type *type;
    for (size_t i = 0; (type = cs_probe_at(i)) && n < PROBES; i++) {
        cs_probe probe;
        if (!cs_probe_is_usual(type, spec->arms, spec->n_arms) ||
            cs_probe_init(&probe, type, NULL, 0, spec->target, NULL))
            continue;
        cs_probe_fini(&probe);
        to[n++].type = type;
    }
    return n;
}

/* Limits the memory for past states. */
static void limit_rewind(cs_run *r)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->n_items; i++) {
        const cs_block *b = r->item[i].block;
        bytes += b->slab_words * b->lanes * sizeof(double);
    }
    bytes = REWIND_BYTES + REWIND_STATES * bytes;
    if (bytes < r->marks->limit)
        r->marks->limit = bytes;
}

static cs_status open_run(cs_run **out, cs_target *t,
                          const cs_recorded_arm *from, size_t n, uint64_t seed,
                          cs_error *err)
{
    cs_arm_spec *arms = cs_alloc(n, sizeof *arms);
    if (!arms)
        return cs_fail(err, CS_MEMORY, "out of memory for the arms");
    cs_probe_spec probes[PROBES] = {{.type = NULL}};
    for (size_t i = 0; i < n; i++)
        arms[i] = (cs_arm_spec){.name = from[i].name,
                                .kernel = cs_recorded_kernel(t, i),
                                .chains = from[i].chains};
    cs_run_spec spec = {.target = t,
                        .arms = arms,
                        .n_arms = n,
                        .seed = seed,
                        .probes = probes,
                        .workers = 1};
    spec.n_probes = choose_probes(&spec, probes);
    cs_status status = cs_run_create(out, &spec, err);
    cs_free(arms);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        cs_run_limit(*out, i, 0, false);
    limit_rewind(*out);
    cs_run_judge_all(*out, 1);
    return CS_OK;
}

cs_status cs_recorded_open(cs_run **out, const cs_recorded_arm *from, size_t n,
                           const char *model, uint64_t seed, cs_error *err)
{
    cs_target *t;
    *out = NULL;
    cs_status status = cs_recorded_target(&t, from, n, model, err);
    if (status)
        return status;
    status = open_run(out, t, from, n, seed, err);
    cs_target_release(t);
    return status;
}
