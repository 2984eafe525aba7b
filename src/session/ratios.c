/* The true acceptance ratios of the chain that is looked at, beside what its
 * kernel estimates: evaluated while a user asks for them, and only then. */
#include "run/arms/arms.h"
#include "run/views/ratio_watch.h"
#include "session/commands/command.h"
#include "session/rows.h"

#include <assert.h>
#include <string.h>

/* Compares the chain that is looked at now. */
static cs_status follow(cs_session *s, cs_error *err)
{
    cs_run *r = s->open.run;
    bool other = s->compared.arm != s->look.arm;
    if (other && s->compared.arm < cs_run_arms(r))
        cs_run_compare(r, s->compared.arm, 0, false, NULL);
    s->compared = s->look;
    return cs_run_compare(r, s->look.arm, s->look.chain, s->compares, err);
}

cs_status cs_command_ratios(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    bool was = s->compares;
    if (n && strcmp(word[1], "on") && strcmp(word[1], "off"))
        return cs_fail(err, CS_INPUT, "ratios are on or off, not '%s'",
                       word[1]);
    s->compares = n ? !strcmp(word[1], "on") : !was;
    cs_status status = follow(s, err);
    if (status) {
        s->compares = was;
        return status;
    }
    s->show.dirty = true;
    cs_command_answer(
        s, "%s",
        s->compares ? "true ratios from the next step on; their evaluations "
                      "are not the arm's work"
                    : "true ratios are no longer evaluated");
    return CS_OK;
}

/* Where the user has turned to a kernel that estimates nothing, none are
 * there. */
void cs_session_put_ratios(cs_session *s, cs_flat *f)
{
    cs_ratio row[CS_RATIOS];
    if (!s->compares)
        return;
    bool moved =
        s->compared.arm != s->look.arm || s->compared.chain != s->look.chain;
    if (moved)
        follow(s, NULL);
    cs_flat_number(f, 1, "look/compares");
    size_t n = cs_run_ratios(s->open.run, s->look.arm, s->look.chain, row);
    cs_ratio *to = n ? CS_FLAT_ROWS(f, cs_ratio, n, CS_KEY_RATIOS) : NULL;
    if (to)
        memcpy(to, row, n * sizeof *to);
}
