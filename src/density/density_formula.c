#include "density/density_formula.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 32, NAME_SIZE = 32, DEPTH = 32 };

typedef enum form {
    NUMBER,
    NAME,   /* the value in slot `which` */
    DEFINE, /* stores its child in slot `which` */
    OP,     /* the operation `which` */
    WORD,   /* cs_formula_words[which] */
    CALL,   /* density `which` */
    NEGATE,
    CHOICE /* three children */
} form;

/* A node of the syntax tree. Its children are linked by `next`. */
typedef struct part {
    form form;
    unsigned which;
    double value;
    unsigned child, next; /* indices; 0: none */
} part;

struct cs_density_formula {
    part *parts; /* [own] [n]; part 0 is not used */
    size_t n, capacity;
    unsigned root; /* the first definition, or the expression; the others follow
                    * by `next` */
};

typedef struct parser {
    cs_density_formula *f;
    const cs_densities *all;
    const char *at;
    char slot[SLOTS][NAME_SIZE];
    size_t n_slots;
    bool failed;
} parser;

/* ---- tokens -------------------------------------------------------------- */

static char look(parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
    return *p->at;
}

static bool take(parser *p, char c)
{
    if (look(p) != c)
        return false;
    p->at++;
    return true;
}

static void expect(parser *p, char c)
{
    if (!take(p, c))
        p->failed = true;
}

static void take_name(parser *p, char name[NAME_SIZE])
{
    size_t n = 0;
    look(p);
    while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_')
        n++;
    if (!n || n >= NAME_SIZE) {
        p->failed = true;
        n = 0;
    }
    memcpy(name, p->at, n);
    name[n] = '\0';
    p->at += n;
}

/* ---- names --------------------------------------------------------------- */

static unsigned add(parser *p, form kind, size_t which, double value)
{
    cs_density_formula *f = p->f;
    if (!CS_GROW(f->parts, f->n, f->capacity, 1)) {
        p->failed = true;
        return 0;
    }
    f->parts[f->n] =
        (part){.form = kind, .which = (unsigned)which, .value = value};
    return (unsigned)f->n++;
}

static bool find_slot(const parser *p, const char *name, size_t *slot)
{
    for (*slot = p->n_slots; (*slot)-- > 0;)
        if (!strcmp(p->slot[*slot], name))
            return true;
    return false;
}

static size_t new_slot(parser *p, const char *name)
{
    size_t slot;
    if (find_slot(p, name, &slot))
        return slot;
    if (p->n_slots == SLOTS) {
        p->failed = true;
        return 0;
    }
    memcpy(p->slot[p->n_slots], name, strlen(name) + 1);
    return p->n_slots++;
}

/* Adds a constant or the value of a slot. */
static unsigned add_name(parser *p, const char *name)
{
    size_t slot;
    if (find_slot(p, name, &slot))
        return add(p, NAME, slot, 0);
    for (size_t i = 0; i < cs_formula_constants_n; i++)
        if (!strcmp(cs_formula_constants[i].name, name))
            return add(p, NUMBER, 0, cs_formula_constants[i].value);
    p->failed = true;
    return 0;
}

/* Adds a call of n arguments without its children. */
static unsigned add_call(parser *p, const char *name, size_t n)
{
    for (size_t i = 0; i < cs_formula_words_n; i++) {
        const cs_formula_word *w = &cs_formula_words[i];
        if (!strcmp(w->name, name) && (w->n == n || !w->n))
            return w->op ? add(p, OP, w->op, 0) : add(p, WORD, i, 0);
    }
    for (size_t i = 0; i < p->all->n; i++)
        if (!strcmp(p->all->all[i].row->name, name) && p->all->all[i].n == n)
            return add(p, CALL, i, 0);
    p->failed = true;
    return 0;
}

/* ---- the grammar --------------------------------------------------------- */

static unsigned expression(parser *p);

static unsigned call(parser *p, const char *name)
{
    unsigned first = 0, last = 0;
    size_t n = 0;
    for (; !p->failed && (!n || take(p, ',')); n++) {
        unsigned argument = expression(p);
        if (last)
            p->f->parts[last].next = argument;
        else
            first = argument;
        last = argument;
    }
    expect(p, ')');
    unsigned made = p->failed ? 0 : add_call(p, name, n);
    if (made)
        p->f->parts[made].child = first;
    return made;
}

static unsigned primary(parser *p)
{
    char name[NAME_SIZE], *end;
    if (take(p, '(')) {
        unsigned inner = expression(p);
        expect(p, ')');
        return inner;
    }
    if (isdigit((unsigned char)look(p))) {
        double value = strtod(p->at, &end);
        p->at = end;
        return add(p, NUMBER, 0, value);
    }
    take_name(p, name);
    return p->failed ? 0 : take(p, '(') ? call(p, name) : add_name(p, name);
}

static unsigned unary(parser *p)
{
    if (p->failed || !take(p, '-'))
        return p->failed ? 0 : primary(p);
    unsigned of = unary(p);
    part *a = &p->f->parts[of];
    if (a->form == NUMBER) {
        a->value = -a->value;
        return of;
    }
    unsigned made = add(p, NEGATE, 0, 0);
    p->f->parts[made].child = of;
    return made;
}

static unsigned two(parser *p, cs_op op, unsigned a, unsigned b)
{
    unsigned made = add(p, OP, op, 0);
    p->f->parts[a].next = b;
    p->f->parts[made].child = a;
    return made;
}

