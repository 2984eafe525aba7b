#include "cli/many/replicate_table.h"

#include "base/cells.h"
#include "base/flat.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1200 };
#define COUNT_OF(rows) (sizeof(rows) / sizeof *(rows))

/* ---- fields of a claim ---- */

static bool is_claim(const cs_replica *r, size_t i)
{
    cs_flat_entry e;
    return r->claims &&
           cs_flat_find(r->claims, r->size, &e, "claim/%zu/arm", i);
}

/* Copies the text under `key` of claim i, without control characters. Returns
 * false and copies "" if the claim has no such text. */
static bool text_of(const cs_replica *r, size_t i, const char *key,
                    char out[TEXT])
{
    cs_flat_entry e;
    bool there =
        cs_flat_find(r->claims, r->size, &e, "claim/%zu/%s", i, key) && e.text;
    cs_text_clean(there ? e.text : "", out, TEXT);
    return there;
}

static double number_of(const cs_replica *r, size_t i, const char *key)
{
    cs_flat_entry e;
    bool there =
        cs_flat_find(r->claims, r->size, &e, "claim/%zu/%s", i, key) && e.data;
    return there ? e.data[0] : (double)NAN;
}

/* Copies a text of claim i like text_of. Returns true only if the claim has
 * this text, and no earlier claim has an equal text. */
static bool is_new(const cs_replica *r, size_t i, const char *key,
                   char out[TEXT])
{
    char before[TEXT];
    bool new = text_of(r, i, key, out);
    for (size_t k = 0; k < i && new; k++)
        new = !text_of(r, k, key, before) || strcmp(out, before) != 0;
    return new;
}

static bool answer_is(const cs_replica *r, size_t i, const char *answer)
{
    char text[TEXT];
    text_of(r, i, "answer", text);
    return strcmp(text, answer) == 0;
}

