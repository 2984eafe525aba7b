/* A request contains the points of one block of chains, as the shortest
 * decimals that read back to the same bits. Answers may have any form that
 * strtod reads. If a parameter has bounds, the process receives the constrained
 * value y, and chains move in the unconstrained value u, as in the Stan
 * Reference Manual:
 *
 *     lower a: y = a + exp(u), upper b: y = b - exp(u),
 *     interval a b: y = a + (b - a) / (1 + exp(-u)),
 *
 * with log |dy/du| added to the log density. */
#include "targets/outside/process.h"

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "data/parts.h"
#include "target/eval.h"
#include "targets/outside/child_process.h"
#include "targets/outside/last_message.h"
#include "targets/outside/line_protocol.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { NUMBERS = 1 << 16, LINE = 4096, MOST_PROCESSES = 256 };

static const double again = 1; /* number of seconds after a failure during which
                                  no process is started */

/* A process, and the buffers of the thread that uses the process. */
typedef struct slot {
    cs_child_process *child; /* NULL: the process failed, and another process
                                will be started */
    bool busy;
    char *text; /* [capacity] text of a request */
    size_t used, capacity;
} slot;

typedef struct process {
    cs_process_spec spec; /* the settings; they point to the copies below */
    char **words;         /* [own] words of the command; ends with NULL */
    char *folder;         /* [own] folder in which the processes run */
    cs_model_hello hello;
    bool free_space; /* true: no parameter has bounds */
    locale_t plain;
    pthread_mutex_t lock; /* guards the members that follow */
    slot *slots[MOST_PROCESSES];
    size_t n;           /* number of slots, one per process */
    double failed_at;   /* time of the last failure, as returned by cs_clock; 0:
                           none */
    bool tried;         /* true: a point has been evaluated twice */
    char unsteady[256]; /* error found by evaluating a point twice; "": none */
    cs_last_message said;
} process;

/* ---- bounds -------------------------------------------------------------- */

/* Returns the constrained value y for u. */
static double constrain(const cs_model_param *p, double u)
{
    switch (p->support) {
    case CS_SUPPORT_LOWER:
        return p->low + exp(u);
    case CS_SUPPORT_UPPER:
        return p->high - exp(u);
    case CS_SUPPORT_INTERVAL:
        return p->low + (p->high - p->low) / (1 + exp(-u));
    default:
        return u;
    }
}

/* Returns log |dy/du|. Sets *slope to dy/du, and *of_log to the derivative of
 * log |dy/du| with respect to u. */
static double log_jacobian(const cs_model_param *p, double u, double *slope,
                           double *of_log)
{
    double size = fabs(u), small = exp(-size), width = p->high - p->low;
    switch (p->support) {
    case CS_SUPPORT_LOWER:
    case CS_SUPPORT_UPPER:
        *slope = p->support == CS_SUPPORT_LOWER ? exp(u) : -exp(u);
        *of_log = 1;
        return u;
    case CS_SUPPORT_INTERVAL:
        *slope = width * small / ((1 + small) * (1 + small));
        *of_log = copysign((1 - small) / (1 + small), -u);
        return log(width) - size - 2 * log1p(small);
    default:
        *slope = 1;
        *of_log = 0;
        return 0;
    }
}

/* Returns the unconstrained value u for y; NAN if y is out of bounds. */
static double unconstrain(const cs_model_param *p, double y)
{
    double u = y;
    if (p->support == CS_SUPPORT_LOWER)
        u = log(y - p->low);
    if (p->support == CS_SUPPORT_UPPER)
        u = log(p->high - y);
    if (p->support == CS_SUPPORT_INTERVAL)
        u = log(y - p->low) - log(p->high - y);
    return isfinite(u) ? u : (double)NAN;
}

/* ---- processes ----------------------------------------------------------- */

static cs_status hear_hello(void *self, char *line, bool *more, cs_error *err)
{
    process *p = self;
    cs_status status = cs_model_hello_take(&p->hello, line, err);
    *more = !p->hello.ready;
    return status;
}

/* Queries the process. During the query the locale uses decimal points. */
static cs_status ask_child(const process *p, cs_child_process *c,
                           const char *text, size_t n, double seconds,
                           const cs_child_listener *to, cs_error *err)
{
    locale_t before = uselocale(p->plain);
    cs_status status = cs_child_process_ask(c, text, n, seconds, to, err);
    uselocale(before);
    return status;
}

/* Reads the description that a process writes when it is started after the
 * first process. The description must agree with that of the first process. */
