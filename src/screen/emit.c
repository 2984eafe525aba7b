#include "screen/emit.h"

#include "base/text.h"

#include <assert.h>

enum { CELL_W = 9, CELL_H = 18, PAD = 8 };

static const cs_cell *line_of(const cs_canvas *c, int y)
{
    return c->cell + (size_t)y * (size_t)c->width;
}

static int length_of(const cs_cell *line, int width, bool blanks_matter)
{
    while (width > 0 && line[width - 1].code == ' ' &&
           !(blanks_matter &&
             (line[width - 1].attributes & CS_REVERSE ||
              line[width - 1].ground != CS_ROLE_NORMAL ||
              cs_theme_style(line[width - 1].role, CS_TIER_MONO).attributes &
                  CS_REVERSE)))
        width--;
    return width;
}

static void put_code(FILE *out, unsigned code)
{
    char bytes[8];
    fwrite(bytes, 1, cs_utf8_encode(code, bytes), out);
}

static cs_paint paint_of(const cs_cell *cell, cs_tier tier)
{
    return cs_theme_paint(cell->role, cell->ground, cell->code, tier);
}

static void text(const cs_canvas *c, cs_tier tier, FILE *out)
{
    (void)tier;
    for (int y = 0; y < c->height; y++) {
        const cs_cell *line = line_of(c, y);
        int n = length_of(line, c->width, false);
        for (int x = 0; x < n; x++)
            if (line[x].code)
                put_code(out, paint_of(line + x, CS_TIER_MONO).code);
        fputc('\n', out);
    }
}

/* `base`: 30 the ink, 40 the ground. */
static void sgr_colour(const cs_style *look, int base, cs_tier tier, FILE *out)
{
    if (look->colour >= 0 && tier == CS_TIER_TRUE)
        fprintf(out, ";%d;2;%d;%d;%d", base + 8, look->red, look->green,
                look->blue);
    else if (look->colour >= 0 && tier == CS_TIER_256)
        fprintf(out, ";%d;5;%d", base + 8, look->colour);
    else if (look->colour >= 0)
        fprintf(out, ";%d",
                look->colour < 8 ? base + look->colour
                                 : base + 52 + look->colour);
}

static void sgr(const cs_cell *cell, cs_tier tier, FILE *out)
{
    cs_paint p = paint_of(cell, tier);
    unsigned a = p.ink.attributes | cell->attributes;
    fputs("\033[0", out);
    fputs(a & CS_BOLD ? ";1" : "", out);
    fputs(a & CS_DIM ? ";2" : "", out);
    fputs(a & CS_UNDERLINE ? ";4" : "", out);
    fputs(a & CS_REVERSE ? ";7" : "", out);
    sgr_colour(&p.ink, 30, tier, out);
    sgr_colour(&p.ground, 40, tier, out);
    fputc('m', out);
}

static void ansi(const cs_canvas *c, cs_tier tier, FILE *out)
{
    for (int y = 0; y < c->height; y++) {
        const cs_cell *line = line_of(c, y);
        int n = length_of(line, c->width, true);
        for (int x = 0; x < n; x++) {
            if (x == 0 || !cs_cells_alike(line + x, line + x - 1))
                sgr(line + x, tier, out);
            if (line[x].code)
                put_code(out, paint_of(line + x, tier).code);
        }
        fputs("\033[0m\n", out);
    }
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

/* The dots of braille cells as squares: in few fonts they are as wide as the
 * other characters. */
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

/* The colour of a look as SVG writes it: of its own where it has none. */
static const char *svg_colour(const cs_style *look, cs_tier tier,
                              const char *own, char text[16])
{
    if (look->red < 0 || tier == CS_TIER_MONO)
        return own;
    snprintf(text, 16, "#%02x%02x%02x", (unsigned)look->red & 255u,
             (unsigned)look->green & 255u, (unsigned)look->blue & 255u);
    return text;
}

static void svg_rect(int x, int y, int w, int h, const char *colour, FILE *out)
{
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
            "fill=\"%s\"/>\n",
            x, y, w, h, colour);
}

