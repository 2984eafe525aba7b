/* Commands that run Lua. */
#include "session/command.h"

#include <string.h>

/* Output that goes ahead of the reply is sent when so much has gathered, or
 * at the end of a line when so long has passed. */
enum { PIECE = 8 << 10 };
#define PATIENCE 0.05 /* seconds */

/* What is being printed gathers in the body of the reply. */
typedef struct printer {
    cs_session *s;
    bool stream;
    double sent;
} printer;

static void send_part(printer *p)
{
    cs_message *m = &p->s->out;
    if (m->size == 0)
        return;
    m->part = 1;
    /* A front that is gone is found by the loop. */
    (void)cs_wire_send(p->s->fd, m, true);
    cs_session_poke(p->s);
    m->part = m->size = 0;
    p->sent = cs_session_clock();
}

static void print(void *to, const char *text, size_t n)
{
    printer *p = to;
    cs_message *m = &p->s->out;
    while (n) {
        size_t room = CS_WIRE_BYTES - m->size, k = n < room ? n : room;
        memcpy(m->body + m->size, text, k);
        m->size += (uint32_t)k;
        text += k;
        n -= k;
        if (p->stream && m->size >= PIECE)
            send_part(p);
        else if (k == 0)
            return; /* one message holds no more */
    }
    if (p->stream && m->size && m->body[m->size - 1] == '\n' &&
        cs_session_clock() - p->sent > PATIENCE)
        send_part(p);
}

static cs_status run(cs_session *s, const char *code, bool stream,
                     cs_error *err)
{
    printer p = {.s = s, .stream = stream, .sent = cs_session_clock()};
    cs_message *m = &s->out;
    m->size = 0;
    cs_status status = s->host->eval(s->host->self, code, print, &p, err);
    if (stream)
        send_part(&p);
    else if (m->size && m->body[m->size - 1] == '\n')
        m->size--;
    m->body[m->size] = 0;
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
