/* Sends the output of a command while the command runs. */
#include "base/clock.h"
#include "session/commands/command.h"

#include <string.h>

/* A command's output is sent in pieces before the reply. A piece is sent when
 * PIECE bytes have been collected, or at the end of a line if PATIENCE seconds
 * have passed. */
enum { PIECE = 8 << 10 };
#define PATIENCE 0.05 /* seconds after which collected lines are sent */

static void send_part(cs_printer *p)
{
    cs_message *m = &p->s->front.out;
    if (m->size == 0)
        return;
    m->part = 1;
    /* A failed send is ignored, since the main loop detects that the front has
     * exited. */
    (void)cs_wire_send(p->s->front.fd, m, true);
    cs_front_poke(&p->s->front);
    m->part = m->size = 0;
    p->sent = cs_clock();
}

void cs_printer_print(void *to, const char *text, size_t n)
{
    cs_printer *p = to;
    cs_message *m = &p->s->front.out;
    while (n) {
        size_t capacity = CS_WIRE_BYTES - m->size,
               k = n < capacity ? n : capacity;
        memcpy(m->body + m->size, text, k);
        m->size += (uint32_t)k;
        text += k;
        n -= k;
        if (m->size >= (p->stream ? PIECE : CS_WIRE_BYTES))
            send_part(p); /* the message is full */
    }
    if (p->stream && m->size && m->body[m->size - 1] == '\n' &&
        cs_clock() - p->sent > PATIENCE)
        send_part(p);
}

void cs_printer_begin(cs_printer *p, cs_session *s, bool stream)
{
    *p = (cs_printer){.s = s, .stream = stream, .sent = cs_clock()};
    s->front.out.size = 0;
}

void cs_printer_end(cs_printer *p)
{
    cs_message *m = &p->s->front.out;
    if (p->stream)
        send_part(p);
    else if (m->size && m->body[m->size - 1] == '\n')
        m->size--;
    m->body[m->size] = 0;
}

void cs_printer_page(cs_session *s, const cs_page *page)
{
    cs_printer p;
    cs_printer_begin(&p, s, true);
    cs_printer_print(&p, page->text, page->used);
    cs_printer_end(&p);
}
