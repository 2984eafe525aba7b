#include "screen/canvas/vt.h"

#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

enum { ARGS = 16, ESCAPE = 27 };

static const cs_vt_pen bare = {-1, -1, 0};

static int clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

static cs_vt_cell *at(const cs_vt *v, int x, int y)
{
    return v->cell + (size_t)y * (size_t)v->width + x;
}

/* Blanks cells x0 .. x1 - 1 of a line. */
static void erase(cs_vt *v, int y, int x0, int x1)
{
    for (int x = x0; x < x1; x++)
        *at(v, x, y) = (cs_vt_cell){' ', bare};
}

cs_status cs_vt_resize(cs_vt *v, int width, int height, cs_error *err)
{
    width = clamp(width, 1, CS_CANVAS_MAX);
    height = clamp(height, 1, CS_CANVAS_MAX);
    size_t was = (size_t)v->width * (size_t)v->height * sizeof *v->cell;
    cs_vt_cell *cell =
        cs_resize(v->cell, was, (size_t)width * (size_t)height * sizeof *cell);
    if (!cell)
        return cs_fail(err, CS_MEMORY, "out of memory for a screen of %d x %d",
                       width, height);
    *v = (cs_vt){.width = width, .height = height, .cell = cell, .pen = bare};
    for (int y = 0; y < height; y++)
        erase(v, y, 0, width);
    return CS_OK;
}

void cs_vt_fini(cs_vt *v)
{
    cs_free(v->cell);
    *v = (cs_vt){0};
}

cs_status cs_vt_copy(cs_vt *to, const cs_vt *from, cs_error *err)
{
    cs_status status = CS_OK;
    if (to->width != from->width || to->height != from->height)
        status = cs_vt_resize(to, from->width, from->height, err);
    if (status)
        return status;
    cs_vt_cell *cell = to->cell;
    memcpy(cell, from->cell,
           (size_t)to->width * (size_t)to->height * sizeof *cell);
    *to = *from;
    to->cell = cell;
    return CS_OK;
}

/* ---- characters ---------------------------------------------------------- */

static void line_feed(cs_vt *v)
{
    if (v->y + 1 < v->height) {
        v->y++;
        return;
    }
    size_t line = (size_t)v->width * sizeof *v->cell;
    memmove(v->cell, at(v, 0, v->height > 1), line * (size_t)(v->height - 1));
    erase(v, v->height - 1, 0, v->width);
}

/* Erases both halves of a wide character that would be cut before column x. */
static void free_half(cs_vt *v, int x)
{
    if (x > 0 && x < v->width && at(v, x, v->y)->code == 0)
        erase(v, v->y, x - 1, x + 1);
}

/* Puts a character. Control characters (base/text.h) have no width and are not
 * drawn. */
static void put_code(cs_vt *v, unsigned code)
{
    char bytes[8], clean[32];
    bytes[cs_utf8_encode(code, bytes)] = 0;
    cs_text_clean(bytes, clean, sizeof clean);
    int width = cs_text_width(bytes);
    if (strcmp(bytes, clean) != 0 || width < 1 || width > v->width)
        return;
    if (v->x + width > v->width) {
        v->x = 0;
        line_feed(v);
    }
    free_half(v, v->x);
    free_half(v, v->x + width);
    *at(v, v->x, v->y) = (cs_vt_cell){code, v->pen};
    if (width == 2)
        *at(v, v->x + 1, v->y) = (cs_vt_cell){0, v->pen};
    v->x += width;
}

static void control(cs_vt *v, unsigned char c)
{
    if (c == '\r')
        v->x = 0;
    else if (c == '\n')
        line_feed(v);
    else if (c == '\b')
        v->x -= v->x > 0;
    else if (c == '\t')
        v->x = clamp((v->x / 8 + 1) * 8, 0, v->width - 1);
}

/* ---- sequences ----------------------------------------------------------- */

/* The numbers of a sequence such as "\033[1;2H"; -1 where a number is
 * missing. */
typedef struct sequence {
    char private, final;
    int n, arg[ARGS];
} sequence;

static int arg_of(const sequence *s, int i, int otherwise)
{
    return i < s->n && s->arg[i] > 0 ? s->arg[i] : otherwise;
}

/* Returns the colour that follows argument *i, a 38 or 48, and moves *i to the
 * colour's last argument. For an unknown format, returns -2. */
