#include "chain/kernel_text.h"

#include "base/memory.h"
#include "data/parts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64 };

static const char of_kernel[] = "cs.kernel.", of_schedule[] = "cs.schedule.";

/* ---- writing ---- */

void cs_number_put(cs_page *p, double x)
{
    char text[40];
    cs_parts_spell(x, text, sizeof text);
    if (isinf(x))
        cs_page_put(p, x > 0 ? "math.huge" : "-math.huge");
    else
        cs_page_put(p, "%s", text);
}

void cs_numbers_put(cs_page *p, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cs_page_put(p, i ? ", " : "{ ");
        cs_number_put(p, x[i]);
    }
    cs_page_put(p, n ? " }" : "{ }");
}

static void put_value(cs_page *p, const cs_param *row, double x)
{
    if (row->kind == CS_PARAM_CHOICE)
        cs_page_put(p, "\"%s\"", row->choices[(size_t)x]);
    else if (row->kind == CS_PARAM_BOOL)
        cs_page_put(p, x != 0 ? "true" : "false");
    else
        cs_number_put(p, x);
}

/* Writes a schedule. For a cycle, writes only the list of its numbers. */
void cs_schedule_put(cs_page *p, const cs_schedule *s)
{
    const cs_schedule_type *type = s->type;
    size_t n = type->n_params;
    if (strcmp(type->name, "cycle") == 0) {
        cs_numbers_put(p, s->values + 1, cs_schedule_used(s) - 1);
        return;
    }
    cs_page_put(p, "%s%s {", of_schedule, type->name);
    for (size_t i = 0; i < n; i++) {
        cs_page_put(p, "%s%s = ", i ? ", " : " ", type->params[i].name);
        if (type->params[i].kind == CS_PARAM_ARRAY)
            cs_numbers_put(p, s->values + n, cs_schedule_used(s) - n);
        else
            put_value(p, &type->params[i], s->values[i]);
    }
    cs_page_put(p, " }");
}

/* Writes "cs.kernel.NAME { FIELDS" with the rows [from, to) of `k`. */
static void put_rows(cs_page *p, const char *name, const cs_kernel *k,
                     const cs_plan *plan, size_t from, size_t to)
{
    const cs_param *row = k->type->params;
    cs_page_put(p, "%s%s {", of_kernel, name);
    for (size_t i = from; i < to; i++) {
        cs_page_put(p, "%s%s = ", i > from ? ", " : " ", row[i].name);
        if (plan->driven[i])
            cs_schedule_put(p, cs_plan_schedule(plan, i));
        else
            put_value(p, &row[i], k->values[i]);
    }
}

static void put_lists(cs_page *p, const cs_kernel *k, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        size_t n;
        const double *x = cs_kernel_list(k, i, &n);
        if (!x)
            continue;
        cs_page_put(p, ", %s = ", k->type->params[k->type->n_params + i].name);
        cs_numbers_put(p, x, n);
    }
}

void cs_kernel_put(cs_page *p, const cs_kernel *k, const cs_plan *plan)
{
    const cs_kernel_type *outer, *inner;
    size_t n = k->type->n_params;
    if (!cs_kernel_find_wrapper(k->type->name, &outer, &inner)) {
        put_rows(p, k->type->name, k, plan, 0, n);
        put_lists(p, k, 0, k->type->n_lists);
    } else {
        put_rows(p, outer->name, k, plan, 0, outer->n_params);
        put_lists(p, k, 0, outer->n_lists);
        cs_page_put(p, ", kernel = ");
        put_rows(p, inner->name, k, plan, outer->n_params, n);
        put_lists(p, k, outer->n_lists, k->type->n_lists);
        cs_page_put(p, " }");
    }
    cs_page_put(p, " }");
}

bool cs_schedule_has_text(const cs_schedule *s)
{
    return !(s->type->flags & CS_SCHEDULE_HIDDEN);
}

bool cs_kernel_has_text(const cs_kernel *k, const cs_plan *plan)
{
    const cs_kernel_type *outer, *inner;
    bool has = !(k->type->flags & CS_KERNEL_HIDDEN) ||
               cs_kernel_find_wrapper(k->type->name, &outer, &inner);
    for (size_t i = 0; i < k->type->n_params; i++)
        has &=
            !plan->driven[i] || cs_schedule_has_text(cs_plan_schedule(plan, i));
    return has;
}

/* ---- reading ---- */

static bool is_next(const char **at, const char *token)
{
    *at += strspn(*at, " \t");
    return strncmp(*at, token, strlen(token)) == 0;
}

static bool skip(const char **at, const char *token)
{
    bool is = is_next(at, token);
    *at += is ? strlen(token) : 0;
    return is;
}