typedef struct again_hello {
    process *p;
    cs_model_hello hello;
} again_hello;

static cs_status hear_again(void *self, char *line, bool *more, cs_error *err)
{
    again_hello *a = self;
    const cs_model_hello *was = &a->p->hello, *is = &a->hello;
    cs_status status = cs_model_hello_take(&a->hello, line, err);
    *more = !is->ready;
    if (status || *more)
        return status;
    if (is->dim != was->dim || is->gradient != was->gradient)
        return cs_fail(err, CS_INPUT,
                       "a process started later describes a different model");
    return CS_OK;
}

static cs_status start(process *p, bool first, cs_child_process **out,
                       cs_error *err)
{
    char text[32];
    again_hello a = {.p = p};
    int n = snprintf(text, sizeof text, "chainscope %d\n", CS_PROTOCOL);
    cs_child_listener to = {first ? hear_hello : hear_again,
                            first ? (void *)p : (void *)&a, LINE};
    cs_status status =
        cs_child_process_start(out, p->spec.command, p->folder, err);
    if (status == CS_OK)
        status = ask_child(p, *out, text, (size_t)n, p->spec.startup, &to, err);
    if (status) {
        cs_child_process_end(*out);
        *out = NULL;
    }
    cs_model_hello_fini(&a.hello);
    return status;
}

static void release(process *p, slot *s)
{
    pthread_mutex_lock(&p->lock);
    s->busy = false;
    pthread_mutex_unlock(&p->lock);
}

/* Marks the process of a slot as failed. The reason is stored, and requests
 * within the next second fail as well. If the user has cancelled a request, the
 * next request may start a process at once. */
static void fail(process *p, slot *s, const cs_error *err)
{
    char text[1100];
    cs_error_format(err, text, sizeof text);
    cs_last_message_store(&p->said, text);
    cs_child_process_end(s->child);
    s->child = NULL;
    pthread_mutex_lock(&p->lock);
    p->failed_at = err->status == CS_STOPPED ? 0 : cs_clock();
    pthread_mutex_unlock(&p->lock);
}

/* Returns whether a process failed within the last second. Called with the lock
 * held. */
static bool has_failed(process *p)
{
    double now = cs_clock();
    bool lately = p->failed_at > 0 && now < p->failed_at + again;
    if (lately)
        p->failed_at = now;
    return lately;
}

static slot *add_slot(process *p)
{
    slot *s = p->n < MOST_PROCESSES ? cs_alloc(1, sizeof *s) : NULL;
    if (s)
        p->slots[p->n++] = s;
    return s;
}

/* Returns a free slot, preferably one with a running process, or NULL. Called
 * with the lock held. */
static slot *free_slot(process *p)
{
    slot *found = NULL;
    for (size_t i = 0; i < p->n; i++)
        if (!p->slots[i]->busy && (!found || p->slots[i]->child))
            found = p->slots[i];
    return found;
}

/* Waits 1 ms, because all slots are in use. The caller holds the lock. The
 * function releases the lock while it waits. */
static void wait_a_moment(process *p)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    pthread_mutex_unlock(&p->lock);
    nanosleep(&moment, NULL);
    pthread_mutex_lock(&p->lock);
}

/* Returns a slot with a process for the calling thread, or NULL if no process
 * can be started. */
static slot *take(process *p)
{
    slot *s = NULL;
    cs_error err = {0};
    pthread_mutex_lock(&p->lock);
    while (!has_failed(p) && !cs_cancellation_requested() &&
           !(s = free_slot(p)) && !(s = add_slot(p)))
        wait_a_moment(p);
    if (s)
        s->busy = true;
    pthread_mutex_unlock(&p->lock);
    if (!s || s->child || start(p, false, &s->child, &err) == CS_OK)
        return s;
    fail(p, s, &err);
    release(p, s);
    return NULL;
}

/* ---- requests ------------------------------------------------------------ */

/* A point of a request: the state of a lane with coordinate d replaced by x. If
 * d = dim, no coordinate is replaced. */
typedef struct place {
    size_t lane, d;
    double x;
} place;

typedef struct question {
    process *p;
    slot *s;
    const cs_point *at;
    size_t dim, n, answers, done; /* n: number of points; answers: number of
                                   * values per answer; done: number of answers
                                   * read so far */
    const place *of;              /* [n] the points */
    double *number;               /* [n][answers] output: the numbers of the
                                     answers */
} question;

