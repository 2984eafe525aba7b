#include "session/client/wire.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { HEADER = offsetof(cs_message, body) };

bool cs_message_text(cs_message *m, const char *text)
{
    size_t n = strlen(text);
    bool fits = n <= CS_WIRE_BYTES;
    m->size = fits ? (uint32_t)n : 0;
    memcpy(m->body, text, m->size);
    m->body[m->size] = 0;
    m->table = m->part = 0;
    return fits;
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
    /* Uses the received size, not the size in the header. */
    m->size = (uint32_t)(n - HEADER);
    m->body[m->size] = 0;
    return CS_WIRE_GOT;
}