static bool read_name(const char **at, char name[NAME])
{
    *at += strspn(*at, " \t");
    size_t n = strcspn(*at, " \t\r\n={},\"");
    if (n == 0 || n >= NAME)
        return false;
    memcpy(name, *at, n);
    name[n] = 0;
    *at += n;
    return true;
}

static cs_status odd(const char *at, const char *wanted, cs_error *err)
{
    int n = (int)strcspn(at, "\r\n");
    return cs_fail(err, CS_INPUT, "'%.*s' is not %s", n < 30 ? n : 30, at,
                   wanted);
}

bool cs_number_read(const char **at, double *x)
{
    char *end;
    double sign = skip(at, "-math.huge") ? -1 : skip(at, "math.huge");
    *x = sign * HUGE_VAL;
    if (sign != 0)
        return true;
    if (isspace((unsigned char)**at))
        return false;
    *x = strtod(*at, &end);
    bool is = end != *at && strchr(" \t\r\n,}", *end);
    *at = end;
    return is;
}

cs_status cs_numbers_read(const char **at, double *x, size_t capacity,
                          size_t *n, cs_error *err)
{
    *n = 0;
    if (!skip(at, "{"))
        return odd(*at, "a list of numbers", err);
    while (!skip(at, "}")) {
        if (*n == capacity)
            return cs_fail(err, CS_RANGE, "a list has more than %zu numbers",
                           capacity);
        if (!cs_number_read(at, &x[(*n)++]) ||
            (!skip(at, ",") && !is_next(at, "}")))
            return odd(*at, "a number in a list", err);
    }
    return CS_OK;
}

enum { FIELDS = CS_KERNEL_PARAMS + CS_KERNEL_LISTS };

/* State of the parser while it reads the fields between braces. */
typedef struct reader {
    const char **at;
    const char *name; /* name of the type that has the rows */
    const cs_param *row;
    size_t n_rows;
    cs_plan *plan;    /* receives the schedules of a kernel's rows; or NULL */
    cs_kernel *inner; /* receives the inner kernel of a wrapper; or NULL */
    cs_plan *inner_plan;
    cs_restored **made; /* list of the kernels that have been created */
    cs_value value[FIELDS];
    size_t n;
    double *list[FIELDS]; /* [own] numbers of the lists among the values */
    size_t n_lists;
    cs_error *err;
} reader;

static cs_status read_schedule(const char **at, cs_schedule *s, cs_error *err);
static cs_status read_kernel(const char **at, bool inside, cs_restored **made,
                             cs_kernel *k, cs_plan *plan, cs_error *err);

static cs_value *next_value(reader *r, const cs_param *row)
{
    if (r->n == FIELDS) {
        cs_fail(r->err, CS_INPUT, "too many fields of %s", r->name);
        return NULL;
    }
    cs_value *v = &r->value[r->n++];
    *v = (cs_value){.name = row->name, .kind = row->kind, .given = 1};
    return v;
}

/* Reads a list. Counts the commas first: there is one after each number except
 * the last. */
static cs_status read_list(reader *r, cs_value *v)
{
    size_t most = 1;
    for (const char *c = *r->at + strcspn(*r->at, "{");
         *c && !strchr("}\n", *c); c++)
        most += *c == ',';
    double *x = cs_alloc(most, sizeof *x);
    if (!x)
        return cs_fail(r->err, CS_MEMORY, "out of memory for a list");
    r->list[r->n_lists++] = x;
    v->array = x;
    v->cols = 1;
    return cs_numbers_read(r->at, x, most, &v->rows, r->err);
}

static void forget_lists(reader *r)
{
    while (r->n_lists)
        cs_free(r->list[--r->n_lists]);
}

static cs_status read_value(reader *r, const cs_param *row)
{
    char text[NAME];
    cs_value *v = next_value(r, row);
    if (!v)
        return CS_INPUT;
    if (row->kind == CS_PARAM_ARRAY)
        return read_list(r, v);
    if (row->kind == CS_PARAM_CHOICE && skip(r->at, "\"") &&
        read_name(r->at, text) && skip(r->at, "\""))
        return cs_param_choose(row, text, &v->number, r->err);
    if (row->kind == CS_PARAM_BOOL) {
        v->number = skip(r->at, "true");
        if (v->number != 0 || skip(r->at, "false"))
            return CS_OK;
    } else if (row->kind != CS_PARAM_CHOICE &&
               cs_number_read(r->at, &v->number)) {
        return CS_OK;
    }
    return odd(*r->at, "a value", r->err);
}

