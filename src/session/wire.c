#include "session/wire.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { HEADER = offsetof(cs_message, body) };

void cs_message_text(cs_message *m, const char *text)
{
    static const char more[] = "\n... and more than one reply can hold\n";
    size_t n = strlen(text), tail = 0;
    if (n > CS_WIRE_BYTES) {
        tail = sizeof more - 1;
        n = CS_WIRE_BYTES - tail;
        while (n && text[n] != '\n')
            n--;
    }
    memcpy(m->body, text, n);
    memcpy(m->body + n, more, tail);
    m->size = (uint32_t)(n + tail);
    m->body[m->size] = 0;
    m->table = m->part = 0;
}

bool cs_wire_send(int fd, const cs_message *m, bool wait)
{
    assert(m->size <= CS_WIRE_BYTES);
    int flags = MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT);
    ssize_t n;
    do
        n = send(fd, m, HEADER + m->size, flags);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)(HEADER + m->size);
}

cs_wire_state cs_wire_receive(int fd, cs_message *m)
{
    ssize_t n;
    do
        n = recv(fd, m, HEADER + CS_WIRE_BYTES, MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return CS_WIRE_NONE;
    if (n < (ssize_t)HEADER)
        return CS_WIRE_CLOSED;
    /* What arrived counts, not what the sender says. */
    m->size = (uint32_t)(n - HEADER);
    m->body[m->size] = 0;
    return CS_WIRE_GOT;
}
