/* Painting. curses manages the modes, the keys and the alternate screen. Cells
 * are written by this file, because curses supports only palette colours. */
#include "screen/term/terminal_parts.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#undef lines
#undef columns

void cs_terminal_flush(cs_terminal *t)
{
    for (size_t done = 0; done < t->used;) {
        ssize_t n = write(STDOUT_FILENO, t->out + done, t->used - done);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            break; /* the terminal was closed, which a signal will report */
        done += n > 0 ? (size_t)n : 0;
    }
    t->sent += t->used;
    t->used = 0;
}

void cs_terminal_add(cs_terminal *t, const char *bytes, size_t n)
{
    if (t->used + n > CS_TERMINAL_OUT)
        cs_terminal_flush(t);
    memcpy(t->out + t->used, bytes, n);
    t->used += n;
}

/* Writes a capability without the padding delays of hardware terminals. */
static void add_text(cs_terminal *t, const char *text)
{
    while (text && text != (const char *)-1 && *text) {
        const char *end = strstr(text, "$<");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        cs_terminal_add(t, text, n);
        end = end ? strchr(end, '>') : NULL;
        text = end ? end + 1 : NULL;
    }
}

/* Returns a colour of the tier as the terminal's number; -1: the terminal's
 * default. */
static int colour_of(const cs_terminal *t, const cs_style *look)
{
    if (t->tier == CS_TIER_MONO || look->colour < 0)
        return -1;
    if (t->tier == CS_TIER_TRUE)
        return look->colour;
    int colour = look->colour < t->colours ? look->colour : look->colour % 8;
    /* uses white if no grey is available */
    return colour || !look->colour ? colour : 7;
}

static void set_colour(cs_terminal *t, int colour, bool ground)
{
    char text[32];
    if (t->tier != CS_TIER_TRUE) {
        add_text(t,
                 tiparm(ground ? set_a_background : set_a_foreground, colour));
        return;
    }
    int n = snprintf(text, sizeof text, "\033[%d;2;%d;%d;%dm", ground ? 48 : 38,
                     colour >> 16, colour >> 8 & 255, colour & 255);
    cs_terminal_add(t, text, (size_t)n);
}

static const struct mode {
    unsigned bit;
    const char *name; /* terminfo name */
    int on, off;      /* ISO 6429 numbers */
} modes[] = {{CS_BOLD, "bold", 1, 22},
             {CS_DIM, "dim", 2, 22},
             {CS_UNDERLINE, "smul", 4, 24},
             {CS_REVERSE, "rev", 7, 27},
             {CS_STRIKE, "smxx", 9, 29}};
enum { N_MODES = sizeof modes / sizeof *modes };

/* Writes the change of colours and attributes by terminfo names. Some
 * attributes and colours can only be switched off by a reset. */
static void take_pen_by_name(cs_terminal *t, const cs_pen *want)
{
    cs_pen *now = &t->now;
    if (!now->known || now->attributes != want->attributes ||
        (want->ink < 0 && now->ink >= 0) ||
        (want->ground < 0 && now->ground >= 0)) {
        if (!now->known || now->attributes || now->ink >= 0 || now->ground >= 0)
            add_text(t, exit_attribute_mode);
        *now = (cs_pen){-1, -1, want->attributes, true};
        for (size_t i = 0; i < N_MODES; i++)
            if (want->attributes & modes[i].bit)
                add_text(t, tigetstr(modes[i].name));
    }
    if (want->ink != now->ink)
        set_colour(t, want->ink, false);
    if (want->ground != now->ground)
        set_colour(t, want->ground, true);
}

/* A list of numbers, each after a semicolon. */
typedef struct numbers {
    char text[96];
    size_t used;
} numbers;

static void number(numbers *to, int n)
{
    to->used += (size_t)snprintf(to->text + to->used,
                                 sizeof to->text - to->used, ";%d", n);
}

/* Adds a colour; `base`: 30 for the foreground, 40 for the background. If
 * the palette contains the colour, as for white, writing its palette number
 * takes a third fewer bytes. */
static void colour_numbers(const cs_terminal *t, int colour, int base,
                           numbers *to)
{
    int exact = t->tier == CS_TIER_TRUE && colour >= 0
                    ? cs_theme_exact_256(colour)
                    : -1;
    if (exact >= 0)
        colour = exact;
    if (colour < 0) {
        number(to, base + 9);
    } else if (t->tier == CS_TIER_TRUE && exact < 0) {
        number(to, base + 8);
        number(to, 2);
        for (int shift = 16; shift >= 0; shift -= 8)
            number(to, colour >> shift & 255);
    } else if (colour < 16) {
        number(to, colour < 8 ? base + colour : base + 52 + colour);
    } else {
        number(to, base + 8);
        number(to, 5);
        number(to, colour);
    }
}