static cs_status read_field(reader *r)
{
    char key[NAME];
    if (!read_name(r->at, key) || !skip(r->at, "="))
        return odd(*r->at, "NAME = VALUE", r->err);
    if (r->inner && strcmp(key, "kernel") == 0)
        return read_kernel(r->at, true, r->made, r->inner, r->inner_plan,
                           r->err);
    int i = cs_param_find(r->row, r->n_rows, key);
    if (i < 0)
        return cs_fail(r->err, CS_UNKNOWN, "%s has no field '%s'", r->name,
                       key);
    if (!r->plan || r->row[i].kind == CS_PARAM_ARRAY ||
        (!is_next(r->at, "{") && !is_next(r->at, of_schedule)))
        return read_value(r, &r->row[i]);
    cs_schedule schedule;
    cs_status s = read_schedule(r->at, &schedule, r->err);
    if (s == CS_OK && !cs_plan_drive(r->plan, (size_t)i, &schedule))
        s = cs_plan_is_full(r->err);
    return s;
}

static cs_status read_fields(reader *r)
{
    if (!skip(r->at, "{"))
        return odd(*r->at, "{ NAME = VALUE, ... }", r->err);
    while (!skip(r->at, "}")) {
        cs_status s = read_field(r);
        if (s)
            return s;
        if (!skip(r->at, ",") && !is_next(r->at, "}"))
            return odd(*r->at, "', ' or '}'", r->err);
    }
    return CS_OK;
}

/* Reads a schedule. Its type remains NULL if the name is not registered. */
static cs_status read_schedule(const char **at, cs_schedule *s, cs_error *err)
{
    char name[NAME] = "cycle";
    bool list = is_next(at, "{");
    if (!list && (!skip(at, of_schedule) || !read_name(at, name)))
        return odd(*at, "a schedule", err);
    const cs_schedule_type *type = cs_schedule_find(name);
    reader r = {.at = at,
                .name = name,
                .row = type ? type->params : NULL,
                .n_rows = type ? type->n_params : 0,
                .err = err};
    cs_status status = list ? read_value(&r, r.row) : read_fields(&r);
    *s = (cs_schedule){.type = NULL};
    if (status == CS_OK && type)
        status = cs_schedule_init(s, type, r.value, r.n, err);
    forget_lists(&r);
    return status;
}

cs_status cs_schedule_read(const char **at, cs_schedule *s, cs_error *err)
{
    cs_status status = read_schedule(at, s, err);
    return status || s->type ? status
                             : cs_fail(err, CS_UNKNOWN, "unknown schedule");
}

/* ---- kernels ---- */

void cs_restored_free(cs_restored *list)
{
    while (list) {
        cs_restored *next = list->next;
        cs_kernel_release(&list->kernel);
        cs_free(list);
        list = next;
    }
}

static bool has_list(const cs_kernel *k, size_t i, const double *x, size_t n)
{
    size_t m;
    const double *y = cs_kernel_list(k, i, &m);
    return n == m && (n == 0 || memcmp(x, y, n * sizeof *x) == 0);
}

/* Returns whether b can use the data of `a`. This is possible if the two
 * kernels differ only in values that may change. */
static bool is_same(const cs_kernel *a, const cs_kernel *b)
{
    bool same = a->type && strcmp(a->type->name, b->type->name) == 0;
    cs_kernel with = *b;
    with.type = a->type;
    with.self = a->self;
    same = same && cs_kernel_is_as_made(&with);
    for (size_t i = 0; same && i < a->type->n_lists; i++) {
        size_t n;
        const double *x = cs_kernel_list(a, i, &n);
        same = has_list(b, i, x, n);
    }
    return same;
}

static cs_status make(const reader *r, const cs_kernel_type *type, cs_kernel *k)
{
    if (!type->wraps)
        return cs_kernel_init(k, type, r->value, r->n, r->err);
    if (!r->inner->type)
        return cs_fail(r->err, CS_INPUT, "%s needs an inner kernel",
                       type->name);
    return cs_kernel_wrap(k, type, r->value, r->n, r->inner, r->err);
}

/* Creates a kernel. If the current kernel or a kernel in the list is equal to
 * the new kernel, the new kernel shares the data of that kernel. Otherwise the
 * new kernel is added to the list. A kernel without data of its own is neither
 * shared nor added. */
static cs_status make_once(const reader *r, const cs_kernel_type *type,
                           cs_kernel *k)
{
    const cs_kernel now = *k;
    cs_status s = make(r, type, k);
    if (s || !k->self)
        return s;
    cs_restored *new = cs_alloc(1, sizeof *new), *old = *r->made;
    if (!new) {
        cs_kernel_release(k);
        *k = now;
        return cs_fail(r->err, CS_MEMORY, "out of memory for the kernel");
    }
    new->kernel = *k;
    while (old && !is_same(&old->kernel, k))
        old = old->next;
    bool same = is_same(&now, k);
    if (!same && !old) {
        new->next = *r->made;
        *r->made = new;
        return CS_OK;
    }
    k->type = same ? now.type : old->kernel.type;
    k->self = same ? now.self : old->kernel.self;
    cs_restored_free(new);
    return CS_OK;
}

