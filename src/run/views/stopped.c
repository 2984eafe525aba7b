/* Describes the chains that have stopped: the impossible value, and the point
 * at which it occurred. */
#include "run/views/stopped.h"
#include "run/arms/run_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Maximum length of a reason from a kernel, and of a message from a model. */
enum { REASON = 128, SAID = 320 };

static size_t put(char *text, size_t size, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static size_t put(char *text, size_t size, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text + at, size - at, format, args);
    va_end(args);
    at += n > 0 ? (size_t)n : 0;
    return at < size ? at : size - 1;
}

/* Writes the first of `dim` coordinates as "(1, 2, ...)". The coordinates are
 * `stride` doubles apart. */
static size_t put_point(char *text, size_t size, size_t at, const double *x,
                        size_t dim, size_t stride)
{
    size_t shown = dim < CS_FAULT_SHOWN ? dim : CS_FAULT_SHOWN;
    for (size_t d = 0; d < shown; d++)
        at = put(text, size, at, "%s%.6g", d ? ", " : "(", x[d * stride]);
    return put(text, size, at, dim > shown ? ", ...)" : ")");
}

/* Returns the fault of lane l of a block. */
static cs_fault fault_of(const cs_block *b, size_t l)
{
    cs_fault cause = (cs_fault)b->fault[l];
    return cause <= CS_FAULT_KERNEL ? cause : CS_FAULT_NONE;
}

/* Returns the description of a fault. The text may be a constant or may be
 * written to text[size]. */
static const char *words_of(const cs_block *b, size_t l, char *text,
                            size_t size)
{
    cs_fault cause = fault_of(b, l);
    const cs_reason why = cs_block_reason(b, l);
    static const char *const what[] = {
        [CS_FAULT_NONE] = "the kernel failed",
        [CS_FAULT_DENSITY] = "log density is NaN",
        [CS_FAULT_GRADIENT] = "gradient is not finite",
        [CS_FAULT_INFINITE] = "log density is +infinity",
        [CS_FAULT_RATIO] = "the density of the kernel's proposal is NaN",
        [CS_FAULT_STATE] =
            "log density or a difference of log densities is NaN",
        [CS_FAULT_ENDLESS] = "log density is +infinity"};
    if (cause != CS_FAULT_KERNEL)
        return what[cause];
    cs_kernel_explain(b->kernel, &why, text, size);
    return text;
}

/* Appends the message of an external model, if the model has given a
 * message. */
static void put_said(char *text, size_t size, size_t at, const cs_target *t,
                     cs_fault cause)
{
    char said[SAID];
    if (cause != CS_FAULT_KERNEL && t->type->outside.why &&
        t->type->outside.why(t, said, sizeof said))
        put(text, size, at, "; reason: %s", said);
}

/* Returns true if put_point would write the same text for both points. */
static bool are_alike(const double *x, const double *y, size_t dim,
                      size_t stride)
{
    for (size_t d = 0; d < dim && d < CS_FAULT_SHOWN; d++)
        if (x[d * stride] != y[d * stride])
            return false;
    return true;
}

static void tell(const cs_run *r, const cs_arm *a, size_t chain, char *text,
                 size_t size)
{
    const cs_block *b = cs_arm_block(a, chain);
    size_t l = cs_arm_lane(a, chain), dim = b->move.dim, n = b->lanes;
    cs_fault cause = fault_of(b, l);
    bool kernel = cause == CS_FAULT_KERNEL;
    char words[REASON];
    size_t at = put(
        text, size, 0, "%s %s: %s in chain %zu of arm %s at step %.0f, x = ",
        kernel ? "kernel" : "target",
        kernel ? b->kernel->type->name : r->target->name,
        words_of(b, l, words, sizeof words), chain + 1, a->name, b->failed[l]);
    const double *x = b->move.x + l, *point = b->fault + CS_FAULT_POINT * n + l;
    at = put_point(text, size, at, x, dim, n);
    if (cause >= CS_FAULT_STATE && are_alike(x, point, dim, n)) {
        put_said(text, size, at, r->target, cause);
        return;
    }
    at = put(text, size, at, cause >= CS_FAULT_STATE ? ", at " : ", proposal ");
    at = put_point(text, size, at, point, dim, n);
    put_said(text, size, at, r->target, cause);
}

bool cs_run_chain_fault(const cs_run *r, size_t arm, size_t chain, char *text,
                        size_t size)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return false;
    const cs_arm *a = &r->arm[arm];
    if (cs_arm_block(a, chain)->failed[cs_arm_lane(a, chain)] == 0)
        return false;
    tell(r, a, chain, text, size);
    return true;
}

bool cs_run_chain_stop(const cs_run *r, size_t arm, size_t chain,
                       uint64_t *step, char *why, size_t size)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return false;
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    size_t l = cs_arm_lane(a, chain);
    if (b->failed[l] == 0)
        return false;
    cs_fault cause = fault_of(b, l);
    *step = (uint64_t)b->failed[l];
    char words[REASON];
    size_t at =
        put(why, size, 0, "%s at the %s ", words_of(b, l, words, sizeof words),
            cause >= CS_FAULT_STATE ? "state" : "proposal");
    at = put_point(why, size, at, b->fault + CS_FAULT_POINT * b->lanes + l,
                   b->move.dim, b->lanes);
    put_said(why, size, at, r->target, cause);
    return true;
}

bool cs_run_fault(cs_run *r, char *text, size_t size)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        for (size_t c = 0; c < a->chains; c++) {
            const cs_block *b = cs_arm_block(a, c);
            bool failed = b->failed[cs_arm_lane(a, c)] != 0;
            bool news = failed && !a->reported.reported[c];
            a->reported.reported[c] = failed;
            if (!news)
                continue;
            tell(r, a, c, text, size);
            return true;
        }
    }
    return false;
}
