#include "figure/distances.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = CS_DISTANCE_POINTS, ABSENT = -1 };

static double value_of(const cs_distance_curve *c, const double *row, size_t k,
                       size_t n)
{
    if (!row || k >= n)
        return (double)NAN;
    return c->log ? exp(row[k]) : row[k];
}

double cs_distance_at(const cs_distance_curve *c, size_t i)
{
    return value_of(c, c->value, i, c->n);
}

/* The discrepancy from a reference. */
static bool find_discrepancy(const cs_shot *s, size_t arm,
                             cs_distance_curve *out)
{
    size_t r, c, n;
    out->time = cs_shot_array(s, &r, &n, "arm/%zu/mmd/time", arm);
    out->value = cs_shot_array(s, &r, &c, "arm/%zu/mmd/curve", arm);
    out->n = n;
    out->log = true;
    if (!out->time || !out->value || c != n)
        return false;
    const cs_row_mmd *v = CS_SHOT_ROWS(s, cs_row_mmd, &c, CS_KEY_MMD, arm);
    out->now = value_of(out, out->value, n - 1, n);
    out->floor = v ? exp(v->floor) : (double)NAN;
    snprintf(out->name, sizeof out->name, "mmd");
    return true;
}

/* The course of an arm's means (the probe means). */
typedef struct course {
    const double *time, *mean, *spread, *sd; /* [n], [n][k], [n][k], [k] */
    size_t n, k;
} course;

static bool find_course(const cs_shot *s, size_t arm, course *m)
{
    size_t r, c;
    m->time = cs_shot_array(s, &r, &m->n, "arm/%zu/means/time", arm);
    m->mean = cs_shot_array(s, &r, &m->k, "arm/%zu/means/mean", arm);
    bool good = m->time && m->mean && r == m->n && m->n > 0;
    m->spread = cs_shot_array(s, &r, &c, "arm/%zu/means/spread", arm);
    good &= m->spread && r == m->n && c == m->k;
    m->sd = cs_shot_array(s, &r, &c, "arm/%zu/means/sd", arm);
    return good && m->sd && r * c == m->k;
}

/* The mean square error of point i, in variances, where the last point of `of`
 * is taken for what is exact. */
static double error_from(const course *m, const course *of, size_t i)
{
    double sum = 0;
    for (size_t d = 0; d < m->k; d++) {
        double off = m->mean[i * m->k + d] - of->mean[(of->n - 1) * of->k + d];
        sum += (m->spread[i * m->k + d] + off * off) / (of->sd[d] * of->sd[d]);
    }
    return sum / (double)m->k;
}

/* Where nothing is known exactly: the exact arm whose chains' means agree best
 * in the end, ABSENT: none. */
static int find_reference(const cs_shot *s, size_t k)
{
    int best = ABSENT;
    double least = HUGE_VAL;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        course m;
        double sum = 0, chains = (double)cs_shot_chains(s, arm);
        if (!cs_shot_number(s, 0, "arm/%zu/exact", arm) ||
            !find_course(s, arm, &m) || m.k != k || chains < 2)
            continue;
        for (size_t d = 0; d < k; d++)
            sum += m.spread[(m.n - 1) * k + d] / (m.sd[d] * m.sd[d] * chains);
        if (sum < least) {
            best = (int)arm;
            least = sum;
        }
    }
    return best;
}

/* The error of the mean. */
static bool find_error(const cs_shot *s, size_t arm, cs_distance_curve *out)
{
    size_t r, c;
    course m, of;
    if (!find_course(s, arm, &m) || m.n > POINTS)
        return false;
    const double *mse = cs_shot_array(s, &r, &c, "arm/%zu/means/mse", arm);
    int reference = mse ? ABSENT : find_reference(s, m.k);
    if (!mse && (reference < 0 || !find_course(s, (size_t)reference, &of)))
        return false;
    for (size_t i = 0; i < m.n; i++)
        out->room[i] = !mse    ? error_from(&m, &of, i)
                       : i < c ? mse[i]
                               : (double)NAN;
    if (!mse)
        snprintf(out->reference, sizeof out->reference, "%s",
                 cs_shot_arm(s, (size_t)reference));
    out->error = cs_shot_array(s, &r, &c, "arm/%zu/means/error", arm);
    if (!mse || c != m.n)
        out->error = NULL;
    out->time = m.time;
    out->value = out->room;
    out->n = m.n;
    out->now = out->room[m.n - 1];
    out->floor = (double)NAN;
    snprintf(out->name, sizeof out->name, "mse");
    return true;
}

