#include "screen/state/presets.h"

#include <string.h>

static const cs_preset table[] = {
    {"scenario", NULL},
    {"overview", "state trace acceptance energy visits summary"},
    {"traces", "trace energy"},
    {"plane", "map state"},
    {"pictures", "picture trace"},
    {"figures", "summary visits acceptance"},
    {"race", "race trace distance visits"},
    {"diagnose", "marginal autocorrelation ranks running"},
    {"everything",
     "trace energy acceptance visits map distance state summary log"},
    {"lecture", NULL},
};

const cs_preset *cs_preset_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

const cs_preset *cs_preset_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
