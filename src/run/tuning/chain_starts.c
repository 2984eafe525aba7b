#include "run/tuning/chain_starts.h"

#include "chain/tally.h"
#include "run/arms/run_state.h"

static bool was_brought(const cs_arm *a, size_t chain)
{
    const cs_block *b = cs_arm_block(a, chain);
    return b->tally[CS_TALLY_BROUGHT * b->lanes + cs_arm_lane(a, chain)] != 0;
}

void cs_starts_words(const cs_run *r, size_t arm, cs_page *p)
{
    enum { MOST = 10 }; /* maximum number of chains named in the text */
    const cs_arm *a = &r->arm[arm];
    size_t n = 0;
    for (size_t c = 0; c < a->chains; c++)
        n += was_brought(a, c);
    if (!n)
        return;
    cs_page_put(p,
                "  during the warm-up %zu of %zu chains, with log p far below "
                "the others, were moved to higher log p: chain",
                n, a->chains);
    for (size_t c = 0, k = 0; c < a->chains && k < MOST; c++)
        if (was_brought(a, c))
            cs_page_put(p, "%s %zu", k++ ? "," : n > 1 ? "s" : "", c + 1);
    cs_page_put(p, "%s\n", n > MOST ? ", ..." : "");
}
