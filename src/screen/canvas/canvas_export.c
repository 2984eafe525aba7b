#include "screen/canvas/canvas_export.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

enum { CELL_W = 9, CELL_H = 18, PAD = 8 };

static const cs_cell *line_of(const cs_canvas *c, int y)
{
    return c->cell + (size_t)y * (size_t)c->width;
}

/* Returns true if a blank in this cell does not look like an empty cell. */
static bool is_seen(const cs_theme *t, const cs_cell *cell, cs_tier tier)
{
    cs_style look = cs_theme_style(t, (cs_role)cell->role, tier);
    return (cell->attributes | look.attributes) & CS_REVERSE ||
           cell->ground != CS_ROLE_NORMAL ||
           cs_theme_ground(t, tier).colour >= 0;
}

static int length_of(const cs_canvas *c, const cs_cell *line, bool colours,
                     cs_tier tier)
{
    int width = c->width;
    while (width > 0 && line[width - 1].code == ' ' &&
           !(colours && is_seen(c->theme, line + width - 1, tier)))
        width--;
    return width;
}

static void put_code(FILE *out, unsigned code)
{
    char bytes[8];
    fwrite(bytes, 1, cs_utf8_encode(code, bytes), out);
}

static cs_paint paint_of(const cs_theme *t, const cs_cell *cell, cs_tier tier)
{
    return cs_theme_paint(t, cell->role, cell->ground, cell->code, tier);
}

/* Returns true if two cells, displayed with the colours of `tier`, differ at
 * most in their character. */
static bool alike(const cs_cell *a, const cs_cell *b, cs_tier tier)
{
    return a->attributes == b->attributes &&
           cs_theme_role(a->role, tier) == cs_theme_role(b->role, tier) &&
           cs_theme_role(a->ground, tier) == cs_theme_role(b->ground, tier);
}

static void text(const cs_canvas *c, cs_tier tier, FILE *out)
{
    for (int y = 0; y < c->height; y++) {
        const cs_cell *line = line_of(c, y);
        int n = length_of(c, line, false, tier);
        for (int x = 0; x < n; x++)
            if (line[x].code)
                put_code(out, paint_of(c->theme, line + x, CS_TIER_MONO).code);
        fputc('\n', out);
    }
}

/* Writes the escape sequence of a colour. `base`: 30 for the foreground, 40 for
 * the background. */
static void sgr_colour(const cs_style *look, int base, cs_tier tier,
                       const char *behind, FILE *out)
{
    if (look->colour < 0)
        return;
    fputs(behind, out);
    if (tier == CS_TIER_TRUE)
        fprintf(out, "%d;2;%d;%d;%d", base + 8, look->red, look->green,
                look->blue);
    else if (tier == CS_TIER_256)
        fprintf(out, "%d;5;%d", base + 8, look->colour);
    else
        fprintf(out, "%d",
                look->colour < 8 ? base + look->colour
                                 : base + 52 + look->colour);
}

static void sgr(const cs_theme *t, const cs_cell *cell, cs_tier tier, FILE *out)
{
    cs_paint p = paint_of(t, cell, tier);
    unsigned a = p.ink.attributes | cell->attributes;
    fputs("\033[0", out);
    fputs(a & CS_BOLD ? ";1" : "", out);
    fputs(a & CS_DIM ? ";2" : "", out);
    fputs(a & CS_UNDERLINE ? ";4" : "", out);
    fputs(a & CS_STRIKE ? ";9" : "", out);
    fputs(a & CS_REVERSE ? ";7" : "", out);
    sgr_colour(&p.ink, 30, tier, ";", out);
    sgr_colour(&p.ground, 40, tier, ";", out);
    fputc('m', out);
}

