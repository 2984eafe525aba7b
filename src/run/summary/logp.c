#include "run/summary/logp.h"

#include "run/views/view.h"

#include <string.h>

/* Returns a comment that does not contain "lp__". Programs that read the file
 * search for "lp__" to find the line with the names of columns. */
const char *cs_logp_note(cs_logp_kind kind)
{
    static const char *const notes[] = {
        [CS_LOGP_ESTIMATE] = "log_density = the kernel's estimate",
        [CS_LOGP_NONE] =
            "log_density = NaN, since the kernel has no log density"};
    return notes[kind];
}

/* Explains which setting makes the run evaluate log p. */
static const char ask[] =
    "probes = { diagnostics = { true_logp = true, every = 100 } }\n  evaluates "
    "log p itself";

void cs_logp_text(const cs_arm_view *v, cs_logp_kind shown, cs_page *p)
{
    static const char *const words[] = {
        [CS_LOGP_ESTIMATE] = "lp__ is the kernel's estimate of log p",
        [CS_LOGP_NONE] = "the kernel does not compute log p"};
    if (shown == CS_LOGP_NONE && strcmp(v->kernel->type->name, "recorded") == 0)
        cs_page_put(p, "  the files have no log density\n");
    else if (words[shown])
        cs_page_put(p, "  %s; %s\n", words[shown], ask);
    if (v->observed.log_densities)
        cs_page_put(p,
                    "  evaluated for probes and users, not counted as work: "
                    "%llu log densities",
                    (unsigned long long)v->observed.log_densities);
    if (v->observed.data_terms)
        cs_page_put(p, ", %llu data terms",
                    (unsigned long long)v->observed.data_terms);
    if (v->observed.log_densities)
        cs_page_put(p, "\n");
}

void cs_logp_json(const cs_arm_view *v, cs_logp_kind shown, cs_page *p)
{
    cs_page_put(p,
                ", \"log_p\": \"%s\", \"observed\": {\"log_densities\": %llu, "
                "\"data_terms\": %llu}",
                cs_logp_name(shown),
                (unsigned long long)v->observed.log_densities,
                (unsigned long long)v->observed.data_terms);
}