static void svg_text(const cs_cell *line, int x, int end, int y, cs_tier tier,
                     const char *ink, bool bold, FILE *out)
{
    while (end > x &&
           (line[end - 1].code == ' ' || braille(line[end - 1].code)))
        end--;
    if (end == x)
        return;
    fprintf(out,
            "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"%s\"%s "
            "xml:space=\"preserve\">",
            PAD + x * CELL_W, PAD + y * CELL_H + 14, (end - x) * CELL_W, ink,
            bold ? " font-weight=\"bold\"" : "");
    for (int i = x; i < end; i++)
        if (braille(line[i].code))
            fputc(' ', out);
        else if (line[i].code)
            escaped(out, paint_of(line + i, tier).code);
    fputs("</text>\n", out);
}

/* Halves and whole cells of a picture as areas: fonts leave gaps. */
static void svg_halves(const cs_cell *line, int x, int end, int y, cs_tier tier,
                       const char *ink, FILE *out)
{
    for (int i = x, last; i < end; i = last) {
        unsigned code = paint_of(line + i, tier).code;
        for (last = i + 1; last < end; last++)
            if (paint_of(line + last, tier).code != code)
                break;
        bool upper = code == 0x2580 || code == 0x2588;
        bool lower = code == 0x2584 || code == 0x2588;
        int half = CELL_H / 2, top = PAD + y * CELL_H + (upper ? 0 : half);
        if (upper || lower)
            svg_rect(PAD + i * CELL_W, top, (last - i) * CELL_W,
                     upper && lower ? CELL_H : half, ink, out);
        else
            svg_text(line, i, last, y, tier, ink, false, out);
    }
}

static void svg_run(const cs_cell *line, int x, int end, int y, cs_tier tier,
                    FILE *out)
{
    static const char dark[] = "#101418";
    cs_paint p = paint_of(line + x, tier);
    unsigned a = p.ink.attributes | line[x].attributes;
    char of_ink[16], of_ground[16];
    const char *ink = svg_colour(&p.ink, tier, "#d8d8d8", of_ink);
    const char *ground = svg_colour(&p.ground, tier, NULL, of_ground);
    if (a & CS_REVERSE) {
        const char *swapped = ground ? ground : dark;
        ground = ink;
        ink = swapped;
    }
    if (ground)
        svg_rect(PAD + x * CELL_W, PAD + y * CELL_H, (end - x) * CELL_W, CELL_H,
                 ground, out);
    svg_dots(line, x, end, y, ink, out);
    if (line[x].ground == CS_ROLE_NORMAL)
        svg_text(line, x, end, y, tier, ink, a & CS_BOLD, out);
    else
        svg_halves(line, x, end, y, tier, ink, out);
}

static void svg(const cs_canvas *c, cs_tier tier, FILE *out)
{
    int w = c->width * CELL_W + 2 * PAD, h = c->height * CELL_H + 2 * PAD;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#101418\"/>\n"
            "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, "
            "monospace\" font-size=\"15\">\n",
            w, h, w, h);
    for (int y = 0; y < c->height; y++) {
        const cs_cell *line = line_of(c, y);
        for (int x = 0, end; x < c->width; x = end) {
            end = x + 1;
            while (end < c->width && cs_cells_alike(line + end, line + x))
                end++;
            svg_run(line, x, end, y, tier, out);
        }
    }
    fputs("</g>\n</svg>\n", out);
}

bool cs_emit(const cs_canvas *c, cs_medium as, cs_tier tier, FILE *out)
{
    assert(c->width >= 1 && c->height >= 1 && out);
    static void (*const writer[])(const cs_canvas *, cs_tier, FILE *) = {
        [CS_TEXT] = text, [CS_ANSI] = ansi, [CS_SVG] = svg};
    writer[as](c, tier, out);
    return fflush(out) == 0 && !ferror(out);
}
