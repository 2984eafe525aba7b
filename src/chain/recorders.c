/* Columns of draws and their sources in a block; generated quantities. */
#include "chain/block.h"

#include <assert.h>
#include <string.h>

size_t cs_lead_names(const cs_kernel_type *type, const char **name)
{
    assert(type && name);
    size_t n = 0;
    name[n++] = "lp__";
    name[n++] = "accept_stat__";
    if (cs_param_find(type->params, type->n_params, "step") >= 0)
        name[n++] = "stepsize__";
    if (cs_draws_weigh(type))
        name[n++] = "log_weight__";
    for (size_t i = 0; type->stats && type->stats[i]; i++)
        name[n++] = type->stats[i];
    return n;
}

bool cs_draws_weigh(const cs_kernel_type *type)
{
    return (type->flags & CS_KERNEL_WEIGHS) &&
           !(type->flags & CS_KERNEL_SELECTS);
}

/* Returns the source of lp__, or NULL if the kernel has no log p. */
static const double *find_logp(const cs_block *b, const cs_recorder *recorder)
{
    if (b->logp_kind != CS_LOGP_EXACT && recorder->true_logp)
        return b->true_logp;
    return b->logp_kind == CS_LOGP_NONE ? NULL : b->move.info.logp;
}

static const double *find_column(const cs_block *b, const char *name)
{
    const cs_kernel_type *type = b->kernel->type;
    int step = cs_param_find(type->params, type->n_params, "step");
    if (strcmp(name, "accept_stat__") == 0)
        return b->accept_stat;
    if (strcmp(name, "stepsize__") == 0)
        return step < 0 ? NULL : b->param + (size_t)step * b->lanes;
    if (strcmp(name, "log_weight__") == 0)
        return b->move.info.log_weight ? b->move.info.log_weight
                                       : b->weights.log;
    for (size_t i = 0; type->stats && type->stats[i]; i++)
        if (strcmp(name, type->stats[i]) == 0)
            return b->move.info.stat + i * b->lanes;
    return NULL;
}

void cs_block_wire_recorders(cs_block *b)
{
    b->stat.divergent = find_column(b, "divergent__");
    b->stat.learning = find_column(b, "learning__");
    b->stat.energy = find_column(b, "energy__");
    b->stat.depth = find_column(b, "treedepth__");
    const cs_kernel_type *type = b->kernel->type;
    int most = type->length
                   ? cs_param_find(type->params, type->n_params, type->length)
                   : -1;
    b->stat.max_depth =
        b->stat.depth && most >= 0 ? b->param + (size_t)most * b->lanes : NULL;
    b->stat.bin = find_column(b, "bin__");
    b->stat.multiplier = find_column(b, "multiplier__");
    b->stat.rows_drawn = find_column(b, "rows__");
    b->stat.rows_kept = find_column(b, "kept__");
    if (!b->move.info.log_weight)
        memset(b->weights.log, 0, b->lanes * sizeof *b->weights.log);
    for (size_t i = 0; i < CS_RECORDERS; i++) {
        cs_recorder *recorder = &b->recorder[i];
        for (size_t k = 0; k < recorder->lead; k++)
            recorder->column[k] = strcmp(recorder->name[k], "lp__") == 0
                                      ? find_logp(b, recorder)
                                      : find_column(b, recorder->name[k]);
        bool same =
            recorder->type == b->kernel->type &&
            recorder->aux == cs_kernel_aux_recorded(b->kernel, b->target);
        recorder->aux_row = same ? b->aux : NULL;
    }
}

void cs_block_recorder(cs_block *b, size_t i, cs_recorder recorder)
{
    assert(i < CS_RECORDERS && recorder.lead <= CS_LEAD);
    assert(!recorder.every || (recorder.row && recorder.used - recorder.gone <=
                                                   recorder.capacity));
    assert(recorder.lanes <= b->live);
    b->recorder[i] = recorder;
    b->recorder[i].valid = recorder.used;
    cs_block_wire_recorders(b);
}

void cs_block_show(cs_block *b)
{
    if (b->target->outputs.n)
        cs_eval_outputs(&b->eval, &b->move.streams, b->move.x, b->shown);
}
