/* Implements `ratios`: starts and stops the evaluation of true acceptance
 * ratios (state/true_ratios.h). */
#include "session/commands/command.h"

#include <assert.h>
#include <string.h>

cs_status cs_command_ratios(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    if (n && strcmp(word[1], "on") && strcmp(word[1], "off"))
        return cs_fail(err, CS_INPUT,
                       "ratios: expected `on` or `off`, not '%s'", word[1]);
    bool on = n ? !strcmp(word[1], "on") : !s->compared.on;
    cs_status status = cs_session_compare(s, on, err);
    if (status)
        return status;
    cs_command_answer(s, "%s",
                      on ? "true ratios are shown from the next step on; their "
                           "evaluations are not counted as the arm's work"
                         : "true ratios are no longer evaluated");
    return CS_OK;
}
