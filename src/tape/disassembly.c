/* Disassembly of a traced target: for each of its programs, totals, a table of
 * instructions, and the share of time of each line of the script. */
#include "tape/disassembly.h"

#include "base/memory.h"
#include "base/text.h"
#include "simd/simd.h"
#include "tape/expression_target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 2 * CS_PAD, MOST_LINES = 10, NARROW = 24, HEAD = 27 };
#define BUDGET 0.25 /* seconds per program */

/* A measured program, and the text of each instruction. */
typedef struct measured {
    const cs_program *p;
    double *seconds;
    double total;
    cs_page words; /* null-terminated strings, one after the other */
    size_t *at;    /* [n_code] offset in `words` of each instruction's text */
    size_t widest;
} measured;

static void send(const cs_disassembly *l, cs_page *page)
{
    if (page->text && page->used)
        l->print(l->to, page->text, page->used);
    page->used = 0;
}

/* ---- the script's lines -------------------------------------------------- */

/* Writes line number `line` of the script without indentation, cleaned for a
 * terminal; "" if the line does not exist. */
static void script_line(const char *script, int line, char *out, size_t size)
{
    char raw[200];
    for (; line > 1 && *script; line--) {
        script += strcspn(script, "\n");
        script += *script == '\n';
    }
    script += strspn(script, " \t");
    size_t n = line > 0 ? strcspn(script, "\n") : 0;
    n = n < sizeof raw ? n : sizeof raw - 1;
    memcpy(raw, script, n);
    raw[n] = 0;
    cs_text_clean(raw, out, size);
}

/* Returns the number of bytes of `text` that fit in `capacity` columns, without
 * splitting a character. */
