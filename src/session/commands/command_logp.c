/* Implements `logp`: evaluates log p with the target, for comparison with the
 * value that the kernel stores. */
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "session/commands/command.h"

#include <assert.h>
#include <stdio.h>

cs_status cs_command_logp(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    (void)word, (void)n;
    size_t arm = s->look.arm, chain = s->look.chain;
    cs_status status = cs_session_find_truth(s, err);
    if (status)
        return status;
    char own[64] = ", as in the kernel";
    cs_logp_kind kind = cs_session_logp_kind(s);
    if (kind == CS_LOGP_ESTIMATE)
        snprintf(own, sizeof own,
                 " by the target; the kernel's estimate is %.9g",
                 cs_run_chain(s->open.run, arm, chain).last.logp);
    else if (kind == CS_LOGP_NONE)
        snprintf(own, sizeof own, " by the target; the kernel stores no value");
    cs_command_answer(s, "log p of chain %zu of %s is %.9g%s", chain + 1,
                      cs_run_arm_name(s->open.run, arm), s->truth.logp, own);
    return CS_OK;
}
