/* Keys, mouse events and pasted text from the keyboard's bytes. */
#include "screen/term/terminal_parts.h"

#include "base/clock.h"
#include "screen/term/key_codes.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

enum {
    ESCAPE_MS = 25, /* time for which ESC waits for the rest of a sequence */
    CTRL_C = 3
};
/* Seconds after which an incomplete sequence is not continued. */
#define SILENCE 1.0

static const char *entry(const char *name)
{
    const char *value = tigetstr(name);
    return value && value != (const char *)-1 ? value : "";
}

bool cs_terminal_has_mouse(void)
{
    return *entry("kmous");
}

/* Returns true if the terminal uses sequences of ECMA-48. Other terminals
 * would show the sequences that switch bracketed paste on and off. */
static bool has_paste(void)
{
    return strncmp(entry("cup"), "\033[", 2) == 0;
}

void cs_terminal_input_modes(const cs_terminal *t, bool on, char out[64])
{
    *out = 0;
    if (has_paste())
        strcat(out, on ? CS_PASTE_ON : CS_PASTE_OFF);
    if (on ? t->mouse : cs_terminal_has_mouse())
        strcat(out, on ? CS_MOUSE_ON : CS_MOUSE_OFF);
}

void cs_terminal_write_now(const char *bytes)
{
    ssize_t ignored = write(STDOUT_FILENO, bytes, strlen(bytes));
    (void)ignored;
}

void cs_terminal_listen(cs_terminal *t, bool mouse)
{
    if (mouse == t->mouse || !cs_terminal_has_mouse())
        return;
    t->mouse = mouse;
    cs_terminal_write_now(mouse ? CS_MOUSE_ON : CS_MOUSE_OFF);
}

bool cs_terminal_mouse(cs_terminal *t, cs_mouse *out)
{
    *out = t->last.mouse;
    return t->mouse;
}

const char *cs_terminal_pasted(const cs_terminal *t)
{
    return t->parser.long_text ? NULL : t->parser.text;
}

/* Waits for input for at most this time and reads the bytes that have
 * arrived. Returns false if no bytes have arrived. */
static bool take(cs_terminal *t, int milliseconds)
{
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready;
    do
        ready = poll(&p, 1, milliseconds);
    while (ready < 0 && errno == EINTR);
    ssize_t n = ready > 0 && p.revents & POLLIN
                    ? read(STDIN_FILENO, t->in.bytes, sizeof t->in.bytes)
                    : 0;
    if (n <= 0)
        return false;
    double now = cs_clock();
    if (cs_input_waits(&t->parser) == CS_INPUT_SEQUENCE &&
        now - t->in.time > SILENCE)
        cs_input_reset(&t->parser);
    t->in.at = 0;
    t->in.used = (size_t)n;
    t->in.time = now;
    return true;
}

/* Gets the next input of a block of bytes. At the end of the block, returns
 * false so that the caller can paint; the next call reads the next block. */
static bool next(cs_terminal *t)
{
    for (;;) {
        while (t->in.at < t->in.used) {
            bool key =
                cs_input_byte(&t->parser, t->in.bytes[t->in.at++], &t->last);
            cs_terminal_take_reply(t);
            if (key)
                return true;
        }
        bool escape = cs_input_waits(&t->parser) == CS_INPUT_ESCAPE;
        bool more = (!t->in.read || escape) && take(t, escape ? ESCAPE_MS : 0);
        t->in.read = more;
        if (!more)
            return escape && cs_input_silence(&t->parser, &t->last);
    }
}

void cs_terminal_await_replies(cs_terminal *t, int milliseconds)
{
    cs_key_input ignored;
    double end = cs_clock() + milliseconds * 1e-3;
    while (cs_clock() < t->graphics.until && cs_clock() < end) {
        if (t->in.at == t->in.used && !take(t, milliseconds))
            return;
        cs_input_byte(&t->parser, t->in.bytes[t->in.at++], &ignored);
        cs_terminal_take_reply(t);
    }
}

/* Converts a key of the parser to a key that the program knows. If there is no
 * such key, returns 0. */
static unsigned known(const cs_terminal *t, unsigned key)
{
    if (key == '\n')
        return '\r';
    if (key == '\b' && strcmp(entry("kbs"), "\b") == 0)
        return 127;
    if (key == CTRL_C) /* from a keyboard protocol that sends no signals */
        raise(SIGINT);
    if (key == CS_KEY_MOUSE && !t->mouse)
        return 0;
    if (t->parser.single && key >= 0x80 && key < 0x100) {
        wint_t wide = btowc((int)key);
        return wide == WEOF ? 0 : (unsigned)wide;
    }
    return key == CTRL_C ? 0 : key;
}

unsigned cs_terminal_key(cs_terminal *t)
{
    while (next(t)) {
        unsigned key = known(t, t->last.key);
        if (key)
            return key;
    }
    return 0;
}
