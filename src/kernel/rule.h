/* Acceptance rules other than Metropolis: a proposal is accepted with
 * probability a(r), where a(r) = r a(1 / r), for example a(r) = r / (1 + r)
 * (Barker 1965). See Proposition 2 of Yuan and Wang 2026. */
#pragma once

#include "kernel/accept.h"

/* Flag of a kernel's type: info.log_uniform is not the log of a uniform, but is
 * drawn such that log_uniform < log_ratio with probability a(r). */
enum { CS_KERNEL_OWN_RULE = 4096 };

/* Runs the accept step after info.log_uniform is set, for a kernel that
 * estimates its ratio and does not use packed states. */
static inline void cs_accept_below(cs_move *m)
{
    cs_info *i = &m->info;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd proposed = cs_load(i->logp_proposal + l);
        cs_vd change = proposed - cs_load(i->logp + l);
        cs_vd ratio = change + cs_load(i->log_q_back + l) -
                      cs_load(i->log_q_forward + l) + cs_load(i->log_aux + l);
        cs_vi failed = cs_load_bool(m->failed + l) | (proposed == CS_VM_INF);
        cs_store(i->logp_change + l, change);
        cs_store(i->log_ratio + l, ratio);
        cs_store_bool(m->failed + l, failed);
        cs_commit(m, NULL, l, (cs_load(i->log_uniform + l) < ratio) & ~failed);
    }
    if (cs_eval_follows(m->eval))
        cs_eval_accept(m->eval, i->accepted);
}