static void ansi(const cs_canvas *c, cs_tier tier, FILE *out)
{
    for (int y = 0; y < c->height; y++) {
        const cs_cell *line = line_of(c, y);
        int n = length_of(c, line, true, tier);
        for (int x = 0; x < n; x++) {
            if (x == 0 || !alike(line + x, line + x - 1, tier))
                sgr(c->theme, line + x, tier, out);
            if (line[x].code)
                put_code(out, paint_of(c->theme, line + x, tier).code);
        }
        fputs("\033[0m\n", out);
    }
}

/* The current output state of the terminal: colours and attributes of the last
 * cell. */
typedef struct pen {
    const cs_cell *cell; /* NULL: not known */
    const cs_theme *theme;
    cs_tier tier;
} pen;

/* Writes the sequence that changes to the colours and attributes of another
 * cell. If the attributes are equal, changes only the colours. */
static void take_pen(pen *now, const cs_cell *cell, FILE *out)
{
    if (now->cell && alike(now->cell, cell, now->tier))
        return;
    cs_paint p = paint_of(now->theme, cell, now->tier);
    cs_paint was = now->cell ? paint_of(now->theme, now->cell, now->tier) : p;
    bool others = !now->cell ||
                  (was.ink.attributes | now->cell->attributes) !=
                      (p.ink.attributes | cell->attributes) ||
                  (p.ink.colour < 0 && was.ink.colour >= 0) ||
                  (p.ground.colour < 0 && was.ground.colour >= 0);
    if (others) {
        sgr(now->theme, cell, now->tier, out);
    } else {
        bool ink = p.ink.colour != was.ink.colour;
        bool ground = p.ground.colour != was.ground.colour;
        fputs(ink || ground ? "\033[" : "", out);
        if (ink)
            sgr_colour(&p.ink, 30, now->tier, "", out);
        if (ground)
            sgr_colour(&p.ground, 40, now->tier, ink ? ";" : "", out);
        fputs(ink || ground ? "m" : "", out);
    }
    now->cell = cell;
}

/* Writes the cells of line y in which `c` differs from `before`. */
static void change_line(const cs_canvas *before, const cs_canvas *c, int y,
                        pen *now, FILE *out)
{
    static const cs_cell blank = {.code = ' '};
    const cs_cell *line = line_of(c, y);
    const cs_cell *old = before ? line_of(before, y) : NULL;
    bool empty = !old && !is_seen(c->theme, &blank, now->tier);
    int at = -1; /* position of the cursor */
    for (int x = 0; x < c->width; x++) {
        const cs_cell *was = old ? old + x : empty ? &blank : NULL;
        if (line[x].code == 0 || (was && was->code == line[x].code &&
                                  alike(was, line + x, now->tier)))
            continue;
        if (x != at)
            fprintf(out, "\033[%d;%dH", y + 1, x + 1);
        take_pen(now, line + x, out);
        put_code(out, paint_of(now->theme, line + x, now->tier).code);
        at = x + 1 + (x + 1 < c->width && line[x + 1].code == 0);
    }
}

bool cs_canvas_export_change(const cs_canvas *before, const cs_canvas *c,
                             cs_tier tier, FILE *out)
{
    pen now = {NULL, c->theme, tier};
    if (before && before->theme != c->theme)
        before = NULL;
    bool typed = c->cursor_x >= 0, was_typed = before && before->cursor_x >= 0;
    if (!before)
        fputs("\033[0m\033[2J", out);
    for (int y = 0; y < c->height; y++)
        change_line(before, c, y, &now, out);
    if (!before || typed != was_typed)
        fputs(typed ? "\033[?25h" : "\033[?25l", out);
    if (typed)
        fprintf(out, "\033[%d;%dH", c->cursor_y + 1, c->cursor_x + 1);
    return fflush(out) == 0 && !ferror(out);
}

static void escaped(FILE *out, unsigned code)
{
    if (code == '<')
        fputs("&lt;", out);
    else if (code == '>')
        fputs("&gt;", out);
    else if (code == '&')
        fputs("&amp;", out);
    else
        put_code(out, code);
}

