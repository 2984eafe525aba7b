/* The session of a run that is distributed over several ranks
 * (run/arms/world.h). The first rank reports to the user, and the other ranks
 * obey its orders. */
#include "session/state/follow_ranks.h"

#include "base/memory.h"
#include "run/arms/world.h"
#include "run/collect.h"
#include "run/ranks/orders.h"
#include "run/ranks/rank_words.h"
#include "session/state/session_state.h"
#include "session/state/signals.h"

#include <unistd.h>

cs_status cs_session_agree(const cs_session *s, cs_status mine, cs_error *err)
{
    return s->host->ranks ? cs_ranks_agree(s->host->ranks, mine, err) : mine;
}

void cs_session_say_ranks(cs_session *s)
{
    cs_page p = {0};
    if (!cs_run_ranks(s->open.run) || cs_run_follows(s->open.run))
        return;
    cs_ranks_words(s->open.run, &p);
    if (p.text)
        cs_session_say(s, "%s", p.text);
    cs_free(p.text);
}

cs_status cs_session_gather(cs_session *s, cs_error *err)
{
    cs_page p = {0};
    if (!s->open.run || !s->move.running || cs_run_is_gathered(s->open.run))
        return CS_OK;
    cs_status status = cs_run_gather(s->open.run, err);
    if (status)
        return status;
    cs_ranks_words_sent(s->open.run, &p);
    if (p.text)
        cs_session_say(s, "%s", p.text);
    cs_free(p.text);
    return CS_OK;
}

/* Advances the run. An error of a script or of a file may occur on this rank
 * only. */
static cs_status advance(cs_session *s, uint64_t goal, cs_error *err)
{
    char text[sizeof err->what];
    cs_session_follow_to(s, goal);
    if (s->host->fault && s->host->fault(s->host->self, text, sizeof text))
        return cs_fail(err, CS_SCRIPT, "%s", text);
    return s->record ? cs_record_failure(s->record, err) : CS_OK;
}

void cs_session_follow(cs_session *s)
{
    cs_error err;
    while (!s->move.over) {
        cs_order o = cs_ranks_await(s->host->ranks);
        if (o.kind == CS_ORDER_ADVANCE)
            cs_session_agree(s, advance(s, o.goal, &err), &err);
        else if (o.kind == CS_ORDER_KEEP)
            cs_record_gather(s->record, s->open.run);
        else if (o.kind == CS_ORDER_GATHER)
            cs_run_gather_all(s->open.run, false, NULL);
        else
            s->move.over = true;
    }
}

/* Ends the other ranks. If this rank could not open the run, it does not wait
 * for the other ranks, since they end when this rank ends. */
void cs_session_end_ranks(cs_session *s)
{
    const cs_world *k = s->host->ranks;
    if (k)
        cs_signals_end();
    if (k && k->rank == 0)
        cs_ranks_end(k);
    else if (k && !s->move.over && cs_ranks_await(k).kind != CS_ORDER_END)
        _exit(1);
}
