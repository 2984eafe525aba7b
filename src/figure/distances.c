#include "figure/distances.h"

#include "probe/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Finds the discrepancy from a reference. */
static bool find_discrepancy(const cs_facts *f, size_t arm,
                             cs_distance_curve *out)
{
    size_t r, c, n;
    out->time = cs_fact_array(f, arm, &r, &n, "mmd/time");
    out->value = cs_fact_array(f, arm, &r, &c, "mmd/curve");
    out->n = n;
    out->log = true;
    if (!out->time || !out->value || c != n)
        return false;
    const cs_row_mmd *v = CS_FACT_ROWS(f, arm, cs_row_mmd, &c, "mmd/value");
    out->now = value_of(out, out->value, n - 1, n);
    out->floor = v ? exp(v->floor) : (double)NAN;
    snprintf(out->name, sizeof out->name, "mmd");
    return true;
}

bool cs_means_find(const cs_facts *f, size_t arm, cs_means *m)
{
    size_t r, c;
    m->time = cs_fact_array(f, arm, &r, &m->n, "means/time");
    m->mean = cs_fact_array(f, arm, &r, &m->k, "means/mean");
    bool good = m->time && m->mean && r == m->n && m->n > 0;
    m->spread = cs_fact_array(f, arm, &r, &c, "means/spread");
    good &= m->spread && r == m->n && c == m->k;
    m->sd = cs_fact_array(f, arm, &r, &c, "means/sd");
    return good && m->sd && r * c == m->k;
}

double cs_means_error(const cs_means *m, const cs_means *of, size_t i)
{
    double sum = 0;
    for (size_t d = 0; d < m->k; d++) {
        double off = m->mean[i * m->k + d] - of->mean[(of->n - 1) * of->k + d];
        sum += (m->spread[i * m->k + d] + off * off) / (of->sd[d] * of->sd[d]);
    }
    return sum / (double)m->k;
}

/* Finds the arm whose mean replaces the exact mean if the exact mean is not
 * known. Considers the arms with an exact kernel, and selects the arm whose
 * chains have the closest means at the end. Returns ABSENT if no arm is
 * suitable. */
