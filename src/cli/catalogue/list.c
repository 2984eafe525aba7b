/* chainscope list: prints the entries of the registries (kernels, targets and
 * others). */
#include "base/cells.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/catalogue/catalogue.h"
#include "cli/line/output.h"
#include "cli/line/subcommand.h"

#include <string.h>

static const cs_column columns[] = {
    CS_COLUMN("name", "name", WORDS, 0, CS_AT(cs_entry, name)),
    CS_COLUMN("title", "title", WORDS, 0, CS_AT(cs_entry, title)),
};
static const cs_column of_kernels[] = {
    CS_COLUMN("name", "name", WORDS, 0, CS_AT(cs_entry, name)),
    CS_COLUMN("member", "member", WORDS, 0, CS_AT(cs_entry, member)),
    CS_COLUMN("title", "title", WORDS, 0, CS_AT(cs_entry, title)),
};

static void show(const cs_catalogue *c, cs_page *p)
{
    cs_entry e;
    bool members = c->at(0, &e) && e.member;
    cs_cells t =
        members
            ? cs_cells_begin(of_kernels, sizeof of_kernels / sizeof *of_kernels)
            : cs_cells_begin(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; c->at(i, &e); i++)
        cs_cells_add(&t, &e);
    p->full |= t.full;
    cs_page_put(p, "%s\n", c->name);
    for (size_t i = 1; i <= t.rows; i++)
        cs_cells_line(&t, i, p);
    cs_cells_fini(&t);
}

static bool is_asked(const cs_args *args, const cs_catalogue *c)
{
    return !args->n_words || strcmp(args->word[0], c->name) == 0;
}

static int list(const cs_args *args)
{
    const char *names[16] = {NULL};
    bool found = false;
    const cs_catalogue *c;
    cs_page p = {0};
    cs_error err;
    if (cs_catalogues_read(args->n_words ? args->word[0] : NULL, &err))
        return cs_complain(&err);
    for (size_t i = 0; (c = cs_catalogue_at(i)) && i < 15; i++) {
        names[i] = c->name;
        if (!is_asked(args, c))
            continue;
        if (found)
            cs_page_put(&p, "\n");
        show(c, &p);
        found = true;
    }
    if (found) {
        cs_status status = cs_output_put(&p, NULL, &err);
        cs_free(p.text);
        return status ? cs_complain(&err) : CS_EXIT_OK;
    }
    cs_fail(&err, CS_UNKNOWN, "unknown list '%s'", args->word[0]);
    const char *near = cs_text_nearest(args->word[0], names);
    cs_hint(&err, "did you mean '%s'?", near ? near : names[0]);
    cs_complain(&err);
    return CS_EXIT_USAGE;
}

const cs_subcommand cs_subcommand_list = {
    .name = "list",
    .args = "[KIND]",
    .help = "list kernels, targets, schedules, tuners, optimisers, probes, "
            "scenarios or papers",
    .more = "member: the kernel can move a part of a state, in "
            "cs.kernel.cycle or cs.kernel.mixture\n",
    .max_words = 1,
    .main = list,
};
