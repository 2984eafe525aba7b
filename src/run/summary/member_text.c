#include "run/summary/member_text.h"

#include "kernel/composed.h"
#include "run/views/reports.h"
#include "run/views/view.h"

#include <math.h>

/* The table of the members of a cycle or a mixture. */
typedef struct members {
    double memory[8192];
    cs_flat f;
    cs_flat_entry row; /* [n][CS_MEMBER_COLUMNS] */
} members;

static bool look_at_members(cs_run *run, size_t arm, members *m)
{
    if (!cs_run_arm(run, arm).kernel->type->composes)
        return false;
    cs_flat_begin(&m->f, m->memory, sizeof m->memory);
    return cs_run_report_one(run, arm, "kernel", "", &m->f) &&
           cs_flat_find(m->f.base, m->f.used, &m->row, "members");
}

static const char *word_of_member(const members *m, size_t i, const char *key)
{
    cs_flat_entry e;
    return cs_flat_find(m->f.base, m->f.used, &e, "member/%zu/%s", i, key)
               ? e.text
               : "";
}

void cs_member_text(cs_run *run, size_t arm, cs_page *p)
{
    members m;
    if (!look_at_members(run, arm, &m))
        return;
    for (size_t i = 0; i < m.row.rows; i++) {
        const double *x = m.row.data + i * CS_MEMBER_COLUMNS;
        cs_page_put(p, "  member %s (%s): ", word_of_member(&m, i, "name"),
                    word_of_member(&m, i, "kernel"));
        if (x[CS_MEMBER_OF_STEPS] == 0)
            cs_page_put(p, "no steps");
        else if (isnan(x[CS_MEMBER_OF_ACCEPTANCE]))
            cs_page_put(p, "acceptance not known");
        else
            cs_page_put(p, "acceptance %.2f", x[CS_MEMBER_OF_ACCEPTANCE]);
        for (size_t k = 0; k < CS_MEMBER_WORKS; k++)
            if (x[CS_MEMBER_OF_LOG_DENSITIES + k] > 0)
                cs_page_put(p, ", %.3g %s per step",
                            x[CS_MEMBER_OF_LOG_DENSITIES + k],
                            cs_member_work[k][1]);
        cs_page_put(p, "\n");
    }
}

void cs_member_json(cs_run *run, size_t arm, cs_page *p)
{
    static const char *const names[] = {"acceptance", "moved",
                                        "steps",      "log_densities",
                                        "gradients",  "site_differences"};
    members m;
    if (!look_at_members(run, arm, &m))
        return;
    cs_page_put(p, ", \"members\": [");
    for (size_t i = 0; i < m.row.rows; i++) {
        cs_page_put(p, "%s{\"name\": ", i ? ", " : "");
        cs_page_quoted(p, word_of_member(&m, i, "name"));
        cs_page_put(p, ", \"kernel\": ");
        cs_page_quoted(p, word_of_member(&m, i, "kernel"));
        for (size_t k = 0; k < CS_MEMBER_OF_TIME; k++) {
            cs_page_put(p, ", \"%s\": ", names[k]);
            cs_page_number(p, m.row.data[i * CS_MEMBER_COLUMNS + k]);
        }
        cs_page_put(p, "}");
    }
    cs_page_put(p, "]");
}
