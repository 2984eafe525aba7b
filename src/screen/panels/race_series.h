/* Figures of the race plotted against the work done. */
#pragma once

#include "race/race.h"
#include "screen/panels/panel.h"

enum { CS_RACE_POINTS = 512 };
typedef struct cs_race_series {
    double work[CS_RACE_POINTS], value[CS_RACE_POINTS]; /* [n] */
    size_t n;
    bool steps; /* each value holds from its point to the next */
} cs_race_series;

/* Finds the values of an arm's figure against the work of one chain, in the
 * chosen unit. Returns false if the values are not known. */
bool cs_race_series_find(const cs_racers *f, cs_race_figure which, size_t arm,
                         cs_race_series *out);

/* Draws the series of all arms in the window w, one plot per figure side by
 * side, starting with the figure `first`. Plots that do not fit are left out.
 * Returns true if a plot was drawn. */
bool cs_race_series_draw(const cs_area *a, const cs_racers *f,
                         const cs_window *w, cs_race_figure first);