static int long_colour(const sequence *s, int *i)
{
    int kind = *i + 1 < s->n ? s->arg[*i + 1] : -1;
    if (kind == 5 && *i + 2 < s->n) {
        *i += 2;
        return clamp(s->arg[*i], 0, 255);
    }
    if (kind != 2 || *i + 4 >= s->n)
        return -2;
    *i += 4;
    const int *c = s->arg + *i - 2;
    return CS_VT_TRUE | clamp(c[0], 0, 255) << 16 | clamp(c[1], 0, 255) << 8 |
           clamp(c[2], 0, 255);
}

static bool set_attribute(cs_vt_pen *p, int n)
{
    static const struct {
        int on, off;
        unsigned bit;
    } table[] = {{1, 22, CS_BOLD},
                 {2, 22, CS_DIM},
                 {4, 24, CS_UNDERLINE},
                 {7, 27, CS_REVERSE}};
    bool known = false;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (n == table[i].on)
            p->attributes |= table[i].bit;
        if (n == table[i].off)
            p->attributes &= ~table[i].bit;
        known |= n == table[i].on || n == table[i].off;
    }
    return known;
}

static void set_pen(cs_vt *v, const sequence *s)
{
    cs_vt_pen *p = &v->pen;
    for (int i = 0; i < (s->n ? s->n : 1); i++) {
        int n = s->n && s->arg[i] > 0 ? s->arg[i] : 0;
        bool ground = (n >= 40 && n < 50) || (n >= 100 && n < 108);
        int *to = ground ? &p->ground : &p->ink, base = ground ? 40 : 30;
        if (n == 0) {
            *p = bare;
        } else if (n == 38 || n == 48) {
            int colour = long_colour(s, &i);
            if (colour == -2)
                return;
            *to = colour;
        } else if (n == 39 || n == 49) {
            *to = -1;
        } else if (n >= base && n < base + 8) {
            *to = n - base;
        } else if (n >= base + 60 && n < base + 68) {
            *to = n - base - 52;
        } else {
            set_attribute(p, n);
        }
    }
}

static void erase_some(cs_vt *v, const sequence *s)
{
    int what = arg_of(s, 0, 0), x = clamp(v->x, 0, v->width);
    int from = what == 0 ? x : 0, to = what == 1 ? x + 1 : v->width;
    to = to < v->width ? to : v->width;
    free_half(v, from);
    free_half(v, to);
    erase(v, v->y, from, to);
    for (int y = 0; s->final == 'J' && y < v->height; y++)
        if (y != v->y && (what >= 2 || (what == 0) == (y > v->y)))
            erase(v, y, 0, v->width);
}

static void obey(cs_vt *v, const sequence *s)
{
    int n = clamp(arg_of(s, 0, 1), 1, CS_CANVAS_MAX);
    if (s->private) {
        if (s->private == '?' && arg_of(s, 0, 0) == 25)
            v->cursor = s->final == 'h';
        return;
    }
    switch (s->final) {
    case 'm':
        set_pen(v, s);
        break;
    case 'H':
    case 'f':
        v->y = n - 1;
        v->x = clamp(arg_of(s, 1, 1), 1, v->width) - 1;
        break;
    case 'A':
        v->y -= n;
        break;
    case 'B':
        v->y += n;
        break;
    case 'C':
        v->x += n;
        break;
    case 'D':
        v->x -= n;
        break;
    case 'G':
        v->x = n - 1;
        break;
    case 'd':
        v->y = n - 1;
        break;
    case 'J':
    case 'K':
        erase_some(v, s);
        break;
    default:
        break;
    }
    v->x = clamp(v->x, 0, v->width - 1);
    v->y = clamp(v->y, 0, v->height - 1);
}

/* Reads the complete sequence in v->held. */
static void read_sequence(cs_vt *v)
{
    sequence s = {.final = (char)v->held[v->n_held - 1]};
    size_t i = 2;
    if (v->held[i] >= '<' && v->held[i] <= '?')
        s.private = (char)v->held[i++];
    for (int number = -1; i < v->n_held && s.n < ARGS; i++) {
        unsigned char c = v->held[i];
        if (c >= '0' && c <= '9') {
            number = clamp(number, 0, 100000) * 10 + (c - '0');
            continue;
        }
        if (c != ';' && number < 0 && s.n == 0)
            break; /* the sequence has no numbers */
        s.arg[s.n++] = number;
        number = -1;
    }
    obey(v, &s);
}

/* Adds one more byte to an unfinished sequence or character. Returns true if
 * the sequence or character is complete. */
