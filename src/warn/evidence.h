/* Evidence about a target from evaluations at the end of a run. */
#pragma once

#include <stdbool.h>

enum { CS_EVIDENCE_NAME = 64 };

/* A value at a coordinate; found is false if there is no evidence. */
typedef struct cs_evidence_at {
    bool found;
    char name[CS_EVIDENCE_NAME]; /* name of the coordinate */
    double value;
} cs_evidence_at;

typedef struct cs_evidence {
    bool random; /* two evaluations of log p at one state gave different values,
                    `first` and `second` */
    double first, second;
    cs_evidence_at slope; /* wrong component of the gradient */
    double difference;    /* finite difference of log p, compared with slope */
    cs_evidence_at edge;  /* value near the draws; log p is -infinity there */
    /* distance, in spreads, over which log p does not fall */
    cs_evidence_at flat;
    cs_evidence_at far; /* value beyond 1e50, or not finite */
    /* trajectories that return to their start; value: final distance from the
     * start, divided by the largest distance from it */
    cs_evidence_at turns;
    double correlation; /* largest absolute correlation; 0: not computed */
    char pair[2][CS_EVIDENCE_NAME];
} cs_evidence;

/* Returns true if two log densities of the same state differ by more than
 * rounding errors. */
bool cs_evidence_differs(double first, double second);

/* Returns true if a gradient component is wrong. `wide` and `narrow` are finite
 * differences with two spacings. The component `slope` is wrong if `wide` and
 * `narrow` agree with each other, but both differ from `slope` by more than 1
 * %. */
bool cs_evidence_is_wrong_slope(double slope, double wide, double narrow);

/* Returns true if a density has no finite integral along a line. This is the
 * case if log p falls by less than log(times) over `times` spreads, because the
 * density then decreases more slowly than 1 / distance. */
bool cs_evidence_is_flat(double fall, double times);

/* Sums of squares over trajectories. apart: end - start. mirrored: end - the
 * mirror image of the start about the mean. deviation: start - mean. farthest:
 * the largest distance from the start along the trajectory. */
typedef struct cs_evidence_path {
    double apart, mirrored, deviation, farthest;
} cs_evidence_path;

/* Returns true if trajectories return. A trajectory returns if it moves more
 * than 0.5 deviations away from its start, and then ends within 0.1 deviations
 * of the start or of its mirror image. */
bool cs_evidence_returns(const cs_evidence_path *p);