static int fit(const char *text, size_t capacity)
{
    size_t n = strlen(text);
    if (n <= capacity)
        return (int)n;
    for (n = capacity; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
        ;
    return (int)n;
}

/* ---- measuring ----------------------------------------------------------- */

static void fill_start(const cs_target *t, double *x)
{
    size_t dim = t->space.dim;
    double *u = cs_alloc(dim, sizeof *u), *one = cs_alloc(dim, sizeof *one);
    for (size_t l = 0; u && one && l < LANES; l++) {
        for (size_t i = 0; i < dim; i++)
            u[i] = fmod(0.6180339887 * (double)(i * LANES + l + 1), 1);
        cs_target_start(t, u, one);
        for (size_t i = 0; i < dim; i++)
            x[i * LANES + l] = one[i];
    }
    cs_free(u);
    cs_free(one);
}

static bool measure(const cs_target *t, measured *m)
{
    const cs_program *p = m->p;
    double *x = cs_alloc(p->dim * LANES, sizeof *x);
    double *scratch = cs_alloc(p->slots * LANES, sizeof *scratch);
    m->seconds = cs_alloc(p->n_code + 1, sizeof *m->seconds);
    bool good = x && scratch && m->seconds;
    if (good) {
        fill_start(t, x);
        cs_program_time(p, x, LANES, scratch, BUDGET, m->seconds);
    }
    for (size_t i = 0; good && i < p->n_code; i++)
        m->total += m->seconds[i];
    cs_free(x);
    cs_free(scratch);
    return good;
}

static bool say_instructions(measured *m)
{
    const cs_program *p = m->p;
    cs_slot_writer *writer = cs_alloc(p->slots, sizeof *writer);
    m->at = cs_alloc(p->n_code + 1, sizeof *m->at);
    for (size_t s = 0; writer && s < p->dim; s++)
        writer[s] = (cs_slot_writer){0, 0, (uint32_t)p->dim, false};
    for (size_t i = 0; writer && m->at && i < p->n_code; i++) {
        m->at[i] = m->words.used;
        cs_instruction_put(p, i, writer, &m->words);
        size_t n = m->words.used - m->at[i];
        m->widest = n > m->widest ? n : m->widest;
        cs_page_put(&m->words, "%c", 0);
    }
    bool good = writer && m->at && !m->words.full;
    cs_free(writer);
    return good;
}

/* ---- tables -------------------------------------------------------------- */

static void put_time(cs_page *page, double seconds)
{
    if (seconds < 1e-6)
        cs_page_put(page, "%.3g ns", 1e9 * seconds);
    else if (seconds < 1e-3)
        cs_page_put(page, "%.3g us", 1e6 * seconds);
    else if (seconds < 1)
        cs_page_put(page, "%.3g ms", 1e3 * seconds);
    else
        cs_page_put(page, "%.3g s", seconds);
}

static double percent(const measured *m, double seconds)
{
    return m->total > 0 ? 100 * seconds / m->total : 0;
}

/* Returns the number of columns reserved for the text of an instruction. The
 * remaining columns display the script's line. */
static size_t room_for_words(const cs_disassembly *l, const measured *m)
{
    size_t widest = m->widest < 60 ? m->widest : 60;
    if (!l->width)
        return widest;
    size_t rest = l->width > HEAD + NARROW ? l->width - HEAD : NARROW;
    return m->widest <= rest / 2 ? m->widest : rest - rest / 3;
}

static void put_instruction(const cs_disassembly *l, const measured *m,
                            size_t i, size_t capacity, cs_page *page)
{
    char text[240] = "";
    const cs_instruction *k = &m->p->code[i];
    const char *words = m->words.text + m->at[i];
    size_t left =
        l->width > HEAD + capacity + 2 ? l->width - HEAD - capacity - 2 : 0;
    cs_page_put(page, "%6zu %5.1f%% %6d  ", i + 1, percent(m, m->seconds[i]),
                k->line);
    if (l->width && strlen(words) > capacity)
        cs_page_put(page, "%.*s...", (int)capacity - 3, words);
    else
        cs_page_put(page, "%-*s", (int)capacity, words);
    script_line(l->script, k->line, text, sizeof text);
    size_t most = !l->width ? sizeof text : left > NARROW ? left : 0;
    if (most && *text)
        cs_page_put(page, "  %.*s", fit(text, most), text);
    while (page->used && page->text[page->used - 1] == ' ')
        page->text[--page->used] = 0;
    cs_page_put(page, "\n");
}

static void list_instructions(const cs_disassembly *l, const measured *m)
{
    cs_page page = {0};
    size_t n = m->p->n_code, room = room_for_words(l, m);
    size_t shown = l->most && n > l->most ? l->most : n;
    cs_page_put(&page, "     # %6s %6s  instruction\n", "time", "line");
    for (size_t i = 0; i < shown && !page.full; i++) {
        put_instruction(l, m, i, room, &page);
        if (page.used > 4096)
            send(l, &page);
    }
    if (shown < n)
        cs_page_put(&page, "       ... %zu more instructions\n", n - shown);
    send(l, &page);
    cs_free(page.text);
}

typedef struct share {
    int line;
    double seconds;
    size_t n;
} share;

static int by_line(const void *a, const void *b)
{
    const share *p = a, *q = b;
    return (p->line > q->line) - (p->line < q->line);
}

static int by_time(const void *a, const void *b)
{
    const share *p = a, *q = b;
    return (p->seconds < q->seconds) - (p->seconds > q->seconds);
}

/* Prints the lines of the script that take most of the time. */
static void list_lines(const cs_disassembly *l, const measured *m)
{
    size_t n = 0, code = m->p->n_code;
    cs_page page = {0};
    share *s = cs_alloc(code + 1, sizeof *s);
    for (size_t i = 0; s && i < code; i++)
        s[i] = (share){m->p->code[i].line, m->seconds[i], 1};
    if (s && code > 1)
        qsort(s, code, sizeof *s, by_line);
    for (size_t i = 0; s && i < code; i++) {
        if (n && s[n - 1].line == s[i].line) {
            s[n - 1].seconds += s[i].seconds;
            s[n - 1].n++;
        } else
            s[n++] = s[i];
    }
    if (n > 1)
        qsort(s, n, sizeof *s, by_time);
    cs_page_put(&page, "  by line\n");
    for (size_t i = 0; i < n && i < MOST_LINES; i++) {
        char text[240];
        size_t capacity = l->width > HEAD + NARROW ? l->width - HEAD : NARROW;
        script_line(l->script, s[i].line, text, sizeof text);
        cs_page_put(&page, "%6zu %5.1f%% %6d  %.*s\n", s[i].n,
                    percent(m, s[i].seconds), s[i].line,
                    fit(text, l->width ? capacity : sizeof text), text);
    }
    send(l, &page);
    cs_free(page.text);
    cs_free(s);
}

static void list_totals(const cs_disassembly *l, const cs_tape_inside *in,
                        const cs_tape_part *part, const measured *m)
{
    cs_page page = {0};
    cs_page_put(&page,
                "\n%s: %zu nodes, %zu instructions, %zu slots (%zu bytes a "
                "lane), ",
                part->name,
                cs_graph_count(in->graph, part->roots, part->n_roots),
                m->p->n_code, m->p->slots, m->p->slots * sizeof(double));
    put_time(&page, m->total / LANES);
    cs_page_put(&page, " a chain\n");
    send(l, &page);
    cs_free(page.text);
}

/* ---- listing ------------------------------------------------------------- */

static bool list_part(const cs_target *t, const cs_disassembly *l,
                      const cs_tape_inside *in, const cs_tape_part *part)
{
    measured m = {.p = part->program};
    bool good = measure(t, &m) && say_instructions(&m);
    if (good) {
        list_totals(l, in, part, &m);
        list_instructions(l, &m);
        if (m.p->n_code > 1)
            list_lines(l, &m);
    }
    CS_FREE_ALL(m.seconds, m.at, m.words.text);
    return good;
}

bool cs_disassembly_program(const cs_disassembly *l, const cs_program *p,
                            double *seconds)
{
    measured m = {.p = p, .seconds = seconds};
    for (size_t i = 0; i < p->n_code; i++)
        m.total += seconds[i];
    bool good = say_instructions(&m);
    if (good) {
        list_instructions(l, &m);
        if (p->n_code > 1)
            list_lines(l, &m);
    }
    cs_free(m.at);
    cs_free(m.words.text);
    return good;
}

static void list_sites(const cs_target *t, const cs_site_programs *locals,
                       cs_page *page)
{
    size_t code = 0, most = 0;
    for (size_t d = 0; locals && d < locals->dim; d++) {
        const cs_program *p = locals->at[d].program;
        size_t n = p ? p->n_code : 0;
        code += n;
        most = n > most ? n : most;
    }
    if (locals)
        cs_page_put(page,
                    "site differences: %zu programs for %zu sites, "
                    "%.1f instructions on average, %zu at most\n",
                    locals->n_programs, locals->n_sites,
                    (double)code / (double)locals->n_sites, most);
    else if (!cs_space_is_real(&t->space))
        cs_page_put(page, "site differences: by whole evaluations\n");
}

/* Returns the memory of the expression and its programs, in bytes. */
static double bytes_of(const cs_tape_inside *in)
{
    const cs_graph *g = in->graph;
    double bytes =
        (double)(g->n_nodes * sizeof *g->nodes + g->n_args * sizeof *g->args);
    for (size_t i = 0; i < g->n_constants; i++)
        bytes += (double)(g->constants[i].rows * g->constants[i].cols *
                          sizeof(double));
    for (size_t i = 0; i < CS_TAPE_PARTS; i++) {
        const cs_program *p = in->part[i].program;
        bytes += (double)(p->n_code * sizeof *p->code +
                          p->n_terms * sizeof *p->terms +
                          p->n_constants * sizeof *p->constants);
    }
    return bytes;
}

static void list_head(const cs_target *t, const cs_disassembly *l,
                      const cs_tape_inside *in)
{
    cs_page page = {0};
    char name[200];
    cs_text_clean(t->name, name, sizeof name);
    cs_page_put(&page, "target %s on %s(%zu): ", name,
                cs_space_name(t->space.kind), t->space.dim);
    if (in->graph->recorded)
        cs_page_put(&page, "%zu operations recorded", in->graph->recorded);
    cs_page_put(&page, " in ");
    put_time(&page, in->graph->seconds);
    cs_page_put(&page, ", differentiated and compiled in ");
    put_time(&page, in->seconds);
    double bytes = bytes_of(in);
    cs_page_put(&page, bytes < 1e6 ? ", %.3g kB\n" : ", %.4g MB\n",
                bytes < 1e6 ? bytes / 1e3 : bytes / 1e6);
    list_sites(t, in->locals, &page);
    send(l, &page);
    cs_free(page.text);
}

cs_status cs_tape_list(const cs_target *t, const cs_disassembly *l,
                       cs_error *err)
{
    cs_tape_inside in;
    if (t->n_rows)
        return cs_term_list(t, l, err);
    if (!cs_tape_target_inside(t, &in)) {
        cs_fail(err, CS_UNSUPPORTED, "target %s has no tape: it is %s", t->name,
                t->flags & CS_TARGET_HIDDEN ? "called, not traced"
                                            : "built in");
        cs_hint(err, "write log_density in Lua, without "
                     "a gradient and without traced = false");
        return CS_UNSUPPORTED;
    }
    list_head(t, l, &in);
    cs_target *again = NULL;
    if (in.origin && !in.origin->again(in.origin->self, &again, NULL))
        cs_tape_target_inside(again, &in);
    bool good = true;
    for (size_t i = 0; i < CS_TAPE_PARTS && good; i++)
        good = list_part(again ? again : t, l, &in, &in.part[i]);
    cs_target_release(again);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for the disassembly");
}
