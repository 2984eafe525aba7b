/* Implements `undo` and `redo`. Each change has a command that reverses it.
 * An undo is itself a change, made at the current step, and `redo` reverses
 * it. */
#include "base/memory.h"
#include "session/commands/command.h"

/* Obeys the newest command of the list and removes it from the list. Removes it
 * even if it fails, so that the next undo tries an older command. */
static cs_status set_back(cs_session *s, cs_set_back *list, const char *how,
                          cs_error *err)
{
    cs_set_back_step step = list->step[--list->n];
    uint64_t said = s->reported.n;
    if (!step.line) {
        cs_fail(err, CS_UNSUPPORTED, "no command can undo this: %s", step.said);
        cs_hint(err, "press r to restart with the values of the scenario");
        return CS_UNSUPPORTED;
    }
    s->back.under_way = list;
    cs_status status = cs_session_do(s, step.line, err);
    s->back.under_way = NULL;
    cs_free(step.line);
    if (status)
        return status;
    /* removes the message of the obeyed command, since this function prints
     * another message */
    s->reported.n = said;
    cs_session_say(s, "%s: %s", how, step.said);
    cs_message_text(&s->front.out, s->reported.newest);
    return CS_OK;
}

cs_status cs_command_undo(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n;
    if (s->back.undo.n)
        return set_back(s, &s->back.undo, "undone", err);
    cs_fail(err, CS_UNSUPPORTED, "nothing to undo");
    cs_hint(err,
            "use `rewind` to go back by steps; files already written are kept");
    return CS_UNSUPPORTED;
}

cs_status cs_command_redo(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n;
    return s->back.redo.n ? set_back(s, &s->back.redo, "redone", err)
                          : cs_fail(err, CS_UNSUPPORTED, "nothing to redo");
}
