#include "run/summary/learned_figures.h"

#include "base/memory.h"
#include "run/arms/learner.h"
#include "run/views/reports.h"
#include "run/views/view.h"

#include <math.h>
#include <stddef.h>

enum { ROOM = 1 << 18 };

/* A column of the report: a member of the struct that describes a row. */
typedef struct column {
    size_t at; /* offset in bytes */
    const char *name;
} column;

#define OF(type, field)                                                        \
    {                                                                          \
        offsetof(type, field), #field                                          \
    }

static const column way[] = {
    OF(cs_learned_row, update),
    OF(cs_learned_row, data),
    OF(cs_learned_row, chains),
};

static const column judged[] = {
    OF(cs_judgement, update),      OF(cs_judgement, test),
    OF(cs_judgement, test_error),  OF(cs_judgement, train),
    OF(cs_judgement, train_error), OF(cs_judgement, log_z),
    OF(cs_judgement, error),       OF(cs_judgement, kish),
    OF(cs_judgement, below),
};

/* Opens the report of an arm's learner [own]; NULL: the arm has no learner, or
 * out of memory. */
static void *look_at_learner(cs_run *run, size_t arm, cs_flat *f)
{
    void *memory = NULL;
    size_t capacity = 0; /* not zeroed, since reports fill only a part */
    if (!cs_run_arm(run, arm).learner.there ||
        !cs_extend(&memory, 0, &capacity, ROOM, 1))
        return NULL;
    cs_flat_begin(f, memory, ROOM);
    if (cs_run_report_one(run, arm, "learn", "", f))
        return memory;
    cs_free(memory);
    return NULL;
}

void cs_learned_text(cs_run *run, size_t arm, cs_page *p)
{
    cs_flat f;
    cs_flat_entry e;
    cs_learner_view l = cs_run_arm(run, arm).learner;
    void *memory = look_at_learner(run, arm, &f);
    if (!memory)
        return;
    cs_page_put(p, "  %s",
                l.active ? "learning, no draws yet" : "learning has ended");
    if (cs_flat_find(f.base, f.used, &e, "data") && e.text)
        cs_page_put(p, ", from %s", e.text);
    bool says = cs_flat_find(f.base, f.used, &e, "words") && e.text;
    cs_page_put(p, ": %llu of %llu updates; %s\n", (unsigned long long)l.update,
                (unsigned long long)l.updates, says ? e.text : "");
    cs_free(memory);
}

/* Writes ", "key": {"column": [...], ...}" from the rows of the report under
 * that key. */
static void json_of_rows(const cs_flat *f, const char *key, const column *c,
                         size_t n, cs_page *p)
{
    cs_flat_entry e;
    bool some = cs_flat_find(f->base, f->used, &e, "%s", key) && e.data;
    cs_page_put(p, ", \"%s\": {", key);
    for (size_t k = 0; some && k < n; k++) {
        cs_page_put(p, "%s\"%s\": [", k ? ", " : "", c[k].name);
        for (size_t i = 0; i < e.rows; i++) {
            cs_page_put(p, "%s", i ? ", " : "");
            cs_page_number(p, e.data[i * e.cols + c[k].at / sizeof(double)]);
        }
        cs_page_put(p, "]");
    }
    cs_page_put(p, "}");
}

void cs_learned_json(cs_run *run, size_t arm, cs_page *p)
{
    static const char *const numbers[] = {"updates", "numbers", "refused",
                                          "independent", "independent_error"};
    cs_flat f;
    cs_flat_entry e;
    void *memory = look_at_learner(run, arm, &f);
    if (!memory)
        return;
    cs_page_put(p, ", \"learned\": {\"update\": %llu",
                (unsigned long long)cs_run_arm(run, arm).learner.update);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        bool there =
            cs_flat_find(f.base, f.used, &e, "%s", numbers[k]) && e.data;
        cs_page_put(p, ", \"%s\": ", numbers[k]);
        cs_page_number(p, there ? e.data[0] : (double)NAN);
    }
    if (cs_flat_find(f.base, f.used, &e, "data") && e.text) {
        cs_page_put(p, ", \"data\": ");
        cs_page_quoted(p, e.text);
    }
    json_of_rows(&f, "way", way, sizeof way / sizeof *way, p);
    json_of_rows(&f, "judged", judged, sizeof judged / sizeof *judged, p);
    cs_page_put(p, "}");
    cs_free(memory);
}
