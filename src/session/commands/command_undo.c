/* What was set by commands, set back: for each change the command that sets
 * back what it changed. That command is a change like any other, made now; what
 * would set it back in turn is done again by `redo`. */
#include "base/memory.h"
#include "session/commands/command.h"

#include <stdio.h>
#include <string.h>

static void drop_oldest(cs_set_back *list)
{
    cs_free(list->step[0].line);
    memmove(list->step, list->step + 1, --list->n * sizeof *list->step);
}

static void clear(cs_set_back *list)
{
    while (list->n)
        cs_free(list->step[--list->n].line);
}

void cs_session_forget_undo(cs_session *s)
{
    clear(&s->back.undo);
    clear(&s->back.redo);
}

void cs_session_can_undo(cs_session *s, const char *line, const char *said)
{
    cs_set_back *to =
        s->back.under_way == &s->back.undo ? &s->back.redo : &s->back.undo;
    cs_set_back_step step = {.line = line ? cs_copy_text(line) : NULL};
    snprintf(step.said, sizeof step.said, "%s", said);
    if (!s->back.under_way) {
        clear(&s->back.redo);
        s->back.changes++;
    }
    if (to->n == CS_UNDOS)
        drop_oldest(to);
    to->step[to->n++] = step;
}

/* The newest command of the list, which is taken off whether it can be obeyed or
 * not: another may. */
static cs_status set_back(cs_session *s, cs_set_back *list, const char *how,
                          cs_error *err)
{
    cs_set_back_step step = list->step[--list->n];
    uint64_t said = s->told.n;
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
    s->told.n = said; /* what it said is said here */
    cs_session_say(s, "%s: %s", how, step.said);
    cs_message_text(&s->out, s->told.newest);
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