static bool take_held(cs_vt *v)
{
    const unsigned char *h = v->held;
    size_t n = v->n_held;
    unsigned code;
    if (h[0] != ESCAPE) { /* a character of several bytes */
        size_t k = cs_utf8_decode((const char *)h, n, &code);
        if (k)
            put_code(v, code);
        return k || n == 4;
    }
    if (n == 1)
        return false;
    v->string = strchr("]P^_X", h[1]) && h[1];
    if (h[1] != '[')
        return n == 2 && !strchr("()*+#% ", h[1]) ? true : n == 3 || v->string;
    if (n > 2 && h[n - 1] >= 0x40 && h[n - 1] < 0x7f) {
        read_sequence(v);
        return true;
    }
    return n == sizeof v->held;
}

static void take(cs_vt *v, unsigned char c)
{
    if (v->string) { /* the string ends with BEL, or with ESC and a backslash */
        v->string = c != 7 && c != ESCAPE;
        if (c != ESCAPE)
            return;
    }
    if (c == ESCAPE)
        v->n_held = 0; /* drops an unfinished sequence */
    if (!v->n_held && c < 32 && c != ESCAPE) {
        control(v, c);
    } else if (!v->n_held && c < 128 && c != ESCAPE) {
        put_code(v, c);
    } else {
        v->held[v->n_held++] = c;
        if (take_held(v))
            v->n_held = 0;
    }
}

void cs_vt_write(cs_vt *v, const char *bytes, size_t n)
{
    assert(v->cell);
    for (size_t i = 0; i < n; i++)
        take(v, (unsigned char)bytes[i]);
}

/* ---- output -------------------------------------------------------------- */

static bool same_pen(const cs_vt_pen *a, const cs_vt_pen *b)
{
    return a->ink == b->ink && a->ground == b->ground &&
           a->attributes == b->attributes;
}

static void emit_colour(int colour, int base, FILE *out)
{
    if (colour >= CS_VT_TRUE)
        fprintf(out, ";%d;2;%d;%d;%d", base + 8, colour >> 16 & 255,
                colour >> 8 & 255, colour & 255);
    else if (colour >= 0)
        fprintf(out, ";%d;5;%d", base + 8, colour);
}

static void emit_cell(const cs_vt_cell *cell, cs_vt_pen *now, bool colours,
                      FILE *out)
{
    char bytes[8];
    const cs_vt_pen *p = &cell->pen;
    if (!same_pen(p, now)) {
        fprintf(out, "\033[0%s%s%s%s", p->attributes & CS_BOLD ? ";1" : "",
                p->attributes & CS_DIM ? ";2" : "",
                p->attributes & CS_UNDERLINE ? ";4" : "",
                p->attributes & CS_REVERSE ? ";7" : "");
        emit_colour(colours ? p->ink : -1, 30, out);
        emit_colour(colours ? p->ground : -1, 40, out);
        fputc('m', out);
        *now = *p;
    }
    fwrite(bytes, 1, cs_utf8_encode(cell->code, bytes), out);
}

bool cs_vt_emit(const cs_vt *before, const cs_vt *v, int w, int h, bool plain,
                FILE *out)
{
    cs_vt_pen now = bare;
    fputs(before ? "\033[0m" : "\033[0m\033[2J", out);
    for (int y = 0; y < v->height && y < h; y++)
        for (int x = 0, to = -1; x < v->width && x < w; x++) {
            const cs_vt_cell *cell = at(v, x, y);
            const cs_vt_cell *was = before ? at(before, x, y) : NULL;
            bool wide = x + 1 < v->width && cell[1].code == 0;
            if (!cell->code || (wide && x + 1 >= w) ||
                (was && was->code == cell->code &&
                 same_pen(&was->pen, &cell->pen)))
                continue;
            if (x != to)
                fprintf(out, "\033[%d;%dH", y + 1, x + 1);
            emit_cell(cell, &now, !plain, out);
            to = x + 1 + wide;
        }
    fputs("\033[0m", out);
    return !ferror(out);
}

bool cs_vt_text(const cs_vt *v, FILE *out)
{
    for (int y = 0; y < v->height; y++) {
        char bytes[8];
        int n = v->width;
        while (n > 0 && at(v, n - 1, y)->code == ' ')
            n--;
        for (int x = 0; x < n; x++)
            if (at(v, x, y)->code)
                fwrite(bytes, 1, cs_utf8_encode(at(v, x, y)->code, bytes), out);
        fputc('\n', out);
    }
    return fflush(out) == 0 && !ferror(out);
}
