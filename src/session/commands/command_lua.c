/* Implements the commands that run Lua. */
#include "session/commands/command.h"
#include "session/commands/lesson_steps.h"

#include <string.h>

static cs_status run(cs_session *s, const char *code, bool stream,
                     cs_error *err)
{
    cs_printer p;
    cs_printer_begin(&p, s, stream);
    cs_status status =
        s->host->eval(s->host->self, code, cs_printer_print, &p, err);
    cs_printer_end(&p);
    s->show.dirty = true;
    /* the next advance then checks for events of the script, since the script
     * may have moved the run or requested another event */
    s->move.event_at = 0;
    return status;
}

cs_status cs_command_eval(cs_session *s, const char *code, cs_error *err)
{
    return run(s, code, false, err);
}

cs_status cs_command_lua(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    return run(s, word[1], false, err);
}

cs_status cs_command_chunk(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    return run(s, word[1], true, err);
}

/* Prints claims as lines for users, or as a table for a front that processes
 * them. */
cs_status cs_command_claims(cs_session *s, char **word, size_t n, cs_error *err)
{
    cs_flat table;
    cs_status status = cs_course_refuse(s, "claims", err);
    if (status)
        return status;
    if (n == 0)
        return run(s, "=run:claims() or 'the scenario has no claims'", false,
                   err);
    bool again = strcmp(word[1], "again") == 0;
    if (!again && strcmp(word[1], "table") != 0)
        return cs_fail(err, CS_INPUT,
                       "claims: expected `table` or `again`, not '%s'",
                       word[1]);
    cs_flat_begin(&table, s->front.out.body, CS_WIRE_BYTES);
    if (s->host->claims)
        status = s->host->claims(s->host->self, again, &table, err);
    if (status)
        return status;
    s->front.out.table = 1;
    s->front.out.size = (uint32_t)table.used;
    if (!table.full)
        return CS_OK;
    cs_fail(err, CS_MEMORY, "the claims do not fit into one reply of %d KiB",
            CS_WIRE_BYTES >> 10);
    cs_hint(err, "remove some claims or shorten their texts");
    return CS_MEMORY;
}

/* Prints results for a front that collects many runs. The results may be long,
 * so they are sent before the reply. */
cs_status cs_command_results(cs_session *s, char **word, size_t n,
                             cs_error *err)
{
    (void)n;
    cs_printer p;
    if (!s->host->results)
        return cs_fail(err, CS_UNSUPPORTED, "the session has no script");
    cs_printer_begin(&p, s, true);
    cs_status status =
        s->host->results(s->host->self, word[1], cs_printer_print, &p, err);
    cs_printer_end(&p);
    return status;
}

cs_status cs_command_exercise(cs_session *s, char **word, size_t n,
                              cs_error *err)
{
    cs_printer p;
    if (!s->host->exercise)
        return cs_fail(err, CS_UNSUPPORTED, "the session has no script");
    cs_printer_begin(&p, s, true);
    cs_status status =
        s->host->exercise(s->host->self, word, n, cs_printer_print, &p, err);
    cs_printer_end(&p);
    return status;
}

/* Passes a key press to a panel that the scenario defines. */
cs_status cs_command_key(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    if (!s->host->key)
        return cs_fail(err, CS_UNSUPPORTED, "the scenario defines no panels");
    cs_status status = s->host->key(s->host->self, word[1], word[2], err);
    cs_own_ask(&s->own);
    s->show.dirty = true;
    return status;
}
