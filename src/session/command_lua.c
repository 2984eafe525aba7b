/* Commands that run Lua. */
#include "session/command.h"

static cs_status run(cs_session *s, const char *code, bool stream,
                     cs_error *err)
{
    cs_printer p;
    cs_printer_begin(&p, s, stream);
    cs_status status =
        s->host->eval(s->host->self, code, cs_printer_print, &p, err);
    cs_printer_end(&p);
    s->dirty = true;
    return status;
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
