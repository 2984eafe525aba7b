#include "session/state/true_ratios.h"

#include "run/arms/arms.h"
#include "run/views/ratio_watch.h"
#include "session/client/snapshot_rows.h"
#include "session/state/session_state.h"

#include <string.h>

/* Starts the comparison for the selected chain. */
static cs_status follow(cs_session *s, cs_error *err)
{
    cs_run *r = s->open.run;
    bool other = s->compared.of.arm != s->look.arm;
    if (other && s->compared.of.arm < cs_run_arms(r))
        cs_run_compare(r, s->compared.of.arm, 0, false, NULL);
    s->compared.of = s->look;
    return cs_run_compare(r, s->look.arm, s->look.chain, s->compared.on, err);
}

cs_status cs_session_compare(cs_session *s, bool on, cs_error *err)
{
    bool was = s->compared.on;
    s->compared.on = on;
    cs_status status = follow(s, err);
    if (status)
        s->compared.on = was;
    else
        s->show.dirty = true;
    return status;
}

/* Publishes the ratios. If the kernel of the selected chain does not estimate
 * ratios, publishes none. */
void cs_session_put_ratios(cs_session *s, cs_flat *f)
{
    cs_ratio row[CS_RATIOS];
    if (!s->compared.on)
        return;
    bool moved = s->compared.of.arm != s->look.arm ||
                 s->compared.of.chain != s->look.chain;
    if (moved)
        follow(s, NULL);
    cs_flat_number(f, 1, "look/compares");
    size_t n = cs_run_ratios(s->open.run, s->look.arm, s->look.chain, row);
    cs_ratio *to = n ? CS_FLAT_ROWS(f, cs_ratio, n, CS_KEY_RATIOS) : NULL;
    if (to)
        memcpy(to, row, n * sizeof *to);
}
