#include "race/look.h"

size_t cs_look_choice(const cs_figure_look *at, const char *names, size_t n)
{
    return cs_choose_name(at->of, at->option, names, n);
}

bool cs_look_distance(const cs_shot *s, const cs_figure_look *at, size_t arm,
                      cs_distance_curve *out)
{
    const cs_table_facts t = cs_shot_facts(s);
    const cs_distance_wanted which = {at->unit, at->of, at->option};
    return cs_distance_find(&t.facts, &which, arm, out);
}
