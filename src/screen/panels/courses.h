/* Figures of the race against the work done: those whose course is known. */
#pragma once

#include "figure/race.h"
#include "screen/panels/panel.h"

enum { CS_RACE_POINTS = 512 };
typedef struct cs_race_course {
    double work[CS_RACE_POINTS], value[CS_RACE_POINTS]; /* [n] */
    size_t n;
    bool steps; /* a value holds until the next one */
} cs_race_course;

/* The course of a figure of an arm in the work of one chain, in the unit that is
 * chosen. False: it is not known. */
bool cs_race_course_find(const cs_racers *f, cs_race_figure which, size_t arm,
                         cs_race_course *out);

/* Draws the courses of all arms side by side in the window w, that of `first` first, as many as
 * there are and have room. Returns whether there was any. */
bool cs_courses_draw(const cs_area *a, const cs_racers *f, const cs_window *w,
                     cs_race_figure first);
