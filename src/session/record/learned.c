#include "session/record/learned.h"

#include "base/memory.h"
#include "base/page.h"
#include "files/replace.h"
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "targets/learned_rows.h"

#include <stdio.h>

static void put_rows(cs_page *p, const double *rows, size_t n, size_t width)
{
    for (size_t k = 0; k < n * width; k++)
        cs_page_put(p, "%.17g%c", rows[k], (k + 1) % width ? ',' : '\n');
}

static cs_status write_arm(const cs_run *run, size_t arm, const char *folder,
                           cs_error *err)
{
    cs_arm_view v = cs_run_arm(run, arm);
    const cs_target *t = cs_run_arm_target(run, arm);
    char path[4096];
    double *rows;
    size_t n, width;
    cs_status s = cs_learned_rows(t, &rows, &n, &width, err);
    if (s == CS_UNSUPPORTED)
        return CS_OK;
    cs_page p = {0};
    cs_page_put(&p,
                "# chainscope: arm %s, %llu of %llu updates, %zu numbers; for "
                "cs.target.%s { file = ... }\n",
                v.name, (unsigned long long)v.learner.update,
                (unsigned long long)v.learner.updates, t->n_learned,
                t->type->name);
    if (!s)
        put_rows(&p, rows, n, width);
    cs_free(rows);
    int size = snprintf(path, sizeof path, "%s/%s_learned.csv", folder, v.name);
    if (!s && (p.full || size < 0 || (size_t)size >= sizeof path))
        s = cs_fail(err, CS_MEMORY, "out of memory for the learned model");
    if (!s)
        s = cs_file_replace(path, p.text, p.used, err);
    cs_free(p.text);
    return s;
}

cs_status cs_learned_write(const cs_run *run, const char *folder, cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t i = 0; !s && i < cs_run_arms(run); i++)
        if (cs_run_arm(run, i).learner.there)
            s = write_arm(run, i, folder, err);
    return s;
}
