#include "screen/emit.h"

#include "base/text.h"

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
              cs_theme_look(line[width - 1].role, CS_TIER_MONO).attributes &
                  CS_REVERSE)))
        width--;
    return width;
}

static void put_code(FILE *out, unsigned code)
{
    char bytes[8];
    fwrite(bytes, 1, cs_utf8_encode(code, bytes), out);
}

static void text(const cs_canvas *c, cs_tier tier, FILE *out)
{
    (void)tier;
    for (int y = 0; y < c->height; y++) {
        const cs_cell *line = line_of(c, y);
        int n = length_of(line, c->width, false);
        for (int x = 0; x < n; x++)
            if (line[x].code)
                put_code(out, line[x].code);
        fputc('\n', out);
    }
}

static void sgr(const cs_cell *cell, cs_tier tier, FILE *out)
{
    cs_look look = cs_theme_look(cell->role, tier);
    unsigned a = look.attributes | cell->attributes;
    fputs("\033[0", out);
    fputs(a & CS_BOLD ? ";1" : "", out);
    fputs(a & CS_DIM ? ";2" : "", out);
    fputs(a & CS_UNDERLINE ? ";4" : "", out);
    fputs(a & CS_REVERSE ? ";7" : "", out);
    if (look.colour >= 0 && tier == CS_TIER_256)
        fprintf(out, ";38;5;%d", look.colour);
    else if (look.colour >= 0)
        fprintf(out, ";%d",
                look.colour < 8 ? 30 + look.colour : 82 + look.colour);
    fputc('m', out);
}

static void ansi(const cs_canvas *c, cs_tier tier, FILE *out)
{
    for (int y = 0; y < c->height; y++) {
        const cs_cell *line = line_of(c, y);
        int n = length_of(line, c->width, true);
        for (int x = 0; x < n; x++) {
            if (x == 0 || line[x].role != line[x - 1].role ||
                line[x].attributes != line[x - 1].attributes)
                sgr(line + x, tier, out);
            if (line[x].code)
                put_code(out, cs_theme_code(line[x].role, line[x].code, tier));
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

static void svg_run(const cs_cell *line, int x, int end, int y, cs_tier tier,
                    FILE *out)
{
    cs_look look = cs_theme_look(line[x].role, tier);
    unsigned a = look.attributes | line[x].attributes;
    bool reverse = a & CS_REVERSE;
    char colour[16] = "#d8d8d8";
    if (look.red >= 0 && tier != CS_TIER_MONO)
        snprintf(colour, sizeof colour, "#%02x%02x%02x",
                 (unsigned)look.red & 255u, (unsigned)look.green & 255u,
                 (unsigned)look.blue & 255u);
    int left = PAD + x * CELL_W, top = PAD + y * CELL_H;
    if (reverse)
        fprintf(out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                "fill=\"%s\"/>\n",
                left, top, (end - x) * CELL_W, CELL_H, colour);
    const char *ink = reverse ? "#101418" : colour;
    svg_dots(line, x, end, y, ink, out);
    int last = end;
    while (last > x &&
           (line[last - 1].code == ' ' || braille(line[last - 1].code)))
        last--;
    if (last == x)
        return;
    fprintf(out,
            "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"%s\"%s "
            "xml:space=\"preserve\">",
            left, top + 14, (last - x) * CELL_W, ink,
            a & CS_BOLD ? " font-weight=\"bold\"" : "");
    for (int i = x; i < last; i++)
        if (braille(line[i].code))
            fputc(' ', out);
        else if (line[i].code)
            escaped(out, cs_theme_code(line[i].role, line[i].code, tier));
    fputs("</text>\n", out);
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
            while (end < c->width && line[end].role == line[x].role &&
                   line[end].attributes == line[x].attributes)
                end++;
            svg_run(line, x, end, y, tier, out);
        }
    }
    fputs("</g>\n</svg>\n", out);
}

bool cs_emit(const cs_canvas *c, cs_picture as, cs_tier tier, FILE *out)
{
    static void (*const writer[])(const cs_canvas *, cs_tier, FILE *) = {
        [CS_TEXT] = text, [CS_ANSI] = ansi, [CS_SVG] = svg};
    writer[as](c, tier, out);
    return fflush(out) == 0 && !ferror(out);
}