/* Writes all differences in one sequence. The shortest sequence that
 * restores plain text is a reset. */
static void take_pen_by_number(cs_terminal *t, const cs_pen *want)
{
    numbers out = {.used = 0};
    cs_pen now = t->now;
    if (!now.known ||
        (want->attributes == 0 && want->ink < 0 && want->ground < 0)) {
        now = (cs_pen){-1, -1, 0, true};
        number(&out, 0);
    }
    for (size_t i = 0; i < N_MODES; i++)
        if (now.attributes & ~want->attributes & modes[i].bit) {
            number(&out, modes[i].off);
            now.attributes &= ~modes[i].bit;
            if (modes[i].off == modes[0].off) /* bold and dim have the same off
                                               * number */
                now.attributes &= ~(modes[0].bit | modes[1].bit);
        }
    for (size_t i = 0; i < N_MODES; i++)
        if (want->attributes & ~now.attributes & modes[i].bit)
            number(&out, modes[i].on);
    if (want->ink != now.ink)
        colour_numbers(t, want->ink, 30, &out);
    if (want->ground != now.ground)
        colour_numbers(t, want->ground, 40, &out);
    const char *from = out.text + 1; /* a single 0 can be omitted */
    size_t length = strcmp(out.text, ";0") == 0 ? 0 : out.used - 1;
    add_text(t, "\033[");
    cs_terminal_add(t, from, length);
    add_text(t, "m");
}

/* Writes the sequence from the current to the required colours and
 * attributes. */
static void take_pen(cs_terminal *t, const cs_pen *want)
{
    if (t->now.known && want->ink == t->now.ink &&
        want->ground == t->now.ground && want->attributes == t->now.attributes)
        return;
    if (t->iso)
        take_pen_by_number(t, want);
    else
        take_pen_by_name(t, want);
    t->now = *want;
}

static bool same(const cs_terminal *t, const cs_cell *a, const cs_cell *b)
{
    bool hidden = cs_terminal_hides(t, a);
    if (hidden || cs_terminal_hides(t, b))
        return hidden && cs_terminal_hides(t, b);
    return a->code == b->code && cs_cells_alike(a, b);
}

static void write_cell(cs_terminal *t, const cs_cell *cell)
{
    static const cs_cell blank = {.code = ' '};
    char bytes[8];
    if (cs_terminal_hides(t, cell))
        cell = &blank;
    cs_paint p = cs_theme_paint(t->shown.theme, cell->role, cell->ground,
                                cell->code, t->tier);
    cs_pen want = {colour_of(t, &p.ink), colour_of(t, &p.ground),
                   p.ink.attributes | cell->attributes, true};
    if (p.code == ' ' && !(want.attributes & (CS_REVERSE | CS_UNDERLINE))) {
        want.ink = t->now.known ? t->now.ink : -1; /* a blank has no
                                                    * foreground */
        if (want.ground == t->now.ground && t->now.known &&
            !(t->now.attributes & (CS_REVERSE | CS_UNDERLINE)))
            want.attributes = t->now.attributes;
    }
    take_pen(t, &want);
    cs_terminal_add(t, bytes, cs_utf8_encode(p.code, bytes));
}

/* Returns the number of bytes needed to rewrite the cells from `from` to x. If
 * the colours or attributes of these cells differ from the current ones,
 * returns `most`. */
static size_t bytes_of(const cs_terminal *t, const cs_cell *line, int from,
                       int x, size_t most)
{
    char bytes[8];
    size_t n = 0;
    for (int i = from; i < x && n < most; i++)
        n += line[i].code && !cs_terminal_hides(t, line + i) &&
                     cs_cells_alike(line + i, line + from - 1)
                 ? cs_utf8_encode(line[i].code, bytes)
                 : most;
    return n;
}

/* Moves the cursor to (x, y) from (from, y) or, if from < 0, from an unknown
 * place. Uses the shorter of a motion sequence and rewriting the unchanged
 * cells in between. */
static void go_to(cs_terminal *t, const cs_cell *line, int from, int x, int y)
{
    char move[64];
    if (from == x)
        return;
    snprintf(move, sizeof move, "%s", tiparm(cursor_address, y, x));
    if (from >= 0 && parm_right_cursor) {
        const char *right = tiparm(parm_right_cursor, x - from);
        if (strlen(right) < strlen(move))
            snprintf(move, sizeof move, "%s", right);
    }
    bool near =
        from >= 0 && bytes_of(t, line, from, x, sizeof move) <= strlen(move);
    for (int i = from; near && i < x; i++)
        write_cell(t, line + i);
    if (!near)
        add_text(t, move);
}