static double coordinate(const question *q, const place *of, size_t d)
{
    return d == of->d ? of->x : q->at->x[d * q->at->lanes + of->lane];
}

static bool put_point(const question *q, const place *of)
{
    slot *s = q->s;
    if (!CS_EXTEND(s->text, s->used, s->capacity,
                   q->dim * CS_DECIMAL + CS_DECIMAL))
        return false;
    char *at = s->text + s->used;
    for (size_t i = 0; i < q->p->hello.n_params; i++) {
        const cs_model_param *p = &q->p->hello.param[i];
        for (size_t d = p->first; d < p->first + p->size; d++) {
            at += cs_decimal_put(constrain(p, coordinate(q, of, d)), at);
            *at++ = ' ';
        }
    }
    at[-1] = '\n';
    s->used = (size_t)(at - s->text);
    return true;
}

/* Reads one answer per point, then the line "end". */
static cs_status hear_answer(void *self, char *line, bool *more, cs_error *err)
{
    question *q = self;
    const char *said;
    if (q->done == q->n) {
        *more = false;
        return strcmp(line, "end") == 0 || strcmp(line, "end\r") == 0
                   ? CS_OK
                   : cs_fail(
                         err, CS_INPUT,
                         "unexpected 'end': %zu points must be answered first",
                         q->n);
    }
    cs_status status = cs_model_answer_take(
        line, q->answers, q->number + q->done * q->answers, &said, err);
    if (said)
        cs_last_message_store(&q->p->said,
                              *said ? said : "an error without a message");
    q->done++;
    return status;
}

/* Sends a request. If the thread that started the process has ended, the
 * process may have been killed before its first answer. In this case starts
 * another process and sends the request again. */
static cs_status put_question(process *p, slot *s, const cs_child_listener *to,
                              cs_error *err)
{
    cs_status status =
        ask_child(p, s->child, s->text, s->used, p->spec.timeout, to, err);
    const question *q = to->self;
    if (status == CS_OK || q->done || !cs_child_process_was_killed(s->child))
        return status;
    cs_child_process_end(s->child);
    status = start(p, false, &s->child, err);
    return status ? status
                  : ask_child(p, s->child, s->text, s->used, p->spec.timeout,
                              to, err);
}

static bool ask(question *q)
{
    slot *s = q->s;
    cs_error err = {0};
    bool fits = CS_EXTEND(s->text, 0, s->capacity, 64);
    s->used =
        fits ? (size_t)snprintf(s->text, 64, "%s %zu\n",
                                q->answers > 1 ? "gradient" : "value", q->n)
             : 0;
    for (size_t i = 0; i < q->n && fits; i++)
        fits = put_point(q, &q->of[i]);
    q->done = 0;
    const cs_child_listener to = {hear_answer, q, LINE + 64 * q->answers};
    cs_status status =
        fits ? put_question(q->p, s, &to, &err)
             : cs_fail(&err, CS_MEMORY, "out of memory for a request");
    if (status)
        fail(q->p, s, &err);
    return status == CS_OK;
}

/* ---- evaluation ---------------------------------------------------------- */

/* Writes the lanes to evaluate to of[]; returns their number. */
static size_t wanted_lanes(const cs_point *at, place *of, size_t dim)
{
    size_t n = 0;
    for (size_t l = 0; l < at->live; l++)
        if (!at->failed || !at->failed[l])
            of[n++] = (place){.lane = l, .d = dim};
    return n;
}

/* Converts the log density in y to the log density in u. */
static double with_jacobian(const question *q, const place *of, double logp)
{
    double slope, of_log;
    for (size_t i = 0; i < q->p->hello.n_params && !q->p->free_space; i++) {
        const cs_model_param *p = &q->p->hello.param[i];
        for (size_t d = p->first; d < p->first + p->size; d++)
            logp += log_jacobian(p, coordinate(q, of, d), &slope, &of_log);
    }
    return logp;
}

/* Writes the gradient in u to the lane's column of g. */
static void put_gradient(const question *q, const place *of,
                         const double *answer, double *g)
{
    double slope, of_log;
    for (size_t i = 0; i < q->p->hello.n_params; i++) {
        const cs_model_param *p = &q->p->hello.param[i];
        for (size_t d = p->first; d < p->first + p->size; d++) {
            log_jacobian(p, coordinate(q, of, d), &slope, &of_log);
            g[d * q->at->lanes + of->lane] = answer[d] * slope + of_log;
        }
    }
}

/* Returns true in the first call and false later. After the first call the
 * caller evaluates one point twice. */
