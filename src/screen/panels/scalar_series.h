/* The series of one scalar of an arm, its energy or a coordinate: from the
 * trace, and for a part of the axis from the finest draws available. */
#pragma once

#include "screen/panels/panel.h"

typedef struct cs_series {
    const double *time, *low, *high;
    size_t chains, bins, scalar;
    cs_axis axis;       /* for the steps in `time` */
    double begin, end;  /* ends of the whole axis */
    double bottom, top; /* ends of the vertical axis */
    cs_window window;
} cs_series;

/* Finds the chosen scalar (0 the energy, then coordinates): all steps in bins,
 * or the newest ones. Returns false if it is not available. */
bool cs_series_find(const cs_shot *s, const cs_selection *at, size_t arm,
                    bool recent, cs_series *out);
/* The same; for a part of the axis it uses the newest steps one by one if they
 * cover it, else the kept draws if they are finer. */
bool cs_series_shown(const cs_shot *s, const cs_selection *at, size_t arm,
                     bool recent, cs_series *out);
/* Finds the range of the displayed values over all arms shown side by side. */
bool cs_series_range(const cs_shot *s, const cs_selection *at, size_t arm,
                     bool recent, double *low, double *high);
void cs_series_name(const cs_shot *s, size_t arm, size_t scalar, char *word,
                    size_t size);

/* Writes the word of the command `reports` for the draws of a part of the axis;
 * "" if all of the axis is shown. */
void cs_series_ask(const cs_shot *s, const cs_selection *at, char *word,
                   size_t size);
/* Writes the resolution of a part of the axis, and why it is not finer; "" if
 * all of the axis is shown. */
void cs_series_grade(const cs_shot *s, const cs_selection *at, size_t arm,
                     char *out, size_t size);