static int find_reference(const cs_facts *f, size_t k)
{
    int best = ABSENT;
    double least = HUGE_VAL;
    for (size_t arm = 0; arm < f->arms; arm++) {
        cs_means m;
        double sum = 0, chains = cs_fact(f, arm, 0, "chains");
        if (!cs_fact(f, arm, 0, "exact") || !cs_means_find(f, arm, &m) ||
            m.k != k || chains < 2)
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

/* Finds the error of the mean. */
static bool find_error(const cs_facts *f, size_t arm, cs_distance_curve *out)
{
    size_t r, c;
    cs_means m, of;
    if (!cs_means_find(f, arm, &m) || m.n > POINTS)
        return false;
    const double *mse = cs_fact_array(f, arm, &r, &c, "means/mse");
    int reference = mse ? ABSENT : find_reference(f, m.k);
    if (!mse && (reference < 0 || !cs_means_find(f, (size_t)reference, &of)))
        return false;
    for (size_t i = 0; i < m.n; i++)
        out->scratch[i] = !mse    ? cs_means_error(&m, &of, i)
                          : i < c ? mse[i]
                                  : (double)NAN;
    if (!mse)
        snprintf(out->reference, sizeof out->reference, "%s",
                 cs_fact_text(f, (size_t)reference, "name"));
    out->error = cs_fact_array(f, arm, &r, &c, "means/error");
    if (!mse || c != m.n)
        out->error = NULL;
    out->time = m.time;
    out->value = out->scratch;
    out->n = m.n;
    out->now = out->scratch[m.n - 1];
    out->floor = (double)NAN;
    snprintf(out->name, sizeof out->name, "mse");
    return true;
}

/* Finds the share of held-out data whose class is predicted wrongly by the
 * means. */
static bool find_missed(const cs_facts *f, size_t arm, cs_distance_curve *out)
{
    size_t r, c, n;
    out->time = cs_fact_array(f, arm, &r, &n, "means/time");
    const double *share = cs_fact_array(f, arm, &r, &c, "means/accuracy");
    if (!out->time || !share || c != n || n < 1 || n > POINTS)
        return false;
    for (size_t i = 0; i < n; i++)
        out->scratch[i] = 1 - share[i];
    out->value = out->scratch;
    out->n = n;
    out->now = out->scratch[n - 1];
    out->floor = (double)NAN;
    snprintf(out->name, sizeof out->name, "missed");
    return true;
}

size_t cs_choose_name(const char *of, unsigned option, const char *names,
                      size_t n)
{
    char word[64];
    size_t reported = 0;
    for (size_t i = 0; of && *of && i < n; i++)
        if (cs_fact_word(names, i, word, sizeof word) && strcmp(word, of) == 0)
            reported = i;
    return n ? (reported + option) % n : 0;
}

/* Distances in addition to the curves of the probe `distance`. */
static const struct choice {
    const char *name, *key; /* key: array that the arm must have for this
                             * distance */
    bool (*find)(const cs_facts *f, size_t arm, cs_distance_curve *out);
} choices[] = {
    {"mmd", "mmd/curve", find_discrepancy},
    {"mse", "means/time", find_error},
    {"missed", "means/accuracy", find_missed},
};
enum { CHOICES = sizeof choices / sizeof *choices };

/* Chooses one of the `distances` curves of the probe `distance`, or one of the
 * other distances that the arm has. The returned index counts first the curves,
 * and then all entries of `choices`. */
static size_t choose(const cs_facts *f, const cs_distance_wanted *which,
                     size_t arm, size_t distances)
{
    char list[512];
    size_t used = (size_t)snprintf(
        list, sizeof list, "%s",
        distances ? cs_fact_text(f, arm, "distance/names") : "");
    size_t there[CHOICES], n = 0, r, c;
    for (size_t i = 0; i < CHOICES && used < sizeof list; i++)
        if (cs_fact_array(f, arm, &r, &c, "%s", choices[i].key)) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     used ? " " : "", choices[i].name);
            there[n++] = i;
        }
    size_t k = cs_choose_name(which->of, which->option, list, distances + n);
    return k < distances ? k : n ? distances + there[k - distances] : SIZE_MAX;
}

bool cs_distance_find(const cs_facts *f, const cs_distance_wanted *which,
                      size_t arm, cs_distance_curve *out)
{
    size_t r, c, n = 0, names = 0;
    *out = (cs_distance_curve){.axis = cs_facts_axis(f, arm, which->unit)};
    out->time = cs_fact_array(f, arm, &r, &c, "distance/time");
    out->value = cs_fact_array(f, arm, &names, &n, "distance/curve");
    names = out->time && out->value && r * c == n ? names : 0;
    size_t k = choose(f, which, arm, names);
    if (k >= names)
        return k != SIZE_MAX && choices[k - names].find(f, arm, out);
    out->error = cs_fact_array(f, arm, &r, &c, "distance/error");
    out->error = out->error && r == names && c == n ? out->error + k * n : NULL;
    out->n = n;
    out->value += k * n;
    const double *v = cs_fact_array(f, arm, &r, &c, "distance/values");
    out->now = value_of(out, v, k, v ? r * c : 0);
    v = cs_fact_array(f, arm, &r, &c, "distance/floor");
    out->floor = value_of(out, v, k, v ? r * c : 0);
    v = cs_fact_array(f, arm, &r, &c, "distance/law");
    out->law = v && k < r * c ? v[k] : 0;
    if (!cs_fact_word(cs_fact_text(f, arm, "distance/names"), k, out->name,
                      sizeof out->name))
        snprintf(out->name, sizeof out->name, "distance");
    return true;
}