static bool begins(process *p)
{
    pthread_mutex_lock(&p->lock);
    bool first = !p->tried;
    p->tried = true;
    pthread_mutex_unlock(&p->lock);
    return first;
}

/* Compares two answers for the first point. The first point is evaluated again
 * after the last point. */
static void compare_answers(const question *q)
{
    const double *a = q->number, *b = q->number + q->n * q->answers;
    size_t k = 0;
    while (k < q->answers && (a[k] == b[k] || (isnan(a[k]) && isnan(b[k]))))
        k++;
    if (k == q->answers)
        return;
    char one[CS_DECIMAL + 1], other[CS_DECIMAL + 1];
    one[cs_decimal_put(a[k], one)] = 0;
    other[cs_decimal_put(b[k], other)] = 0;
    pthread_mutex_lock(&q->p->lock);
    snprintf(
        q->p->unsteady, sizeof q->p->unsteady,
        "evaluated twice at the same point, the process gives %s and %s as its "
        "%s, so draws would be wrong; use a fixed seed, or no random numbers",
        one, other, k ? "slope" : "log density");
    pthread_mutex_unlock(&q->p->lock);
}

/* Computes log densities of the lanes in q->of. If g is not NULL, also computes
 * their gradients. q->of is the array `scratch`, which has space for one more
 * point. In the first call the first point is evaluated twice. */
static bool evaluate_lanes(question *q, place *scratch, double *logp, double *g)
{
    bool twice = q->n && begins(q->p);
    if (twice)
        scratch[q->n++] = scratch[0];
    if (q->n && !ask(q))
        return false;
    if (twice) {
        q->n--;
        compare_answers(q);
    }
    for (size_t i = 0; i < q->n; i++) {
        const place *of = &q->of[i];
        const double *answer = q->number + i * q->answers;
        logp[of->lane] = with_jacobian(q, of, answer[0]);
        if (g)
            put_gradient(q, of, answer + 1, g);
    }
    return true;
}

/* Computes central differences for the lanes in q->of, in requests of limited
 * size. The relative error is about 1e-10. */
static bool differences(const question *of, double *g)
{
    size_t dim = of->dim, most = NUMBERS / dim;
    most = most < 2 ? 2 : most - most % 2;
    size_t all = 2 * dim * of->n;
    place *places = cs_alloc(most, sizeof *places);
    double *number = cs_alloc(most, sizeof *number);
    bool good = places && number;
    for (size_t from = 0; good && from < all; from += most) {
        size_t n = all - from < most ? all - from : most;
        for (size_t i = 0; i < n; i++) {
            size_t k = (from + i) / 2, d = k % dim;
            place p = {.lane = of->of[k / dim].lane, .d = dim};
            double u = coordinate(of, &p, d), h = 6e-6 * (1 + fabs(u));
            places[i] = (place){p.lane, d, i % 2 ? u + h : u - h};
        }
        question q = {.p = of->p,
                      .s = of->s,
                      .at = of->at,
                      .dim = dim,
                      .n = n,
                      .answers = 1,
                      .of = places,
                      .number = number};
        good = ask(&q);
        for (size_t i = 0; good && i < n; i += 2) {
            const place *low = &places[i], *high = &places[i + 1];
            g[low->d * of->at->lanes + low->lane] =
                (with_jacobian(&q, high, number[i + 1]) -
                 with_jacobian(&q, low, number[i])) /
                (high->x - low->x);
        }
    }
    cs_free(places);
    cs_free(number);
    return good;
}

/* Marks all chains as broken after a failed request. */
static void break_lanes(const cs_point *at, double *logp)
{
    const uint64_t broken = CS_BROKEN_DENSITY;
    for (size_t l = 0; l < at->live; l++)
        memcpy(&logp[l], &broken, sizeof broken);
}

/* Copies the results of lane 0 to the padding lanes. Sets the gradient to 0
 * where log p is NaN. */
static void fill_up(const cs_point *at, size_t dim, double *logp, double *g)
{
    for (size_t l = at->live; l < at->lanes; l++)
        logp[l] = logp[0];
    for (size_t d = 0; g && d < dim; d++)
        for (size_t l = 0; l < at->lanes; l++)
            if (l >= at->live || isnan(logp[l]))
                g[d * at->lanes + l] = l >= at->live ? g[d * at->lanes] : 0;
}

