#include "race/axis.h"

cs_unit cs_shot_unit(const cs_shot *s, cs_unit unit)
{
    const cs_table_facts t = cs_shot_facts(s);
    return cs_unit_of_figure(&t.facts, unit);
}

double cs_shot_work(const cs_shot *s, size_t arm, cs_unit unit)
{
    const cs_table_facts t = cs_shot_facts(s);
    return cs_facts_work(&t.facts, arm, unit);
}

double cs_shot_step_work(const cs_shot *s, size_t arm, cs_unit unit)
{
    const cs_table_facts t = cs_shot_facts(s);
    return cs_facts_step_work(&t.facts, arm, unit);
}

cs_axis cs_axis_of(const cs_shot *s, size_t arm, cs_unit unit)
{
    const cs_table_facts t = cs_shot_facts(s);
    return cs_facts_axis(&t.facts, arm, unit);
}

static bool is_done(const cs_shot *s, cs_unit unit)
{
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++)
        if (cs_shot_work(s, arm, unit) > 0)
            return true;
    return false;
}

cs_unit cs_unit_next(const cs_shot *s, cs_unit unit)
{
    for (int i = 0; i < CS_UNITS; i++) {
        unit = (cs_unit)((unit + 1) % CS_UNITS);
        if (unit == CS_UNIT_USUAL || is_done(s, unit))
            return unit;
    }
    return CS_UNIT_USUAL;
}
