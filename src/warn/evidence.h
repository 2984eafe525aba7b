/* What evaluations of the target at the end of a run show, beyond the draws. */
#pragma once

#include <stdbool.h>

enum { CS_EVIDENCE_NAME = 64 };

/* A value at a coordinate; `found` false: nothing. */
typedef struct cs_evidence_at {
    bool found;
    char name[CS_EVIDENCE_NAME]; /* of the coordinate */
    double value;
} cs_evidence_at;

typedef struct cs_evidence {
    bool random; /* one state got two log densities: */
    double first, second;
    cs_evidence_at slope; /* gradient by hand, beside differences: */
    double difference;
    cs_evidence_at edge;  /* near the draws log p = -infinity at this value */
    cs_evidence_at flat;  /* along it log p does not fall: how far (spreads) */
    cs_evidence_at far;   /* a state beyond 1e50, or not finite */
    cs_evidence_at turns; /* trajectories return: where they end, as a share of
                             where they have been */
    double correlation;   /* the largest |correlation|, 0: not looked for */
    char pair[2][CS_EVIDENCE_NAME];
} cs_evidence;

/* Whether two log densities of one state differ by more than rounding. */
bool cs_evidence_differs(double first, double second);

/* Whether a gradient is wrong: differences by two spacings agree with each other,
 * and not with it, to a hundredth. */
bool cs_evidence_is_wrong_slope(double slope, double wide, double narrow);

/* Whether a density has no finite integral along a line: over `times` spreads
 * log p falls by less than log(times), that is, slower than 1 / distance. */
bool cs_evidence_is_flat(double fall, double times);

/* Sums of squares over trajectories, of one coordinate: end less start; end
 * less the start's mirror image about the mean; start less mean; the largest
 * distance from the start on the way. */
typedef struct cs_evidence_path {
    double apart, mirrored, deviation, farthest;
} cs_evidence_path;

/* Whether trajectories come back: to within a tenth of the deviation from the
 * starts or their mirror images, having been farther away than half of it. */
bool cs_evidence_returns(const cs_evidence_path *p);
