/* Writes the comparison of two runs as JSON. */
#include "cli/diff/diff_format.h"

static void json_begin(const cs_diff_format *how, cs_page *p,
                       const cs_diff_pair *d)
{
    (void)how;
    cs_page_put(p, "{\"runs\": [");
    for (size_t i = 0; i < 2; i++) {
        cs_page_put(p, "%s{\"folder\": ", i ? ", " : "");
        cs_page_quoted(p, d->name[i]);
        cs_page_put(p, ", \"target\": ");
        cs_page_quoted(p, d->run[i].target);
        cs_page_put(p, ", \"seed\": ");
        cs_page_number(p, d->run[i].seed);
        cs_page_put(p, "}");
    }
    cs_page_put(p, "]");
}

static void json_settings(const cs_diff_format *how, cs_page *p,
                          const cs_diff_pair *d)
{
    (void)how;
    cs_page_put(p, ",\n \"settings_known\": %s,\n \"settings\": [",
                cs_diff_knows_settings(d) ? "true" : "false");
    cs_cells t = cs_diff_settings(d);
    cs_cells_json(&t, "\n  ", p);
    cs_cells_fini(&t);
    cs_page_put(p, "],\n \"first_changes\": [");
    for (size_t i = 0; i < 2; i++) {
        char change[300];
        cs_diff_first_change(d, i, change, sizeof change);
        cs_page_put(p, i ? ", " : "");
        if (*change)
            cs_page_quoted(p, change);
        else
            cs_page_put(p, "null");
    }
    cs_page_put(p, "],\n \"draws\": [");
}

static void json_draws(const cs_diff_format *how, cs_page *p, const char *arm,
                       const cs_draws_differ *d, bool first)
{
    (void)how;
    cs_page_put(p, "%s{\"arm\": ", first ? "" : ", ");
    cs_page_quoted(p, arm);
    cs_page_put(p,
                ", \"known\": %s, \"differ\": ", d->known ? "true" : "false");
    if (!cs_draws_compared(d))
        cs_page_put(p, "null");
    else
        cs_page_put(p, d->differ ? "true" : "false");
    if (d->shared)
        cs_page_put(p, ", \"quantities\": %zu", d->shared);
    if (d->differ)
        cs_page_put(p, ", \"draw\": %llu, \"chain\": %llu, \"step\": %llu",
                    (unsigned long long)d->draw, (unsigned long long)d->chain,
                    (unsigned long long)d->step);
    cs_page_put(p, "}");
}

static void json_no_draws(const cs_diff_format *how, cs_page *p)
{
    (void)how;
    cs_page_put(p, "],\n \"figures\": [],\n \"compared\": 0}\n");
}

static void json_number(cs_page *p, const char *key, double x)
{
    cs_page_put(p, "%s", key);
    cs_page_number(p, x);
}

static void json_figure(cs_page *p, const cs_diff_row *r)
{
    cs_page_put(p, "{\"arm\": ");
    cs_page_quoted(p, r->arm);
    cs_page_put(p, ", \"name\": ");
    cs_page_quoted(p, r->name);
    for (int i = 0; i < 2; i++) {
        cs_page_put(p, ", \"%s\": {", i ? "second" : "first");
        json_number(p, "\"mean\": ", r->mean[i][0]);
        json_number(p, ", \"mcse\": ", r->mean[i][1]);
        json_number(p, ", \"ess_bulk\": ", r->ess[i]);
        json_number(p, ", \"rhat\": ", r->rhat[i]);
        cs_page_put(p, "}");
    }
    json_number(p, ", \"difference\": ", r->change[0]);
    json_number(p, ", \"error\": ", r->change[1]);
    cs_page_put(p, ", \"verdict\": \"%s\"}", r->word);
}

static void json_figures(const cs_diff_format *how, cs_page *p,
                         const cs_diff_pair *d)
{
    (void)how;
    cs_page_put(p, "],\n \"figures\": [");
    for (size_t i = 0; i < d->rows; i++) {
        cs_page_put(p, "%s\n  ", i ? "," : "");
        json_figure(p, &d->row[i]);
    }
    cs_page_put(p, "],\n \"compared\": %zu}\n", d->compared);
}

const cs_diff_format cs_diff_json = {
    .name = "json",
    .suffix = ".json",
    .begin = json_begin,
    .settings = json_settings,
    .draws = json_draws,
    .no_draws = json_no_draws,
    .figures = json_figures,
};
