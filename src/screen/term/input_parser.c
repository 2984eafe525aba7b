#include "screen/term/input_parser.h"

#include "screen/term/key_codes.h"
#include "screen/term/key_sequences.h"

#include <stdio.h>
#include <string.h>

enum { BEL = 7, CAN = 24, SUB = 26, ESC = 27, DEL = 127 };

/* States; their functions are in the table `steps`. */
enum {
    GROUND,
    UTF8,       /* in a character */
    ESCAPE,     /* after ESC */
    CSI,        /* after ESC [ */
    CONSOLE,    /* after ESC [ [ */
    MOUSE,      /* after ESC [ M */
    SS3,        /* after ESC O */
    STRING,     /* after ESC ] P X ^ or _, until BEL or ESC \ */
    STRING_END, /* after ESC in a string */
    PASTE,      /* after ESC [ 200 ~ */
    STATES
};

typedef bool step(cs_input_parser *p, unsigned char byte, cs_key_input *out);

static void begin(cs_input_parser *p, unsigned char state)
{
    bool alt = p->sequence.alt;
    p->sequence = (cs_sequence){.alt = alt};
    p->sub = p->n_raw = 0;
    p->state = state;
}

static void end(cs_input_parser *p)
{
    p->sequence.alt = false;
    p->state = GROUND;
}

void cs_input_reset(cs_input_parser *p)
{
    end(p);
}

/* Starts the state for a sequence introduced by ESC and this byte, or by the
 * control character above 127 with the same meaning. Returns false if no
 * sequence starts. */
static bool introduce(cs_input_parser *p, unsigned char byte)
{
    static const struct {
        unsigned char byte, state;
    } table[] = {{'[', CSI},    {'O', SS3},    {']', STRING}, {'P', STRING},
                 {'X', STRING}, {'^', STRING}, {'_', STRING}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].byte == byte) {
            begin(p, table[i].state);
            p->string[0] = (char)byte;
            p->n_string = 1;
            return true;
        }
    return false;
}

static bool finish_character(cs_input_parser *p, unsigned code,
                             cs_key_input *out)
{
    bool alt = p->sequence.alt;
    end(p);
    return cs_character_input(code, alt, out);
}

static bool ground(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    if (byte == ESC) {
        p->state = ESCAPE;
        return false;
    }
    if (byte < 0x80 || (p->single && byte >= 0xA0))
        return finish_character(p, byte, out);
    if (p->single) {
        if (!introduce(p, (unsigned char)(byte - 0x40)))
            end(p);
        return false;
    }
    /* first bytes of characters of 2, 3 and 4 bytes, each with the smallest
     * code point of that length */
    static const struct {
        unsigned char least, most;
        unsigned value;
    } first[] = {
        {0xC2, 0xDF, 0x80}, {0xE0, 0xEF, 0x800}, {0xF0, 0xF4, 0x10000}};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (byte >= first[i].least && byte <= first[i].most) {
            p->code = byte & (0x1Fu >> i);
            p->least = first[i].value;
            p->n_raw = i + 1;
            p->state = UTF8;
            return false;
        }
    end(p); /* not UTF-8 */
    return false;
}

/* Ends an incomplete sequence. This byte cannot continue the sequence, so it is
 * read as the start of the next key. */
static bool abandon(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    end(p);
    return byte != CAN && byte != SUB && ground(p, byte, out);
}

static bool utf8(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    if ((byte & 0xC0) != 0x80)
        return abandon(p, byte, out);
    p->code = p->code << 6 | (byte & 0x3Fu);
    if (--p->n_raw)
        return false;
    if (p->code >= p->least)
        return finish_character(p, p->code, out);
    end(p);
    return false;
}

static bool escape(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    /* a second ESC: the sequence comes with Alt */
    if (byte == ESC) {
        p->sequence.alt = true;
        return false;
    }
    if (introduce(p, byte))
        return false;
    p->sequence.alt = true;
    return ground(p, byte, out);
}

/* Reads a byte of the parameters. Returns false if the byte cannot be a part of
 * the parameters. */
static bool read_parameter(cs_input_parser *p, unsigned char byte)
{
    cs_sequence *s = &p->sequence;
    bool digit = byte >= '0' && byte <= '9';
    if (!digit && byte != ';' && byte != ':')
        return false;
    if (s->n == 0)
        s->n = 1;
    if (byte == ';') {
        s->n++;
        p->sub = 0;
    }
    if (byte == ':')
        p->sub++;
    if (digit && s->n <= CS_INPUT_PARAMS && p->sub < CS_INPUT_SUBS) {
        unsigned *to = &s->param[s->n - 1][p->sub];
        *to = 10 * *to + (byte - '0');
        if (*to > 0x110000)
            *to = 0x110000;
    }
    return true;
}

/* Records a reply to a query. */
static void read_reply(cs_input_parser *p, const cs_sequence *s,
                       unsigned char final)
{
    const unsigned sixel = 4;
    if (final == 'c' && s->prefix == '?' && s->n) {
        p->reply = (cs_reply){.kind = CS_REPLY_DEVICE};
        for (size_t i = 1; i < s->n; i++)
            p->reply.good |= s->param[i][0] == sixel;
    }
    if (final == 't' && !s->prefix && s->n == 3 && s->param[0][0] == 6)
        p->reply =
            (cs_reply){CS_REPLY_CELL, true, {s->param[2][0], s->param[1][0]}};
}

