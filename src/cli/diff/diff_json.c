/* Two runs as JSON. */
#include "cli/diff/diff_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void json_begin(cs_page *p, const cs_diff_pair *d)
{
    cs_page_put(p, "{\"runs\": [");
    for (size_t i = 0; i < 2; i++) {
        cs_page_put(p, "%s{\"folder\": ", i ? ", " : "");
        cs_page_quoted(p, d->path[i]);
        cs_page_put(p, ", \"target\": ");
        cs_page_quoted(p, d->run[i].target);
        cs_page_put(p, ", \"seed\": ");
        cs_page_number(p, d->run[i].seed);
        cs_page_put(p, "}");
    }
    cs_page_put(p, "]");
}

static void json_setting(cs_page *p, const char *key, const char *a,
                         const char *b)
{
    cs_page_put(
        p, "%s{\"name\": ", p->used && p->text[p->used - 1] == '[' ? "" : ", ");
    cs_page_quoted(p, key);
    cs_page_put(p, ", \"first\": ");
    cs_page_quoted(p, a);
    cs_page_put(p, ", \"second\": ");
    cs_page_quoted(p, b);
    cs_page_put(p, "}");
}

static void json_settings(cs_page *p, const cs_diff_pair *d)
{
    cs_page_put(p, ",\n \"settings_known\": %s,\n \"settings\": [",
                cs_diff_knows_settings(d) ? "true" : "false");
    if (cs_diff_knows_settings(d))
        cs_diff_settings(d, json_setting, p);
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

static void json_draws(cs_page *p, const char *arm, const cs_draws_differ *d,
                       bool first)
{
    cs_page_put(p, "%s{\"arm\": ", first ? "" : ", ");
    cs_page_quoted(p, arm);
    cs_page_put(p,
                ", \"known\": %s, \"differ\": ", d->known ? "true" : "false");
    if (!cs_draws_compared(d))
        cs_page_put(p, "null");
    else
        cs_page_put(p, d->differ ? "true" : "false");
    if (d->differ)
        cs_page_put(p, ", \"draw\": %llu, \"chain\": %llu, \"step\": %llu",
                    (unsigned long long)d->draw, (unsigned long long)d->chain,
                    (unsigned long long)d->step);
    cs_page_put(p, "}");
}

static void json_no_draws(cs_page *p)
{
    cs_page_put(p, "],\n \"figures\": [],\n \"compared\": 0}\n");
}

static void json_figures(cs_page *p)
{
    cs_page_put(p, "],\n \"figures\": [");
}

static void json_figure(cs_page *p, const cs_diff_both *b, cs_diff_verdict v,
                        bool first)
{
    static const char *const words[] = {"alike", "perhaps", "differ", "unknown",
                                        "same"};
    cs_page_put(p, "%s\n  {\"arm\": ", first ? "" : ",");
    cs_page_quoted(p, b->arm);
    cs_page_put(p, ", \"name\": ");
    cs_page_quoted(p, b->name);
    for (int i = 0; i < 2; i++) {
        cs_page_put(p, ", \"%s\": {\"mean\": ", i ? "second" : "first");
        cs_page_number(p, b->figure[i]->mean);
        cs_page_put(p, ", \"mcse\": ");
        cs_page_number(p, b->figure[i]->mcse);
        cs_page_put(p, ", \"ess_bulk\": ");
        cs_page_number(p, b->figure[i]->ess_bulk);
        cs_page_put(p, ", \"rhat\": ");
        cs_page_number(p, b->figure[i]->rhat);
        cs_page_put(p, "}");
    }
    cs_page_put(p, ", \"difference\": ");
    cs_page_number(p, cs_diff_change(b));
    cs_page_put(p, ", \"error\": ");
    cs_page_number(p, cs_diff_error(b));
    cs_page_put(p, ", \"verdict\": \"%s\"}", words[v]);
}

static void json_end(cs_page *p, const cs_diff_pair *d)
{
    cs_page_put(p, "],\n \"compared\": %zu}\n", d->compared);
}

const cs_diff_format cs_diff_json = {
    .name = "json",
    .begin = json_begin,
    .settings = json_settings,
    .draws = json_draws,
    .no_draws = json_no_draws,
    .figures_begin = json_figures,
    .figure = json_figure,
    .end = json_end,
};
