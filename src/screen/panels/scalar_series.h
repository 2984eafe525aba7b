/* The series of one scalar of an arm, the energy or a coordinate: from the
 * trace or, for a part of the axis, from the finest draws available. */
#pragma once

#include "screen/panels/panel.h"

typedef struct cs_series {
    const double *time, *low, *high;
    size_t chains, bins, scalar;
    /* drawn: [chains][draws] values at random steps, one in each of equal
     * bins; drawn_time: ends of the bins. NULL: `low` and `high` are the
     * same array, or the values are not known */
    const double *drawn, *drawn_time;
    size_t draws;
    cs_axis axis;       /* axis for the steps in `time` */
    double begin, end;  /* ends of the whole axis */
    double bottom, top; /* ends of the vertical axis */
    cs_window window;
} cs_series;

/* Finds the chosen scalar (0: the energy, then the coordinates): all steps in
 * bins, or the newest steps. Returns false if it is not available. */
bool cs_series_find(const cs_shot *s, const cs_selection *at, size_t arm,
                    bool recent, cs_series *out);
/* Finds the chosen scalar for display. For a part of the axis, uses the newest
 * steps one by one if they cover it, otherwise the kept draws if they are
 * finer. */
bool cs_series_shown(const cs_shot *s, const cs_selection *at, size_t arm,
                     bool recent, cs_series *out);
/* Finds the range of the displayed values over all arms shown side by side. */
bool cs_series_range(const cs_shot *s, const cs_selection *at, size_t arm,
                     bool recent, double *low, double *high);
void cs_series_name(const cs_shot *s, size_t arm, size_t scalar, char *word,
                    size_t size);

/* Writes the argument with which the command `reports` requests the draws of
 * the displayed part of the axis; "" if the whole axis is displayed. */
void cs_series_ask(const cs_shot *s, const cs_selection *at, char *word,
                   size_t size);
/* Writes the resolution of a part of the axis, and the reason why it is not
 * finer; "" if the whole axis is shown. */
void cs_series_grade(const cs_shot *s, const cs_selection *at, size_t arm,
                     char *out, size_t size);
