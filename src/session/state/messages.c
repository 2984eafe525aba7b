#include "run/arms/arms.h"
#include "session/state/session_state.h"

#include <stdarg.h>
#include <stdio.h>

void cs_session_say(cs_session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->told.newest, sizeof s->told.newest, format, args);
    va_end(args);
    snprintf(s->told.said[s->told.n % CS_SAID], sizeof *s->told.said, "%.255s",
             s->told.newest);
    s->told.said_at[s->told.n % CS_SAID] =
        s->open.run ? (double)cs_run_steps(s->open.run) : 0;
    s->told.n++;
    s->show.dirty = true;
}