static unsigned product(parser *p)
{
    unsigned a = unary(p);
    while (!p->failed && (look(p) == '*' || look(p) == '/')) {
        cs_op op = *p->at++ == '*' ? CS_OP_MUL : CS_OP_DIV;
        a = two(p, op, a, unary(p));
    }
    return a;
}

static unsigned sum(parser *p)
{
    unsigned a = product(p);
    while (!p->failed && (look(p) == '+' || look(p) == '-')) {
        cs_op op = *p->at++ == '+' ? CS_OP_ADD : CS_OP_SUB;
        a = two(p, op, a, product(p));
    }
    return a;
}

static unsigned expression(parser *p)
{
    unsigned fact = sum(p);
    if (p->failed || !take(p, '?'))
        return fact;
    unsigned yes = expression(p);
    expect(p, ':');
    unsigned no = p->failed ? 0 : expression(p), made = add(p, CHOICE, 0, 0);
    p->f->parts[fact].next = yes;
    p->f->parts[yes].next = no;
    p->f->parts[made].child = fact;
    return made;
}

/* Reads "name = expression;", if this is what follows. */
static unsigned definition(parser *p)
{
    char name[NAME_SIZE];
    const char *start = p->at;
    if (!isalpha((unsigned char)look(p)))
        return 0;
    take_name(p, name);
    if (p->failed || !take(p, '=')) {
        p->at = start;
        return 0;
    }
    unsigned value = expression(p);
    expect(p, ';');
    unsigned made = p->failed ? 0 : add(p, DEFINE, new_slot(p, name), 0);
    p->f->parts[made].child = value;
    return made;
}

static void read_all(parser *p)
{
    unsigned one, last = 0;
    do {
        one = definition(p);
        bool is_last = !one && !p->failed;
        if (is_last)
            one = expression(p);
        if (last)
            p->f->parts[last].next = one;
        else
            p->f->root = one;
        last = one;
        if (is_last)
            break;
    } while (!p->failed);
    p->failed = p->failed || look(p) != '\0';
}

cs_status cs_density_formula_create(const cs_densities *all,
                                    const cs_density *d,
                                    cs_density_formula **out, cs_error *err)
{
    cs_density_formula *f = cs_alloc(1, sizeof *f);
    parser p = {.f = f, .all = all, .at = d->row->formula};
    if (!f)
        return cs_fail(err, CS_MEMORY, "out of memory for a formula");
    p.failed = !CS_GROW(f->parts, 0, f->capacity, 1);
    f->n = 1;
    for (size_t i = 0; i < d->n; i++)
        new_slot(&p, d->argument[i].name);
    if (!p.failed)
        read_all(&p);
    if (p.failed) {
        size_t at = (size_t)(p.at - d->row->formula);
        cs_density_formula_destroy(f);
        return cs_fail(err, CS_INTERNAL,
                       "%s: mistake in the formula after '%.*s'", d->label,
                       (int)(at < 40 ? at : 40), p.at - (at < 40 ? at : 40));
    }
    *out = f;
    return CS_OK;
}

void cs_density_formula_destroy(cs_density_formula *f)
{
    if (!f)
        return;
    cs_free(f->parts);
    cs_free(f);
}

/* ---- values -------------------------------------------------------------- */

typedef struct frame {
    cs_calc *c;
    const cs_density_formula *f;
    cs_arg slot[SLOTS];
} frame;

static cs_arg value(frame *e, unsigned at);

/* Evaluates the children from left to right. */
static size_t children(frame *e, unsigned at, cs_arg *a)
{
    size_t n = 0;
    for (unsigned i = e->f->parts[at].child; i; i = e->f->parts[i].next)
        a[n++] = value(e, i);
    return n;
}

static cs_arg choose(frame *e, const part *p)
{
    const part *parts = e->f->parts;
    cs_arg fact = value(e, p->child);
    unsigned yes = parts[p->child].next;
    if (!fact.size)
        return fact;
    return value(e, *fact.v != 0 ? yes : parts[yes].next);
}

static cs_arg value(frame *e, unsigned at)
{
    const part *p = &e->f->parts[at];
    cs_arg a[CS_DENSITY_ARGUMENTS] = {{0}};
    if (p->form == NUMBER)
        return (cs_arg){.v = &p->value, .size = 1};
    if (p->form == NAME)
        return e->slot[p->which];
    if (p->form == CHOICE)
        return choose(e, p);
    size_t n = children(e, at, a);
    switch (p->form) {
    case DEFINE:
        return e->slot[p->which] = a[0];
    case NEGATE:
        return cs_calc_with(e->c, CS_OP_MUL, a[0], -1);
    case OP:
        return cs_calc_map(e->c, (cs_op)p->which, a, (int)n);
    case WORD:
        return cs_formula_words[p->which].build(e->c, a, n);
    default:
        return cs_density_apply(e->c, &e->c->densities->all[p->which], a);
    }
}

cs_arg cs_density_formula_value(cs_calc *c, const cs_density_formula *f,
                                const cs_arg *argument, size_t n)
{
    frame e = {.c = c, .f = f};
    cs_arg y = {0};
    if (c->depth >= DEPTH)
        return cs_calc_fail(c, NULL, "formulas call each other without end");
    c->depth++;
    for (size_t i = 0; i < n; i++)
        e.slot[i] = argument[i];
    for (unsigned i = f->root; i; i = f->parts[i].next)
        y = value(&e, i);
    c->depth--;
    return y;
}