/* Keeps the current kernel *k, which has the type that was read, and sets its
 * values. */
static cs_status go_on(const reader *r, cs_kernel *k)
{
    cs_value v[FIELDS];
    size_t n = k->type->n_params;
    cs_status s = cs_params_resolve(r->name, r->row, r->n_rows, r->value, r->n,
                                    v, r->err);
    for (size_t i = 0; s == CS_OK && i < r->n_rows; i++)
        if (i < n)
            k->values[i] = v[i].number;
        else if (!has_list(k, i - n, v[i].array, v[i].rows))
            return cs_fail(r->err, CS_INPUT,
                           "%s: the list %s cannot be changed", r->name,
                           v[i].name);
    return s;
}

/* For each parameter that a schedule drives, adds the value of the schedule at
 * step 1 to the given values. */
static cs_status give_first_values(reader *r)
{
    for (size_t i = 0; i < CS_KERNEL_PARAMS; i++) {
        const cs_schedule *s = cs_plan_schedule(r->plan, i);
        if (!r->plan->driven[i] || !s->type)
            continue;
        cs_value *v = next_value(r, &r->row[i]);
        if (!v)
            return CS_INPUT;
        v->number = cs_plan_value(s, &r->row[i], 1);
    }
    return CS_OK;
}

/* Creates the kernel after all its fields were read. `same` means that k
 * already has this type. */
static cs_status take(const reader *r, const cs_kernel_type *type, bool same,
                      cs_kernel *k)
{
    if (same && (type->instance || !type->n_lists))
        return go_on(r, k);
    return type->wraps || type->n_lists ? make_once(r, type, k)
                                        : make(r, type, k);
}

/* Reads a kernel. `inside` means that the kernel is the inner kernel of a
 * wrapper, so that there is no current kernel. */
static cs_status read_kernel(const char **at, bool inside, cs_restored **made,
                             cs_kernel *k, cs_plan *plan, cs_error *err)
{
    char name[NAME];
    cs_kernel inner = {.type = NULL};
    cs_plan inner_plan = {.driven = {false}};
    const cs_kernel_type *now = inside ? NULL : k->type;
    if (!skip(at, of_kernel) || !read_name(at, name))
        return odd(*at, "a kernel", err);
    bool same = now && strcmp(now->name, name) == 0;
    const cs_kernel_type *type = same ? now : cs_kernel_find(name);
    bool wraps = type && !same && type->wraps;
    if (!type || (wraps && inside))
        return cs_fail(err, CS_UNKNOWN, "there is no kernel '%s'%s", name,
                       type ? " that can be wrapped" : "");
    reader r = {.at = at,
                .name = type->name,
                .row = type->params,
                .n_rows = type->n_params + type->n_lists,
                .plan = plan,
                .inner = wraps ? &inner : NULL,
                .inner_plan = &inner_plan,
                .made = made,
                .err = err};
    cs_status s = read_fields(&r);
    if (s == CS_OK)
        s = give_first_values(&r);
    if (s == CS_OK)
        s = take(&r, type, same, k);
    forget_lists(&r);
    for (size_t i = 0; s == CS_OK && wraps && i < inner.type->n_params; i++)
        if (inner_plan.driven[i] &&
            !cs_plan_drive(plan, type->n_params + i,
                           cs_plan_schedule(&inner_plan, i)))
            s = cs_plan_is_full(err);
    return s;
}

cs_status cs_kernel_read(const char **at, cs_restored **made, cs_kernel *k,
                         cs_plan *plan, cs_error *err)
{
    const cs_plan old = *plan;
    const cs_kernel_type *now = k->type;
    *plan = (cs_plan){.driven = {false}};
    cs_status s = read_kernel(at, false, made, k, plan, err);
    for (size_t i = 0; s == CS_OK && i < k->type->n_params; i++) {
        if (!plan->driven[i] || cs_plan_schedule(plan, i)->type)
            continue;
        if (!now || strcmp(now->name, k->type->name) != 0 || !old.driven[i] ||
            cs_schedule_has_text(cs_plan_schedule(&old, i)))
            return cs_fail(err, CS_UNKNOWN,
                           "the schedule of %s is defined in a script and "
                           "cannot be read from text",
                           k->type->params[i].name);
        (void)cs_plan_drive(plan, i, cs_plan_schedule(&old, i));
    }
    return s;
}