static void evaluate(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    process *p = t->self;
    size_t dim = t->space.dim;
    bool own = g && p->hello.gradient;
    size_t answers = own ? dim + 1 : 1;
    for (size_t l = 0; l < at->live; l++)
        logp[l] = (double)NAN;
    place *of = cs_alloc(at->live + 1, sizeof *of);
    double *number = cs_alloc((at->live + 1) * answers, sizeof *number);
    slot *s = of && number ? take(p) : NULL;
    question q = {.p = p,
                  .s = s,
                  .at = at,
                  .dim = dim,
                  .answers = answers,
                  .of = of,
                  .number = number};
    q.n = of ? wanted_lanes(at, of, dim) : 0;
    bool good = s && evaluate_lanes(&q, of, logp, own ? g : NULL) &&
                (!g || own || differences(&q, g));
    if (s)
        release(p, s);
    if (!good)
        break_lanes(at, logp);
    fill_up(at, dim, logp, g);
    cs_free(of);
    cs_free(number);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    evaluate(t, at, logp, NULL);
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    evaluate(t, at, logp, g);
}

/* ---- generated quantities ------------------------------------------------ */

/* Returns the parameter that contains coordinate i. */
static const cs_model_param *param_of(const process *p, size_t i)
{
    size_t k = 0;
    while (i >= p->hello.param[k].first + p->hello.param[k].size)
        k++;
    return &p->hello.param[k];
}

static void coordinate_name(const cs_target *t, size_t i, char *text,
                            size_t size)
{
    const cs_model_param *p = param_of(t->self, i);
    if (p->vector)
        snprintf(text, size, "%s.%zu", p->name, i - p->first + 1);
    else
        snprintf(text, size, "%s", p->name);
}

static void name_of(const void *self, size_t i, char *text, size_t size)
{
    coordinate_name(self, i, text, size);
}

static void show(const void *self, const cs_point *at, double *y)
{
    const process *p = ((const cs_target *)self)->self;
    for (size_t i = 0; i < p->hello.n_params; i++) {
        const cs_model_param *one = &p->hello.param[i];
        size_t from = one->first * at->lanes, n = one->size * at->lanes;
        for (size_t k = from; k < from + n; k++)
            y[k] = constrain(one, at->x[k]);
    }
}

static cs_status free_point(const cs_target *t, const double *y, double *x,
                            cs_error *err)
{
    const process *p = t->self;
    char name[64];
    for (size_t i = 0; i < t->space.dim; i++) {
        x[i] = unconstrain(param_of(p, i), y[i]);
        if (!isnan(x[i]))
            continue;
        coordinate_name(t, i, name, sizeof name);
        return cs_fail(err, CS_INPUT, "%s = %g is outside its bounds", name,
                       y[i]);
    }
    return CS_OK;
}

static bool why(const cs_target *t, char *text, size_t size)
{
    return cs_last_message_get(&((process *)t->self)->said, text, size);
}

static bool unsteady(const cs_target *t, char *text, size_t size)
{
    process *p = t->self;
    pthread_mutex_lock(&p->lock);
    snprintf(text, size, "%s", p->unsteady);
    pthread_mutex_unlock(&p->lock);
    return *text;
}

/* Sets the time limit, which is checked only between requests. A single answer
 * may take until its own timeout. */
static void allow(const cs_target *t, double seconds)
{
    (void)t;
    (void)seconds;
}

/* ---- instances ----------------------------------------------------------- */

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    process *p = cs_alloc(1, sizeof *p);
    if (!p)
        return cs_fail(err, CS_MEMORY, "out of memory for a process");
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->self = p;
    p->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    pthread_mutex_init(&p->lock, NULL);
    cs_last_message_init(&p->said);
    return CS_OK;
}

static void destroy(cs_target *t)
{
    process *p = t->self;
    for (size_t i = 0; i < p->n; i++) {
        cs_child_process_end(p->slots[i]->child);
        cs_free(p->slots[i]->text);
        cs_free(p->slots[i]);
    }
    for (size_t i = 0; p->words && p->words[i]; i++)
        cs_free(p->words[i]);
    cs_free(p->words);
    cs_free(p->folder);
    cs_model_hello_fini(&p->hello);
    pthread_mutex_destroy(&p->lock);
    cs_last_message_fini(&p->said);
    if (p->plain)
        freelocale(p->plain);
    cs_free(p);
}