/* Of what was held out, the share whose class the means do not find. */
static bool find_missed(const cs_shot *s, size_t arm, cs_distance_curve *out)
{
    size_t r, c, n;
    out->time = cs_shot_array(s, &r, &n, "arm/%zu/means/time", arm);
    const double *share =
        cs_shot_array(s, &r, &c, "arm/%zu/means/accuracy", arm);
    if (!out->time || !share || c != n || n < 1 || n > POINTS)
        return false;
    for (size_t i = 0; i < n; i++)
        out->room[i] = 1 - share[i];
    out->value = out->room;
    out->n = n;
    out->now = out->room[n - 1];
    out->floor = (double)NAN;
    snprintf(out->name, sizeof out->name, "missed");
    return true;
}

/* What there is to choose from beside the distances of the probe distance. */
static const struct choice {
    const char *name, *key; /* the array of the arm that there is then */
    bool (*find)(const cs_shot *s, size_t arm, cs_distance_curve *out);
} choices[] = {
    {"mmd", "mmd/curve", find_discrepancy},
    {"mse", "means/time", find_error},
    {"missed", "means/accuracy", find_missed},
};
enum { CHOICES = sizeof choices / sizeof *choices };

/* Of the `distances`, whose names it adds, and of the others which is to be
 * shown: from `distances` on those others. */
static size_t choose(const cs_shot *s, const cs_figure_look *at, size_t arm,
                     size_t distances)
{
    char list[512];
    size_t used = (size_t)snprintf(
        list, sizeof list, "%s",
        distances ? cs_shot_text(s, "arm/%zu/distance/names", arm) : "");
    size_t there[CHOICES], n = 0, r, c;
    for (size_t i = 0; i < CHOICES && used < sizeof list; i++)
        if (cs_shot_array(s, &r, &c, "arm/%zu/%s", arm, choices[i].key)) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     used ? " " : "", choices[i].name);
            there[n++] = i;
        }
    size_t k = cs_look_choice(at, list, distances + n);
    return k < distances ? k : n ? distances + there[k - distances] : SIZE_MAX;
}

bool cs_distance_find(const cs_shot *s, const cs_figure_look *at, size_t arm,
                      cs_distance_curve *out)
{
    size_t r, c, n = 0, names = 0;
    *out = (cs_distance_curve){.axis = cs_axis_of(s, arm, at->unit)};
    out->time = cs_shot_array(s, &r, &c, "arm/%zu/distance/time", arm);
    out->value = cs_shot_array(s, &names, &n, "arm/%zu/distance/curve", arm);
    names = out->time && out->value && r * c == n ? names : 0;
    size_t k = choose(s, at, arm, names);
    if (k >= names)
        return k != SIZE_MAX && choices[k - names].find(s, arm, out);
    out->error = cs_shot_array(s, &r, &c, "arm/%zu/distance/error", arm);
    out->error = out->error && r == names && c == n ? out->error + k * n : NULL;
    out->n = n;
    out->value += k * n;
    const double *v = cs_shot_array(s, &r, &c, "arm/%zu/distance/values", arm);
    out->now = value_of(out, v, k, v ? r * c : 0);
    v = cs_shot_array(s, &r, &c, "arm/%zu/distance/floor", arm);
    out->floor = value_of(out, v, k, v ? r * c : 0);
    v = cs_shot_array(s, &r, &c, "arm/%zu/distance/law", arm);
    out->law = v && k < r * c ? v[k] : 0;
    if (!cs_shot_word(cs_shot_text(s, "arm/%zu/distance/names", arm), k,
                      out->name, sizeof out->name))
        snprintf(out->name, sizeof out->name, "distance");
    return true;
}
