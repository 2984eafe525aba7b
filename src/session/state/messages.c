#include "run/arms/arms.h"
#include "session/state/session_state.h"

#include <stdarg.h>
#include <stdio.h>

void cs_session_say(cs_session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->reported.newest, sizeof s->reported.newest, format, args);
    va_end(args);
    snprintf(s->reported.said[s->reported.n % CS_SAID],
             sizeof *s->reported.said, "%.255s", s->reported.newest);
    s->reported.said_at[s->reported.n % CS_SAID] =
        s->open.run ? (double)cs_run_steps(s->open.run) : 0;
    s->reported.n++;
    s->show.dirty = true;
}