static bool braille(unsigned code)
{
    return code >= 0x2800 && code <= 0x28ff;
}

/* Draws the dots of braille cells as squares, because in most fonts braille is
 * not as wide as other characters. */
static void svg_dots(const cs_cell *line, int x, int end, int y,
                     const char *colour, FILE *out)
{
    static const unsigned char bits[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    bool begun = false;
    for (; x < end; x++)
        for (int i = 0; i < 8 && braille(line[x].code); i++) {
            if (!(line[x].code & bits[i / 2][i % 2]))
                continue;
            if (!begun)
                fputs("<path d=\"", out);
            begun = true;
            fprintf(out, "M%g %gh3v3h-3z", PAD + x * CELL_W + 1 + 4.5 * (i % 2),
                    PAD + y * CELL_H + 1 + 4.5 * (i / 2));
        }
    if (begun)
        fprintf(out, "\" fill=\"%s\"/>\n", colour);
}

/* The settings of an SVG picture. */
typedef struct sheet {
    const cs_theme *theme;
    cs_tier tier;
    char ink[16], ground[16]; /* colours of cells without their own colour */
    FILE *out;
} sheet;

/* Writes a colour in SVG syntax. */
static const char *svg_colour(const cs_style *look, char text[16])
{
    snprintf(text, 16, "#%02x%02x%02x", (unsigned)look->red & 255u,
             (unsigned)look->green & 255u, (unsigned)look->blue & 255u);
    return text;
}

/* Writes a colour in SVG syntax, or `own` for a style without a colour. */
static const char *svg_colour_or(const sheet *to, const cs_style *look,
                                 const char *own, char text[16])
{
    bool none = look->red < 0 || to->tier == CS_TIER_MONO;
    return none ? own : svg_colour(look, text);
}

static void svg_rect(int x, int y, int w, int h, const char *colour, FILE *out)
{
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
            "fill=\"%s\"/>\n",
            x, y, w, h, colour);
}

/* Returns the height of a lower block in eighths of a cell; 0: not a block. */
static int eighths_of(const sheet *to, const cs_cell *cell)
{
    unsigned code = paint_of(to->theme, cell, to->tier).code;
    return code >= 0x2581 && code <= 0x2588 ? (int)(code - 0x2580) : 0;
}

/* Draws lower blocks as areas, because fonts leave gaps between them. */
static void svg_bars(const sheet *to, const cs_cell *line, int x, int end,
                     int y, const char *ink)
{
    for (int last; x < end; x = last) {
        int eighths = eighths_of(to, line + x);
        for (last = x + 1; last < end; last++)
            if (eighths_of(to, line + last) != eighths)
                break;
        if (eighths)
            fprintf(to->out,
                    "<rect x=\"%d\" y=\"%g\" width=\"%d\" height=\"%g\" "
                    "fill=\"%s\"/>\n",
                    PAD + x * CELL_W,
                    PAD + (y + 1) * CELL_H - eighths * CELL_H / 8.0,
                    (last - x) * CELL_W, eighths * CELL_H / 8.0, ink);
    }
}

/* Returns true if a cell is blank or is drawn without a font. */
static bool is_drawn(const sheet *to, const cs_cell *cell)
{
    return cell->code == ' ' || braille(cell->code) || eighths_of(to, cell);
}

static void svg_text(const sheet *to, const cs_cell *line, int x, int end,
                     int y, const char *ink, bool bold)
{
    while (end > x && is_drawn(to, line + end - 1))
        end--;
    if (end == x)
        return;
    fprintf(to->out,
            "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"%s\"%s "
            "xml:space=\"preserve\">",
            PAD + x * CELL_W, PAD + y * CELL_H + 14, (end - x) * CELL_W, ink,
            bold ? " font-weight=\"bold\"" : "");
    for (int i = x; i < end; i++)
        if (is_drawn(to, line + i))
            fputc(' ', to->out);
        else if (line[i].code)
            escaped(to->out, paint_of(to->theme, line + i, to->tier).code);
    fputs("</text>\n", to->out);
}