#define PROCESS_TYPE                                                           \
    .name = "process", .title = "A model that another program evaluates",      \
    .ref = "",                                                                 \
    .help = "A log density that is computed by another program, which is "     \
            "queried by lines of text through a pipe. If the program "         \
            "returns no gradients, they are approximated by central "          \
            "differences, which evaluate 2 * dim additional points.",          \
    .flags = CS_TARGET_HIDDEN | CS_TARGET_OUTSIDE, .create = create,           \
    .destroy = destroy, .log_density = log_density,                            \
    .coordinate = coordinate_name, .outside.allow = allow, .outside.why = why, \
    .outside.unsteady = unsteady

static const cs_target_type real_process = {PROCESS_TYPE, .gradient = gradient,
                                            .free_point = free_point};
static const cs_target_type whole_process = {PROCESS_TYPE};

static cs_status copy_spec(process *p, const cs_process_spec *spec,
                           cs_error *err)
{
    size_t n = 0;
    while (spec->command[n])
        n++;
    assert(n > 0 && spec->startup > 0 && spec->timeout > 0);
    p->words = cs_alloc(n + 1, sizeof *p->words);
    p->folder = cs_copy_text(spec->folder ? spec->folder : "");
    bool good = p->words && p->folder;
    for (size_t i = 0; i < n && good; i++)
        good = (p->words[i] = cs_copy_text(spec->command[i])) != NULL;
    p->spec = *spec;
    p->spec.command = (const char *const *)p->words;
    p->spec.folder = p->folder;
    return good && p->plain
               ? CS_OK
               : cs_fail(err, CS_MEMORY, "out of memory for a process");
}

/* Lists the parts of the target that must not change before a run is resumed:
 * the command, the contents of its files, and the description of the model. */
static void list_parts(cs_target *t)
{
    const process *p = t->self;
    char path[1100], name[32];
    struct stat about;
    for (size_t i = 0; p->words[i]; i++) {
        snprintf(name, sizeof name, "command.%zu", i + 1);
        cs_parts_text(&t->parts, name, p->words[i]);
        bool below = *p->words[i] != '/' && *p->folder;
        snprintf(path, sizeof path, "%s%s%s", below ? p->folder : "",
                 below ? "/" : "", p->words[i]);
        snprintf(name, sizeof name, "file.%zu", i + 1);
        if (i && stat(path, &about) == 0 && S_ISREG(about.st_mode))
            cs_parts_file(&t->parts, name, path);
    }
    for (size_t i = 0; i < p->hello.n_params; i++) {
        const cs_model_param *one = &p->hello.param[i];
        const double row[] = {(double)one->size, one->support, one->low,
                              one->high};
        cs_parts_numbers(&t->parts, one->name, row, 1, 4);
    }
}

/* Sets the fields of the target that depend on the description. */
static void describe(cs_target *t)
{
    process *p = t->self;
    const cs_model_param *first = &p->hello.param[0];
    bool whole = first->support == CS_SUPPORT_WHOLE;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = p->hello.dim};
    p->free_space = true;
    for (size_t i = 0; i < p->hello.n_params; i++)
        p->free_space &= whole || p->hello.param[i].support == CS_SUPPORT_REAL;
    if (whole) {
        t->space.low = (int)first->low;
        t->space.values = (int)(first->high - first->low) + 1;
        t->space.kind =
            first->low == 0 && first->high == 1 ? CS_BINARY : CS_ORDINAL;
        t->type = &whole_process;
    } else if (!p->hello.gradient) {
        t->gradient.calls = 2 * t->space.dim;
        t->gradient.note =
            "the model has no gradient: central differences are used, at "
            "2 log densities per coordinate";
    }
    t->free_numbers = t->space.dim;
    if (!p->free_space)
        cs_target_set_outputs(t, (cs_outputs){.n = t->space.dim,
                                              .fill = show,
                                              .name = name_of,
                                              .self = t});
}

cs_status cs_process_target(const cs_process_spec *spec, cs_target **out,
                            cs_error *err)
{
    cs_target *t;
    cs_status status = cs_target_create(&real_process, NULL, 0, &t, err);
    *out = NULL;
    if (status)
        return status;
    process *p = t->self;
    slot *s = NULL;
    status = copy_spec(p, spec, err);
    if (status == CS_OK && !(s = add_slot(p)))
        status = cs_fail(err, CS_MEMORY, "out of memory for a process");
    if (status == CS_OK)
        status = start(p, true, &s->child, err);
    if (status == CS_OK && p->hello.name[0])
        status = cs_target_call(t, p->hello.name, err);
    if (status) {
        cs_target_release(t);
        return status;
    }
    describe(t);
    list_parts(t);
    *out = t;
    return CS_OK;
}