/* Returns the counter in *v for the verdict of claim i. */
static size_t *count_of(const cs_replica *r, size_t i, cs_verdicts *v)
{
    const struct {
        const char *answer;
        size_t *count;
    } rows[] = {{"holds", &v->hold},
                {"does not hold", &v->fail},
                {"right direction, other size", &v->size},
                {"not run", &v->idle}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (answer_is(r, i, rows[k].answer))
            return rows[k].count;
    return &v->open;
}

/* Returns the number of claims that are tested only in the full setting. */
static size_t count_left(const cs_replica *r)
{
    cs_flat_entry e;
    bool there = r->claims &&
                 cs_flat_find(r->claims, r->size, &e, "claims/left_out") &&
                 e.data;
    return there ? (size_t)e.data[0] : 0;
}

/* Returns true if the verdict of claim i differs from the scenario's
 * expectation. */
static bool is_surprise(const cs_replica *r, size_t i)
{
    static const char *const loud[] = {"DOES NOT HOLD", "HOLDS, unexpectedly",
                                       "RIGHT DIRECTION, OTHER SIZE"};
    char verdict[TEXT], off[TEXT];
    text_of(r, i, "verdict", verdict);
    for (size_t k = 0; k < sizeof loud / sizeof *loud; k++)
        if (strcmp(verdict, loud[k]) == 0)
            return true;
    return text_of(r, i, "off", off);
}

void cs_replicate_count(const cs_replica *r, cs_verdicts *v)
{
    char loose[TEXT];
    v->broken += r->failure != NULL;
    v->left += count_left(r);
    for (size_t i = 0; is_claim(r, i); i++) {
        bool empty = text_of(r, i, "loose", loose);
        ++*(empty ? &v->loose : count_of(r, i, v));
        v->surprises += is_surprise(r, i);
    }
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void put_counts(cs_page *p, const cs_replicate_head *h,
                       const cs_verdicts *v)
{
    size_t n = v->hold + v->fail + v->size + v->open + v->idle + v->loose;
    cs_page_put(
        p,
        "%zu claim%s in %zu scenario%s. Hold: %zu; do not hold: %zu; cannot "
        "tell: %zu",
        n, plural(n), h->done, plural(h->done), v->hold, v->fail, v->open);
    if (v->size)
        cs_page_put(p, "; right direction, other size: %zu", v->size);
    if (v->loose)
        cs_page_put(p, "; hold by bounds that cannot fail: %zu", v->loose);
    if (v->idle)
        cs_page_put(p, "; not run for lack of data: %zu", v->idle);
    cs_page_put(p, ".");
    if (v->left)
        cs_page_put(p, " %zu claim%s left out (full setting only).", v->left,
                    v->left == 1 ? " is" : "s are");
    if (v->surprises)
        cs_page_put(p, " %zu not as the scenario expects.", v->surprises);
    if (v->broken)
        cs_page_put(p, " %zu scenario%s failed.", v->broken, plural(v->broken));
    if (h->done < h->scenarios)
        cs_page_put(p, " %zu scenario%s not run.", h->scenarios - h->done,
                    plural(h->scenarios - h->done));
}

/* ---- columns ---- */

typedef struct claim {
    const cs_replica *r;
    size_t i;
    char *scratch; /* [TEXT] memory for one text */
} claim;

static void claim_cell(const cs_column *c, const void *row,
                       cs_column_cell *cell)
{
    const claim *at = row;
    if (c->kind == CS_COLUMN_NUMBER)
        cell->value = number_of(at->r, at->i, c->key);
    else if (text_of(at->r, at->i, c->key, at->scratch))
        cell->text = at->scratch;
}

static void claim_measured(const cs_column *c, const void *row,
                           cs_column_cell *cell)
{
    (void)c;
    claim_cell(&(cs_column){.key = "as_measured"}, row, cell);
}

/* Prints a note below a claim. If the claim was not measured, the note is the
 * reason; otherwise it is the scenario's note on the claim. Also prints how the
 * setting of the claim differs from the paper's. */
static void claim_note(const cs_column *c, const void *row,
                       cs_column_cell *cell)
{
    static const char *const more[] = {"off", "loose"};
    const claim *at = row;
    char text[TEXT], *note = at->scratch;
    (void)c;
    if (!text_of(at->r, at->i, "reason", note))
        text_of(at->r, at->i, "note", note);
    for (size_t k = 0; k < COUNT_OF(more); k++) {
        size_t used = strlen(note);
        if (text_of(at->r, at->i, more[k], text))
            snprintf(note + used, TEXT - used, " (%s)", text);
    }
    cell->text = note;
}

static void claim_scenario(const cs_column *c, const void *row,
                           cs_column_cell *cell)
{
    const claim *at = row;
    (void)c;
    snprintf(at->scratch, TEXT, "%s/%s", at->r->folder, at->r->name);
    cell->text = at->scratch;
}

static void claim_failure(const cs_column *c, const void *row,
                          cs_column_cell *cell)
{
    const claim *at = row;
    claim_cell(c, row, cell);
    if (at->r->failure)
        cell->text = at->r->failure;
}

/* The columns of all formats. CSV has the columns with a key. JSON has the same
 * columns except the first, which is equal for all claims of a scenario. Text
 * has the columns with a name. */
static const cs_column columns[] = {
    {.key = "scenario", .get = claim_scenario},
    {.name = "arm", .key = "arm", .get = claim_cell},
    {.name = "figure", .key = "figure", .get = claim_cell},
    {.name = "paper", .key = "paper", .get = claim_cell},
    {.key = "quote", .get = claim_cell},
    {.key = "where", .get = claim_cell},
    {.key = "source", .get = claim_cell},
    {.name = "claimed", .key = "bound", .get = claim_cell},
    {.name = "measured", .get = claim_measured},
    CS_COLUMN("exact", "exact", NUMBER, 6, .get = claim_cell, .missing = ""),
    {.key = "answer", .get = claim_cell},
    {.name = "does it hold?", .key = "verdict", .get = claim_cell},
    {.name = "note", .get = claim_note},
    {.key = "by", .get = claim_cell},
    {.key = "reason", .get = claim_failure},
    {.key = "off", .get = claim_cell},
    {.key = "note", .get = claim_cell},
    {.key = "loose", .get = claim_cell},
    {.key = "setting", .get = claim_cell},
    CS_COLUMN(NULL, "measured", NUMBER, 0, .get = claim_cell),
    CS_COLUMN(NULL, "error", NUMBER, 0, .get = claim_cell),
    CS_COLUMN(NULL, "freedom", NUMBER, 0, .get = claim_cell),
};
enum { COLUMNS = COUNT_OF(columns) };

/* Returns true for a column that text prints below the row of a claim, so that
 * lines remain short. */
static bool is_below(const cs_column *c)
{
    static const char *const names[] = {"paper", "exact", "note"};
    for (size_t k = 0; k < COUNT_OF(names); k++)
        if (c->name && strcmp(c->name, names[k]) == 0)
            return true;
    return false;
}

/* Makes a table with a row per claim. */
static cs_cells table_of(const cs_replica *r, const cs_column *c, size_t n)
{
    char buffer[TEXT];
    cs_cells t = cs_cells_begin(c, n);
    for (size_t i = 0; is_claim(r, i); i++)
        cs_cells_add(&t, &(claim){r, i, buffer});
    return t;
}

/* ---- text ---- */

static void text_head(cs_page *p, const cs_replicate_head *h)
{
    cs_page_put(p,
                "%s, %s setting; +- is one standard error, in brackets its "
                "degrees of freedom; cannot tell: the difference from the "
                "claim is within "
                "the error\n",
                *h->what ? h->what : "all papers", h->quick ? "quick" : "full");
}

static void text_note(cs_page *p, const char *head, const char *text)
{
    if (*text)
        cs_page_put(p, "      %s%s\n", head, text);
}

/* Prints the notes below the row of claim i. */
static void text_claim(cs_page *p, const cs_replica *r, size_t i)
{
    char bound[TEXT], text[TEXT];
    text_of(r, i, "bound", bound);
    text_of(r, i, "paper", text);
    text_note(p, "paper: ", text);
    double exact = number_of(r, i, "exact");
    if (strncmp(bound, "exactly", 7) != 0 && !isnan(exact))
        cs_page_put(p, "      exactly: %.6g\n", exact);
    if (text_of(r, i, "off", text))
        text_note(p, "", text);
    if (text_of(r, i, "loose", text))
        text_note(p, "", text);
    text_of(r, i, "note", text);
    text_note(p, "note: ", text);
    if (text_of(r, i, "reason", text))
        text_note(p, "not measured: ", text);
}

/* Prints how the scenario's setting differs from the paper's. Each difference
 * is printed once. */
static void put_settings(cs_page *p, const cs_replica *r, const char *head,
                         const char *end)
{
    char text[TEXT];
    for (size_t i = 0; is_claim(r, i); i++)
        if (is_new(r, i, "setting", text))
            cs_page_put(p, "%s%s%s", head, text, end);
}

/* Prints how the errors were estimated. Each method is printed once. */
static void text_errors(cs_page *p, const cs_replica *r)
{
    char by[TEXT];
    size_t said = 0;
    for (size_t i = 0; is_claim(r, i); i++)
        if (is_new(r, i, "by", by))
            cs_page_put(p, "%s%s", said++ ? "; " : "  errors: ", by);
    if (said)
        cs_page_put(p, "\n");
}

/* Prints the meaning of each measured quantity once. */
static void text_figures(cs_page *p, const cs_replica *r)
{
    char means[TEXT], stat[TEXT];
    for (size_t i = 0; is_claim(r, i); i++)
        if (is_new(r, i, "means", means)) {
            text_of(r, i, "stat", stat);
            cs_page_put(p, "  %s = %s\n", stat, means);
        }
}

static void text_one(cs_page *p, const cs_replica *r, size_t i)
{
    (void)i;
    cs_page_put(p, "\n%s/%s: %s%s%s%s (%.1f s)\n", r->folder, r->name, r->title,
                *r->source ? " (" : "", r->source, *r->source ? ")" : "",
                r->seconds);
    if (r->failure) {
        cs_page_put(p, "  failed: %s\n", r->failure);
        return;
    }
    put_settings(p, r, "  setting: ", "\n");
    cs_column shown[COLUMNS];
    size_t n = 0;
    for (size_t k = 0; k < COLUMNS; k++)
        if (!is_below(&columns[k]))
            shown[n++] = columns[k];
    cs_cells t = table_of(r, shown, n);
    for (size_t k = 0; k <= t.rows; k++) {
        cs_cells_line(&t, k, p);
        if (k)
            text_claim(p, r, k - 1);
    }
    p->full |= t.full;
    cs_cells_fini(&t);
    text_figures(p, r);
    text_errors(p, r);
}

static void text_tail(cs_page *p, const cs_replicate_head *h,
                      const cs_verdicts *v)
{
    cs_page_put(p, "\n");
    put_counts(p, h, v);
    cs_page_put(p, "\n");
    for (size_t i = 0; i < h->n_absent; i++)
        cs_page_put(p, "%s- %s\n", i ? "" : "\nResults without a scenario:\n\n",
                    h->absent[i]);
}

/* ---- markdown ---- */

/* Appends text of a scenario with markup, links and pictures escaped. */
static void put_cell(cs_page *p, const char *text)
{
    cs_markup_text(cs_markup_find("markdown"), text, p);
}

static void markdown_tail(cs_page *p, const cs_replicate_head *h,
                          const cs_verdicts *v)
{
    cs_page_put(p, "\n");
    put_counts(p, h, v);
    cs_page_put(p, "\n");
    for (size_t i = 0; i < h->n_absent; i++) {
        cs_page_put(p, "%s- ", i ? "" : "\nResults without a scenario:\n\n");
        put_cell(p, h->absent[i]);
        cs_page_put(p, "\n");
    }
}

static void markdown_head(cs_page *p, const cs_replicate_head *h)
{
    cs_page_put(p, "# ");
    put_cell(p, *h->what ? h->what : "All papers");
    cs_page_put(p,
                "\n\n%s setting; +- is one standard error, in "
                "brackets its degrees of freedom.\n",
                h->quick ? "Quick" : "Full");
}

static void markdown_one(cs_page *p, const cs_replica *r, size_t i)
{
    (void)i;
    cs_page_put(p, "\n## ");
    put_cell(p, r->title);
    cs_page_put(p, "\n\n`%s/%s`", r->folder, r->name);
    if (*r->source) {
        cs_page_put(p, ", ");
        put_cell(p, r->source);
    }
    cs_page_put(p, ", %.1f s\n\n", r->seconds);
    if (r->failure) {
        cs_page_put(p, "Failed: ");
        put_cell(p, r->failure);
        cs_page_put(p, "\n");
        return;
    }
    char text[TEXT];
    for (size_t k = 0; is_claim(r, k); k++)
        if (is_new(r, k, "setting", text)) {
            cs_page_put(p, "Setting: ");
            put_cell(p, text);
            cs_page_put(p, "\n\n");
        }
    cs_cells t = table_of(r, columns, COLUMNS);
    cs_cells_put(&t, cs_markup_find("markdown"), p);
    cs_cells_fini(&t);
}

/* ---- JSON ---- */

static void json_head(cs_page *p, const cs_replicate_head *h)
{
    cs_page_put(p, "{\n  \"version\": \"%s\",\n  \"paper\": ", CS_VERSION);
    if (*h->what)
        cs_page_quoted(p, h->what);
    else
        cs_page_put(p, "null");
    cs_page_put(p, ",\n  \"setting\": \"%s\",\n  \"scenarios\": [",
                h->quick ? "quick" : "full");
}

static void json_text(cs_page *p, const char *key, const char *text)
{
    cs_page_put(p, "\"%s\": ", key);
    cs_page_quoted(p, text);
}

static void json_one(cs_page *p, const cs_replica *r, size_t i)
{
    cs_page_put(p, "%s\n    {", i ? "," : "");
    json_text(p, "scenario", r->name);
    cs_page_put(p, ", ");
    json_text(p, "folder", r->folder);
    cs_page_put(p, ", ");
    json_text(p, "title", r->title);
    cs_page_put(p, ", ");
    json_text(p, "source", r->source);
    cs_page_put(p, ", \"seconds\": ");
    cs_page_number(p, r->seconds);
    cs_page_put(p, ", \"seeds\": %.0f, \"failed\": ", r->seeds);
    if (r->failure)
        cs_page_quoted(p, r->failure);
    else
        cs_page_put(p, "null");
    cs_page_put(p, ", \"claims\": [");
    cs_cells t = table_of(r, columns + 1, COLUMNS - 1);
    cs_cells_json(&t, "\n      ", p);
    cs_cells_fini(&t);
    cs_page_put(p, "]}");
}

static void json_tail(cs_page *p, const cs_replicate_head *h,
                      const cs_verdicts *v)
{
    cs_page_put(p,
                "\n  ],\n  \"hold\": %zu, \"do_not_hold\": %zu, "
                "\"other_size\": %zu, \"cannot_fail\": %zu, "
                "\"cannot_tell\": %zu, \"not_as_said\": %zu, "
                "\"not_run\": %zu, \"of_the_full_setting_only\": %zu, "
                "\"complete\": %s,\n  \"absent\": [",
                v->hold, v->fail, v->size, v->loose, v->open, v->surprises,
                v->idle, v->left,
                h->done == h->scenarios && !v->broken ? "true" : "false");
    for (size_t i = 0; i < h->n_absent; i++) {
        cs_page_put(p, "%s", i ? ", " : "");
        cs_page_quoted(p, h->absent[i]);
    }
    cs_page_put(p, "]\n}\n");
}

/* ---- CSV ---- */

static void csv_head(cs_page *p, const cs_replicate_head *h)
{
    (void)h;
    cs_cells t = cs_cells_begin(columns, COLUMNS);
    cs_cells_csv_head(&t, p);
}

/* Writes one line per claim. A failed scenario has one line with the reason. */
static void csv_one(cs_page *p, const cs_replica *r, size_t i)
{
    (void)i;
    char buffer[TEXT];
    cs_cells t = table_of(r, columns, COLUMNS);
    if (r->failure && !t.rows)
        cs_cells_add(&t, &(claim){r, 0, buffer});
    cs_cells_csv_rows(&t, p);
    cs_cells_fini(&t);
}

static void csv_tail(cs_page *p, const cs_replicate_head *h,
                     const cs_verdicts *v)
{
    (void)p, (void)h, (void)v;
}

/* ---- the table ---- */

static const cs_replicate_format table[] = {
    {"text", ".txt", text_head, text_one, text_tail},
    {"markdown", ".md", markdown_head, markdown_one, markdown_tail},
    {"json", ".json", json_head, json_one, json_tail},
    {"csv", ".csv", csv_head, csv_one, csv_tail},
};

const cs_replicate_format *cs_replicate_format_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}