/* Draws half and whole blocks as areas, because fonts leave gaps between
 * them. */
static void svg_halves(const sheet *to, const cs_cell *line, int x, int end,
                       int y, const char *ink)
{
    for (int i = x, last; i < end; i = last) {
        unsigned code = paint_of(to->theme, line + i, to->tier).code;
        for (last = i + 1; last < end; last++)
            if (paint_of(to->theme, line + last, to->tier).code != code)
                break;
        bool upper = code == 0x2580 || code == 0x2588;
        bool lower = code == 0x2584 || code == 0x2588;
        int half = CELL_H / 2, top = PAD + y * CELL_H + (upper ? 0 : half);
        if (upper || lower)
            svg_rect(PAD + i * CELL_W, top, (last - i) * CELL_W,
                     upper && lower ? CELL_H : half, ink, to->out);
        else {
            svg_bars(to, line, i, last, y, ink);
            svg_text(to, line, i, last, y, ink, false);
        }
    }
}

static void svg_run(const sheet *to, const cs_cell *line, int x, int end, int y)
{
    cs_paint p = paint_of(to->theme, line + x, to->tier);
    unsigned a = p.ink.attributes | line[x].attributes;
    char of_ink[16], of_ground[16];
    const char *ink = svg_colour_or(to, &p.ink, to->ink, of_ink);
    const char *ground = svg_colour_or(to, &p.ground, to->ground, of_ground);
    if (a & CS_REVERSE) {
        const char *swapped = ground;
        ground = ink;
        ink = swapped;
    }
    if (strcmp(ground, to->ground) != 0)
        svg_rect(PAD + x * CELL_W, PAD + y * CELL_H, (end - x) * CELL_W, CELL_H,
                 ground, to->out);
    svg_dots(line, x, end, y, ink, to->out);
    if (line[x].ground != CS_ROLE_NORMAL) {
        svg_halves(to, line, x, end, y, ink);
        return;
    }
    svg_bars(to, line, x, end, y, ink);
    svg_text(to, line, x, end, y, ink, a & CS_BOLD);
}

static void svg(const cs_canvas *c, cs_tier tier, FILE *out)
{
    int w = c->width * CELL_W + 2 * PAD, h = c->height * CELL_H + 2 * PAD;
    sheet to = {.theme = c->theme, .tier = tier, .out = out};
    cs_style ink, ground;
    cs_theme_paper(c->theme, &ink, &ground);
    svg_colour(&ink, to.ink);
    svg_colour(&ground, to.ground);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n"
            "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, "
            "monospace\" font-size=\"15\">\n",
            w, h, w, h, to.ground);
    for (int y = 0; y < c->height; y++) {
        const cs_cell *line = line_of(c, y);
        for (int x = 0, end; x < c->width; x = end) {
            end = x + 1;
            while (end < c->width && alike(line + end, line + x, tier))
                end++;
            svg_run(&to, line, x, end, y);
        }
    }
    fputs("</g>\n</svg>\n", out);
}

bool cs_canvas_export(const cs_canvas *c, cs_medium as, cs_tier tier, FILE *out)
{
    assert(c->width >= 1 && c->height >= 1 && out);
    static void (*const writer[])(const cs_canvas *, cs_tier, FILE *) = {
        [CS_TEXT] = text, [CS_ANSI] = ansi, [CS_SVG] = svg};
    writer[as](c, tier, out);
    return fflush(out) == 0 && !ferror(out);
}

bool cs_medium_of(const char *path, cs_medium *out)
{
    static const char *const ending[] = {
        [CS_TEXT] = ".txt", [CS_ANSI] = ".ans", [CS_SVG] = ".svg"};
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < sizeof ending / sizeof *ending; i++)
        if (strcmp(dot, ending[i]) == 0) {
            *out = (cs_medium)i;
            return true;
        }
    return false;
}
