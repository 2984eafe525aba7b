/* The course of one scalar of an arm, its energy or a coordinate: as the trace has
 * it, and of a part of the axis as finely as draws are held. */
#pragma once

#include "screen/panels/panel.h"

typedef struct cs_series {
    const double *time, *low, *high;
    size_t chains, bins, scalar;
    cs_axis axis;       /* of the steps in `time` */
    double begin, end;  /* of it, whatever is shown */
    double bottom, top; /* of the other axis */
    cs_window window;
} cs_series;

/* The chosen scalar, 0 is the energy, then coordinates: of all steps in bins, or
 * of the newest ones. False: it is not there. */
bool cs_series_find(const cs_shot *s, const cs_selection *at, size_t arm,
                    bool recent, cs_series *out);
/* The same; of a part of the axis from the newest steps one by one where they
 * hold it, else from the draws that are kept, where these are finer. */
bool cs_series_shown(const cs_shot *s, const cs_selection *at, size_t arm,
                     bool recent, cs_series *out);
/* The values that are shown, of all arms that stand side by side. */
bool cs_series_range(const cs_shot *s, const cs_selection *at, size_t arm,
                     bool recent, double *low, double *high);
void cs_series_name(const cs_shot *s, size_t arm, size_t scalar, char *word,
                    size_t size);

/* The word of the command `reports` for the draws of a part of the axis, "": all
 * of it is shown. */
void cs_series_ask(const cs_shot *s, const cs_selection *at, char *word,
                   size_t size);
/* How fine a part of the axis is, and why it is not finer; "": all of it is
 * shown. */
void cs_series_grade(const cs_shot *s, const cs_selection *at, size_t arm,
                     char *out, size_t size);
