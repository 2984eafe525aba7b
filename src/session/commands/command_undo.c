/* Undo of changes made by commands: for each change, the command that reverses
 * it. Undoing is itself a change, made at the current step; `redo` reverses it
 * in turn. */
#include "base/memory.h"
#include "session/commands/command.h"

/* Obeys the newest command of the list and removes it, even if it fails: an
 * older one may succeed. */
static cs_status set_back(cs_session *s, cs_set_back *list, const char *how,
                          cs_error *err)
{
    cs_set_back_step step = list->step[--list->n];
    uint64_t said = s->reported.n;
    if (!step.line) {
        cs_fail(err, CS_UNSUPPORTED, "no command says this: %s", step.said);
        cs_hint(err, "r starts again with the scenario's own");
        return CS_UNSUPPORTED;
    }
    s->back.under_way = list;
    cs_status status = cs_session_do(s, step.line, err);
    s->back.under_way = NULL;
    cs_free(step.line);
    if (status)
        return status;
    s->reported.n = said; /* its message is printed here */
    cs_session_say(s, "%s: %s", how, step.said);
    cs_message_text(&s->front.out, s->reported.newest);
    return CS_OK;
}

cs_status cs_command_undo(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n;
    if (s->back.undo.n)
        return set_back(s, &s->back.undo, "undone", err);
    cs_fail(err, CS_UNSUPPORTED, "nothing that was set is left to undo");
    cs_hint(err, "rewind takes back steps; files that were written stay");
    return CS_UNSUPPORTED;
}

cs_status cs_command_redo(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n;
    return s->back.redo.n ? set_back(s, &s->back.redo, "done again", err)
                          : cs_fail(err, CS_UNSUPPORTED, "nothing was undone");
}