static void paint_line(cs_terminal *t, const cs_canvas *c, int y)
{
    size_t row = (size_t)y * (size_t)c->width;
    cs_cell line[CS_CANVAS_MAX], *shown = t->shown.cell + row;
    bool news = t->all;
    for (int x = 0; x < c->width; x++) {
        line[x] = c->cell[row + (size_t)x];
        if (memcmp(line + x, shown + x, sizeof *line) == 0)
            /* most cells are unchanged; the roles in `shown` already suit the
             * tier */
            continue;
        line[x].role = (uint8_t)cs_theme_role(line[x].role, t->tier);
        line[x].ground = (uint8_t)cs_theme_role(line[x].ground, t->tier);
        news = true;
    }
    if (!news)
        return;
    int at = -1; /* column of the cursor in this line; -1: not in this line */
    for (int x = 0; x < c->width && x < COLS; x++) {
        const cs_cell *cell = line + x;
        /* writing the last cell would scroll */
        bool last = x + 1 == COLS && y + 1 == LINES && auto_right_margin &&
                    !eat_newline_glitch;
        if (cell->code == 0 || last || (!t->all && same(t, cell, shown + x)))
            continue;
        go_to(t, line, at, x, y);
        write_cell(t, cell);
        if (cs_terminal_hides(t, cell))
            cs_terminal_touch(t, x, y);
        bool wide = x + 1 < c->width && cell[1].code == 0;
        at = x + 1 + wide < COLS ? x + 1 + wide : -1;
    }
    memcpy(shown, line, (size_t)c->width * sizeof *line);
}

void cs_terminal_move(cs_terminal *t, int x, int y)
{
    add_text(t, tiparm(cursor_address, y, x));
}

void cs_terminal_rewrite(cs_terminal *t, int x, int y)
{
    cs_terminal_move(t, x, y);
    write_cell(t, t->shown.cell + (size_t)y * (size_t)t->shown.width + x);
}

void cs_terminal_erase(cs_terminal *t, int x, int y, int n)
{
    char erase_cells[24];
    const cs_style ground = cs_theme_ground(t->shown.theme, t->tier);
    const cs_pen want = {t->now.known ? t->now.ink : -1, colour_of(t, &ground),
                         0, true};
    int length = snprintf(erase_cells, sizeof erase_cells, "\033[%dX", n);
    cs_terminal_move(t, x, y);
    take_pen(t, &want);
    cs_terminal_add(t, erase_cells, (size_t)length);
}

const cs_canvas *cs_terminal_shown(const cs_terminal *t, const cs_canvas *c)
{
    bool other = c->width != t->shown.width || c->height != t->shown.height ||
                 c->theme != t->shown.theme;
    return t->all || other ? NULL : &t->shown;
}

size_t cs_terminal_paint(cs_terminal *t, const cs_canvas *c)
{
    if (c->width != t->shown.width || c->height != t->shown.height) {
        if (cs_canvas_resize(&t->shown, c->width, c->height, NULL) != CS_OK)
            return 0;
        t->all = true;
    }
    t->all |= c->theme != t->shown.theme;
    t->shown.theme = c->theme;
    t->sent = 0;
    /* makes curses clear the screen, and set the modes again after ^Z */
    if (t->all) {
        char requests[64];
        cs_terminal_forget_pictures(t);
        erase();
        clearok(curscr, TRUE);
        refresh();
        t->now.known = false;
        cs_terminal_input_modes(t, true, requests);
        add_text(t, requests);
    }
    for (int y = 0; y < c->height && y < LINES; y++)
        paint_line(t, c, y);
    t->all = false;
    if (c->cursor_x >= 0)
        cs_terminal_move(t, c->cursor_x, c->cursor_y);
    curs_set(c->cursor_x >= 0);
    cs_terminal_flush(t);
    return t->sent;
}

void cs_terminal_write(cs_terminal *t, const char *bytes, size_t n)
{
    for (size_t k; n; bytes += k, n -= k) {
        k = n < CS_TERMINAL_OUT ? n : CS_TERMINAL_OUT;
        cs_terminal_add(t, bytes, k);
    }
    cs_terminal_flush(t);
    t->all = true;
}

void cs_terminal_repaint(cs_terminal *t)
{
    t->all = true;
}