static bool finish_csi(cs_input_parser *p, unsigned char final,
                       cs_key_input *out)
{
    cs_sequence s = p->sequence;
    bool plain = s.n == 0 && !s.prefix && !s.intermediate;
    if (plain && (final == 'M' || final == '[')) {
        begin(p, final == 'M' ? MOUSE : CONSOLE);
        return false;
    }
    end(p);
    if (final == '~' && s.n && s.param[0][0] == 200 && !s.prefix) {
        p->state = PASTE;
        p->used = p->matched = 0;
        p->long_text = false;
        return false;
    }
    s.n = s.n < CS_INPUT_PARAMS ? s.n : CS_INPUT_PARAMS;
    if (!s.intermediate)
        read_reply(p, &s, final);
    return cs_csi_input(&s, final, out);
}

static bool csi(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    cs_sequence *s = &p->sequence;
    if (byte < 0x20 || byte >= DEL)
        return abandon(p, byte, out);
    if (read_parameter(p, byte))
        return false;
    /* rxvt ends the keys with Shift with this byte */
    bool rxvt = byte == '$' && s->n == 1 && !s->prefix && !s->intermediate;
    if (byte >= 0x40 || rxvt)
        return finish_csi(p, byte, out);
    if (byte >= 0x30)
        s->prefix = byte;
    else
        s->intermediate = byte;
    return false;
}

static bool console(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    cs_sequence s = p->sequence;
    if (byte < 0x20 || byte >= DEL)
        return abandon(p, byte, out);
    end(p);
    return cs_console_input(&s, byte, out);
}

static bool mouse(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    if (byte < 0x20)
        return abandon(p, byte, out);
    p->raw[p->n_raw++] = byte;
    if (p->n_raw < 3)
        return false;
    end(p);
    return cs_raw_mouse_input(p->raw, out);
}

static bool ss3(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    cs_sequence s = p->sequence;
    if (byte <= 0x20 || byte >= DEL)
        return abandon(p, byte, out);
    if (read_parameter(p, byte))
        return false;
    end(p);
    s.n = s.n < CS_INPUT_PARAMS ? s.n : CS_INPUT_PARAMS;
    return cs_ss3_input(&s, byte, out);
}

/* Reads a reply of kitty's graphics protocol: "_Gi=31;OK". */
static void read_string(cs_input_parser *p)
{
    unsigned id = 0;
    char answer[4] = "";
    p->string[p->n_string] = 0;
    if (p->n_string < CS_INPUT_STRING &&
        sscanf(p->string, "_Gi=%9u;%3s", &id, answer) == 2)
        p->reply =
            (cs_reply){CS_REPLY_KITTY, strcmp(answer, "OK") == 0, {id, 0}};
}

static bool string(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    (void)out;
    if (byte == ESC) {
        p->state = STRING_END;
    } else if (byte == BEL || byte == CAN || byte == SUB ||
               (p->single && byte == 0x9C)) {
        if (byte == BEL || byte == 0x9C)
            read_string(p);
        end(p);
    } else if (p->n_string < CS_INPUT_STRING) {
        p->string[p->n_string++] = (char)byte;
    }
    return false;
}

/* ESC ends a string, even if the byte after it is not the one that properly
 * ends it. */
static bool string_end(cs_input_parser *p, unsigned char byte,
                       cs_key_input *out)
{
    if (byte == '\\')
        read_string(p);
    end(p);
    p->state = byte == '\\' ? GROUND : ESCAPE;
    return byte != '\\' && escape(p, byte, out);
}

static void keep(cs_input_parser *p, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p->used == CS_INPUT_PASTE)
            p->long_text = true;
        else if (bytes[i])
            p->text[p->used++] = bytes[i];
}

static bool paste(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    static const char mark[] = "\033[201~";
    if (byte == (unsigned char)mark[p->matched]) {
        if (++p->matched < sizeof mark - 1)
            return false;
        p->text[p->used] = 0;
        end(p);
        *out = (cs_key_input){.key = CS_KEY_PASTE};
        return true;
    }
    const char last = (char)byte;
    keep(p, mark, p->matched);
    p->matched = byte == ESC;
    keep(p, &last, byte != ESC);
    return false;
}

static step *const steps[STATES] = {
    [GROUND] = ground, [UTF8] = utf8,     [ESCAPE] = escape,
    [CSI] = csi,       [SS3] = ss3,       [CONSOLE] = console,
    [MOUSE] = mouse,   [STRING] = string, [STRING_END] = string_end,
    [PASTE] = paste,
};

bool cs_input_byte(cs_input_parser *p, unsigned char byte, cs_key_input *out)
{
    return steps[p->state](p, byte, out);
}

cs_input_wait cs_input_waits(const cs_input_parser *p)
{
    return p->state == GROUND   ? CS_INPUT_IDLE
           : p->state == ESCAPE ? CS_INPUT_ESCAPE
           : p->state == PASTE  ? CS_INPUT_PASTING
                                : CS_INPUT_SEQUENCE;
}

bool cs_input_silence(cs_input_parser *p, cs_key_input *out)
{
    if (p->state != ESCAPE)
        return false;
    end(p);
    *out = (cs_key_input){.key = ESC};
    return true;
}
