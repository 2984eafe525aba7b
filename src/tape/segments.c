#include "tape/segments.h"

/* HALVINGS: maximum number of halvings of a segment. MOST_LOOKS: maximum number
 * of evaluations. */
enum { HALVINGS = 30, MOST_LOOKS = 4096 };

/* Limit on the interval's ends; midpoints of larger numbers are inaccurate. */
static const double far = 1e15;

static int way_of(cs_interval slope)
{
    if (cs_interval_is_nowhere(slope))
        return 0;
    return slope.low >= 0 ? 1 : slope.high <= 0 ? -1 : 0;
}

/* Appends a segment, or extends the last segment if both have the same
 * direction. */
static bool append(cs_segments *p, const cs_curve *c, cs_interval over, int way,
                   cs_interval value)
{
    struct cs_monotone *last = p->n ? &p->piece[p->n - 1] : NULL;
    if (last && last->way == way) {
        last->to = over.high;
        last->value = cs_interval_hull(last->value, value);
        return true;
    }
    cs_interval start = c->value(c->self, cs_interval_of(over.low));
    if (p->n == CS_SEGMENTS || cs_interval_is_nowhere(start))
        return false;
    p->piece[p->n++] =
        (struct cs_monotone){over.low, over.high, value, way, start};
    return true;
}

static bool divide(cs_segments *p, const cs_curve *c, cs_interval over,
                   int depth)
{
    cs_interval value = c->value(c->self, over);
    bool there = !cs_interval_is_nowhere(value);
    int way = there ? way_of(c->slope(c->self, over)) : 0;
    double middle = over.low + 0.5 * (over.high - over.low);
    bool whole = depth == HALVINGS || middle == over.low || middle == over.high;
    if (!p->looks--)
        return false;
    if (way || whole)
        return there && append(p, c, over, way, value);
    return divide(p, c, (cs_interval){over.low, middle}, depth + 1) &&
           divide(p, c, (cs_interval){middle, over.high}, depth + 1);
}

/* Extends the covered interval to twice the requested one, which often includes
 * the next request. */
static bool cover(cs_segments *p, const cs_curve *c, cs_interval over)
{
    if (p->n && over.low >= p->known.low && over.high <= p->known.high)
        return true;
    if (p->hopeless || !(cs_interval_most(over) <= far))
        return false;
    double width = over.high - over.low;
    over.low -= width;
    over.high += width;
    p->known = p->n ? cs_interval_hull(p->known, over) : over;
    p->n = 0;
    p->looks = MOST_LOOKS;
    p->hopeless = !divide(p, c, p->known, 0);
    if (p->hopeless)
        p->n = 0;
    return !p->hopeless;
}

bool cs_segments_range(cs_segments *p, const cs_curve *c, cs_interval over,
                       cs_interval *range)
{
    if (cs_interval_is_nowhere(over) || !cover(p, c, over))
        return false;
    *range = c->value(c->self, cs_interval_of(over.low));
    *range =
        cs_interval_hull(*range, c->value(c->self, cs_interval_of(over.high)));
    for (size_t i = 0; i < p->n; i++) {
        const struct cs_monotone *a = &p->piece[i];
        if (a->to < over.low || a->from > over.high)
            continue;
        if (!a->way)
            *range = cs_interval_hull(*range, a->value);
        if (a->from >= over.low)
            *range = cs_interval_hull(*range, a->start);
    }
    return !cs_interval_is_nowhere(*range);
}
