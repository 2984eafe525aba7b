#include "session/state/true_logp.h"
#include "base/hash.h"
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "session/state/session_state.h"

#include <math.h>
#include <string.h>

/* Returns a number that identifies the chain's state and what the target has
 * learned so far. */
static uint64_t place_of(const cs_session *s, const double *x)
{
    const cs_target *t = cs_run_target(s->open.run);
    uint64_t h = cs_hash_word(0, t->generation);
    for (size_t d = 0; d < t->space.dim; d++) {
        uint64_t word;
        memcpy(&word, &x[d], sizeof word);
        h = cs_hash_word(h, word);
    }
    return h;
}

cs_logp_kind cs_session_logp_kind(const cs_session *s)
{
    const cs_arm_view arm = cs_run_arm(s->open.run, s->look.arm);
    return cs_kernel_logp(arm.kernel, cs_run_target(s->open.run));
}

cs_status cs_session_find_truth(cs_session *s, cs_error *err)
{
    cs_run *r = s->open.run;
    size_t arm = s->look.arm, chain = s->look.chain;
    uint64_t place = place_of(s, cs_run_chain(r, arm, chain).x);
    double logp = s->truth.logp;
    bool known = s->truth.known && s->truth.place == place;
    cs_status status =
        known ? CS_OK : cs_run_true_logp(r, arm, chain, &logp, err);
    if (status)
        return status;
    if (isnan(logp))
        return cs_fail(
            err, CS_NUMERIC,
            "the target has no log p at the state of chain %zu of %s",
            chain + 1, cs_run_arm_name(r, arm));
    s->truth = (cs_truth){true, place, logp};
    s->show.dirty = true;
    return CS_OK;
}

void cs_session_put_truth(const cs_session *s, const cs_chain_view *v,
                          cs_flat *f)
{
    cs_flat_text(f, cs_logp_name(cs_session_logp_kind(s)), "look/logp");
    if (s->truth.known && v->x && s->truth.place == place_of(s, v->x))
        cs_flat_number(f, s->truth.logp, "look/true_logp");
}
