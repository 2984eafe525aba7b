/* Reports of a learner, and its fingerprint. */
#include "learn/divergence_parts.h"

#include "base/memory.h"
#include "chain/kernel_text.h"
#include "data/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t k = 0; k < n; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

/* Reports the first filters, each scaled to its own largest value. Also reports
 * the largest value over all filters. */
static void report_filters(const cs_target *t, const char *prefix, cs_flat *out)
{
    const cs_model_type *model = t->type->model;
    size_t n = 0, dim = t->space.dim;
    const int half = CS_FILTER_LEVELS / 2;
    double *one = model->filter ? cs_alloc(dim, sizeof *one) : NULL, most = 0;
    while (one && n < CS_FILTERS && model->filter(t, n, one))
        n++;
    char *all = n ? cs_flat_room(out, n * dim, "%sfilters", prefix) : NULL;
    for (size_t i = 0; all && i < n; i++) {
        model->filter(t, i, one);
        double scale = largest(one, dim);
        most = fmax(most, scale);
        for (size_t k = 0; k < dim; k++) {
            double x = scale > 0 ? one[k] / scale : 0;
            all[i * dim + k] = (char)(1 + half + (int)lrint(x * half));
        }
    }
    if (all) {
        cs_picture p = cs_target_picture(t);
        bool whole = p.kind == CS_PICTURE_PIXELS && p.rows * p.cols >= dim;
        cs_flat_number(out, (double)n, "%sfilters_n", prefix);
        cs_flat_number(out, whole ? (double)p.cols : (double)dim,
                       "%sfilters_cols", prefix);
        cs_flat_number(out, most, "%sfilters_most", prefix);
    }
    cs_free(one);
}

static void report_likelihood(const cs_divergence *d, const cs_learn_memory *m,
                              const char *prefix, cs_flat *out)
{
    size_t n = (size_t)m->n_judged;
    cs_judgement *to =
        n ? CS_FLAT_ROWS(out, cs_judgement, n, "%sjudged", prefix) : NULL;
    if (to)
        memcpy(to, m->judged, n * sizeof *to);
    for (size_t i = 0; to && !d->spec.test && i < n; i++)
        to[i].test = to[i].test_error = (double)NAN;
    cs_flat_number(out, d->independent, "%sindependent", prefix);
    cs_flat_number(out, d->independent_error, "%sindependent_error", prefix);
}

/* Reports the last evaluation as a string. */
static void report_words(const cs_divergence *d, const cs_learn_memory *m,
                         const char *prefix, cs_flat *out)
{
    char test[80] = "", text[300] = "not judged";
    const cs_judgement *j = &m->judged[(size_t)fmax(m->n_judged - 1, 0)];
    if (d->spec.test)
        snprintf(test, sizeof test, "test %.5g +- %.2g, ", j->test,
                 j->test_error);
    if (m->n_judged > 0)
        snprintf(text, sizeof text,
                 "at update %.0f log p of a row: %sdata %.5g +- %.2g "
                 "(independent bits %.5g), log Z %.6g +- %.2g from %zu runs "
                 "with an effective sample size of %.3g%s",
                 j->update, test, j->train, j->train_error, d->independent,
                 j->log_z, j->error, d->spec.runs, j->kish,
                 j->kish < 10 ? ": too few for the error" : "");
    cs_flat_text(out, text, "%swords", prefix);
}

void cs_learn_report(const cs_learning *l, const char *prefix, cs_flat *out)
{
    const cs_divergence *d = l->self;
    const cs_learn_memory *m = (const void *)l->memory;
    size_t n = (size_t)m->n;
    cs_flat_number(out, (double)l->update, "%supdate", prefix);
    cs_flat_number(out, (double)l->updates, "%supdates", prefix);
    cs_flat_number(out, m->refused, "%srefused", prefix);
    cs_flat_number(out, (double)d->spec.runs, "%sruns", prefix);
    cs_flat_number(out, (double)l->target->n_learned, "%snumbers", prefix);
    cs_flat_number(out, cs_optimiser_rate(&d->spec.optimiser, l->update + 1),
                   "%srate", prefix);
    cs_flat_text(out, d->spec.train->from, "%sdata", prefix);
    cs_learned_row *way =
        n ? CS_FLAT_ROWS(out, cs_learned_row, n, "%sway", prefix) : NULL;
    if (way)
        memcpy(way, m->row, n * sizeof *way);
    report_likelihood(d, m, prefix, out);
    report_words(d, m, prefix, out);
    report_filters(l->target, prefix, out);
}

/* ---- fingerprint --------------------------------------------------------- */

static void optimiser_parts(const cs_optimiser *o, cs_page *p)
{
    cs_parts_text(p, "learn.optimiser", o->type->name);
    for (size_t i = o->falls; i < o->type->n_params; i++)
        cs_parts_number(p, o->type->params[i].name, o->value[i]);
    if (!o->falls)
        return;
    cs_page_put(p, "rate = ");
    cs_schedule_put(p, &o->rate);
    cs_page_put(p, "\n");
    if (o->rate.type->parts)
        o->rate.type->parts(&o->rate, "rate", p);
}

void cs_learn_parts(const void *self, cs_page *p)
{
    const cs_divergence *d = self;
    const cs_divergence_spec *s = &d->spec;
    const struct {
        const char *name;
        double x;
    } number[] = {{"batch", (double)s->batch},
                  {"from_data", s->from_data},
                  {"as_made", s->as_made},
                  {"buffer", (double)s->buffer},
                  {"at_mean", s->at_mean},
                  {"average", s->average},
                  {"judge.every", (double)s->judge_every},
                  {"judge.runs", (double)s->runs},
                  {"judge.temperatures", (double)s->temperatures},
                  {"judge.rows", (double)s->judge_rows}};
    cs_parts_text(p, "learn.data", s->train->from);
    cs_parts_digest(p, "learn.data.bytes", "digest", s->train->digest);
    if (s->test)
        cs_parts_digest(p, "learn.test.bytes", "digest", s->test->digest);
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        cs_parts_number(p, number[i].name, number[i].x);
    if (s->annealer.type)
        cs_parts_text(p, "judge.kernel", s->annealer.type->name);
    for (size_t i = 0; s->annealer.type && i < s->annealer.type->n_params; i++)
        cs_parts_number(p, s->annealer.type->params[i].name,
                        s->annealer.values[i]);
    optimiser_parts(&s->optimiser, p);
}
