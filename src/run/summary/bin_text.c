/* Describes the bins of a kernel in summaries. */
#include "run/summary/bin_text.h"
#include "base/memory.h"
#include "run/views/reports.h"
#include "run/views/view.h"

enum { BYTES = 1 << 20 };

/* Opens the report of an arm's kernel [own]; NULL: the kernel has no bins. */
static void *look_at_bins(cs_run *run, size_t arm, cs_flat *f)
{
    cs_flat_entry e;
    void *memory = NULL;
    size_t capacity = 0; /* not zeroed, since reports fill only a part */
    if (!cs_extend(&memory, 0, &capacity, BYTES, 1))
        return NULL;
    cs_flat_begin(f, memory, BYTES);
    if (cs_run_report_one(run, arm, "kernel", "", f) &&
        cs_flat_find(f->base, f->used, &e, "bin_low") && e.data)
        return memory;
    cs_free(memory);
    return NULL;
}

static const double *row_of(const cs_flat *f, const char *key, size_t *n)
{
    cs_flat_entry e;
    *n = 0;
    if (!cs_flat_find(f->base, f->used, &e, "%s", key) || !e.data)
        return NULL;
    *n = e.rows * e.cols;
    return e.data;
}

void cs_bins_text(cs_run *run, size_t arm, cs_page *p)
{
    cs_flat f;
    size_t n, k, seen = 0, learning = 0;
    void *memory = look_at_bins(run, arm, &f);
    if (!memory)
        return;
    const double *visits = row_of(&f, "bin_visits", &n);
    for (size_t i = 0; visits && i < n; i++)
        seen += visits[i] > 0;
    const double *share = row_of(&f, "bin_learning", &k);
    for (size_t i = 0; visits && share && i < n && k == n; i++)
        learning += visits[i] > 0 && share[i] > 0;
    if (visits)
        cs_page_put(p, "  bins: %zu of %zu were visited", seen, n);
    if (seen && share)
        cs_page_put(p, "; %zu of these are still being learned by some chain",
                    learning);
    const double *low = row_of(&f, "bin_low", &k);
    const double *high = row_of(&f, "bin_high", &k);
    if (visits && !seen && cs_run_arm(run, arm).steps > 0 && low && high && n &&
        k == n)
        cs_page_put(
            p,
            ": no chain has reached the window, %g to %g; start the chains in "
            "the window, or move the window with first, width and bins",
            low[0], high[n - 1]);
    if (visits)
        cs_page_put(p, "\n");
    cs_free(memory);
}

void cs_bins_json(cs_run *run, size_t arm, cs_page *p)
{
    static const char *const keys[] = {
        "bin_low",    "bin_high",     "bin_weight",
        "bin_spread", "bin_truth",    "bin_multiplier",
        "bin_visits", "bin_learning", NULL};
    cs_flat f;
    size_t n, written = 0;
    void *memory = look_at_bins(run, arm, &f);
    if (!memory)
        return;
    cs_page_put(p, ", \"bins\": {");
    for (size_t k = 0; keys[k]; k++) {
        const double *row = row_of(&f, keys[k], &n);
        if (!row)
            continue;
        cs_page_put(p, "%s\"%s\": [", written++ ? ", " : "", keys[k] + 4);
        for (size_t i = 0; i < n; i++) {
            cs_page_put(p, "%s", i ? ", " : "");
            cs_page_number(p, row[i]);
        }
        cs_page_put(p, "]");
    }
    cs_page_put(p, "}");
    cs_free(memory);
}
