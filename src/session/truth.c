/* Log p of the state of the chain that is looked at, by the target: evaluated
 * when a user asks, shown as long as the chain stands there. */
#include "base/hash.h"
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "session/commands/command.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the chain stands, and what its target has learned so far. */
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

static cs_logp_kind kind_of(const cs_session *s)
{
    const cs_arm_view arm = cs_run_arm(s->open.run, s->look.arm);
    return cs_kernel_logp(arm.kernel, cs_run_target(s->open.run));
}

cs_status cs_command_logp(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    (void)word, (void)n;
    cs_run *r = s->open.run;
    size_t arm = s->look.arm, chain = s->look.chain;
    cs_chain_view v = cs_run_chain(r, arm, chain);
    uint64_t place = place_of(s, v.x);
    double logp = s->truth.logp;
    bool known = s->truth.known && s->truth.place == place;
    cs_status status =
        known ? CS_OK : cs_run_true_logp(r, arm, chain, &logp, err);
    if (status)
        return status;
    if (isnan(logp))
        return cs_fail(err, CS_NUMERIC,
                       "the target has no log p where chain %zu of %s stands",
                       chain + 1, cs_run_arm_name(r, arm));
    s->truth = (cs_truth){true, place, logp};
    s->show.dirty = true;
    char own[64] = ", as the kernel has it";
    if (kind_of(s) == CS_LOGP_ESTIMATE)
        snprintf(own, sizeof own, " by the target; the kernel's estimate %.9g",
                 v.last.logp);
    else if (kind_of(s) == CS_LOGP_NONE)
        snprintf(own, sizeof own, " by the target; the kernel has none");
    cs_command_answer(s, "log p of chain %zu of %s is %.9g%s", chain + 1,
                      cs_run_arm_name(r, arm), logp, own);
    return CS_OK;
}

void cs_session_put_truth(const cs_session *s, const cs_chain_view *v,
                          cs_flat *f)
{
    cs_flat_text(f, cs_logp_name(kind_of(s)), "look/logp");
    if (s->truth.known && v->x && s->truth.place == place_of(s, v->x))
        cs_flat_number(f, s->truth.logp, "look/true_logp");
}
