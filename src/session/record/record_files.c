/* The files of draws of a record: their names, columns and contents. */
#include "session/record/record_parts.h"

#include "base/memory.h"
#include "io/adaptation.h"
#include "run/arms/arms.h"
#include "run/arms/share.h"
#include "run/arms/world.h"
#include "run/draws/kept_draws.h"
#include "run/draws/recall.h"
#include "run/summary/logp.h"
#include "run/views/fingerprint.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "target/parameters.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 64 }; /* maximum bytes of a column's name */
/* Bytes of draws that are buffered before they are written. GATHER: for all
 * files together; MOST, LEAST: maximum and minimum per file. */
enum { GATHER = 16 << 20, MOST = 64 << 10, LEAST = 2 << 10 };

/* Returns the number of columns in an arm's files. */
static size_t columns_of(const cs_run *run, size_t arm)
{
    const char *const *lead;
    return cs_run_columns(run, arm, &lead) +
           cs_target_shown(cs_run_target(run)) + cs_run_aux(run, arm);
}

cs_chains cs_record_groups(const cs_record *rec, size_t arm, cs_chains of)
{
    size_t by = rec->group[arm];
    return (cs_chains){(of.first + by - 1) / by, (of.end + by - 1) / by};
}

cs_chains cs_record_files(const cs_record *rec, const cs_run *run, size_t arm)
{
    return cs_record_groups(rec, arm, cs_run_arm(run, arm).own);
}

cs_chains cs_record_mine(const cs_record *rec, const cs_run *run, size_t arm)
{
    return cs_record_groups(rec, arm, cs_run_arm(run, arm).moved);
}

size_t cs_record_place(const cs_record *rec, const cs_run *run, size_t arm,
                       size_t file)
{
    return rec->first[arm] + file - cs_record_files(rec, run, arm).first;
}

void cs_record_file_name(const char *arm, size_t file, char *out, size_t size)
{
    size_t n = 0;
    for (; arm[n] && n < 100 && n + 32 < size; n++) {
        char c = arm[n];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     (c >= '0' && c <= '9') || c == '-';
        out[n] = plain ? c : '_';
    }
    snprintf(out + n, size - n, "_%zu.csv", file + 1);
}

/* Fails if two arms have the same file names. This can happen because some
 * characters of an arm's name are replaced in file names. */
static cs_status refuse_shared(const cs_run *run, cs_error *err)
{
    char name[160], other[160];
    for (size_t i = 0; i < cs_run_arms(run); i++)
        for (size_t k = 0; k < i; k++) {
            const char *a = cs_run_arm(run, k).name,
                       *b = cs_run_arm(run, i).name;
            cs_record_file_name(a, 0, name, sizeof name);
            cs_record_file_name(b, 0, other, sizeof other);
            if (strcmp(name, other) != 0)
                continue;
            cs_fail(err, CS_INPUT,
                    "the arms '%.100s' and '%.100s' would both write %.160s", a,
                    b, name);
            cs_hint(err, "rename one of the arms: characters other than "
                         "letters, digits and - become _ in file names");
            return CS_INPUT;
        }
    return CS_OK;
}

cs_status cs_record_count_files(cs_record *rec, const cs_run *run,
                                cs_error *err)
{
    size_t arms = cs_run_arms(run);
    if (refuse_shared(run, err))
        return err ? err->status : CS_INPUT;
    rec->first = cs_alloc(arms, sizeof *rec->first);
    rec->group = cs_alloc(arms, sizeof *rec->group);
    rec->columns = cs_alloc(arms, sizeof *rec->columns);
    bool good = rec->first && rec->group && rec->columns;
    for (size_t i = 0; good && i < arms; i++) {
        rec->columns[i] = columns_of(run, i);
        rec->first[i] = rec->n_files;
        rec->group[i] = cs_run_arm(run, i).group;
        cs_chains files = cs_record_files(rec, run, i);
        rec->n_files += files.end - files.first;
    }
    rec->file = cs_alloc(rec->n_files, sizeof *rec->file);
    rec->mark = cs_alloc(rec->n_files, sizeof *rec->mark);
    if (good && rec->file && rec->mark)
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "out of memory for %zu files", rec->n_files);
}

/* Returns the number of draws that the chain has produced so far. A chain that
 * changes its temperature produces draws only at some of its steps. */
static uint64_t draws_before(const cs_arm_view *view, uint64_t thin)
{
    uint64_t made =
        view->steps > view->warmup_steps ? view->steps - view->warmup_steps : 0;
    bool some = view->kernel->type->flags & CS_KERNEL_SELECTS &&
                cs_kernel_group(view->kernel) == 1;
    return some && made ? CS_CMDSTAN_UNKNOWN : made / thin;
}

/* Writes the names of the discrete parameters; those that do not fit are left
 * out. */
static void name_integers(const cs_target *t, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (size_t d = 0; t->named && d < t->space.dim;) {
        const cs_part *p = cs_target_parameter(t, d);
        d = p->first + p->dim;
        if (p->kind != CS_CONTINUOUS && p->name &&
            used + strlen(p->name) + 2 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s",
                                     used ? " " : "", p->name);
    }
}

static cs_status open_one(cs_record *rec, const cs_run *run, size_t arm,
                          const cs_arm_view *view, size_t chain,
                          const char *const *names, size_t n_names, bool resume,
                          cs_error *err)
{
    char name[160], path[CS_RECORD_PATH], integers[1000];
    cs_record_file_name(view->name, chain, name, sizeof name);
    cs_status status = cs_record_path(rec, name, path, err);
    if (status)
        return status;
    const cs_target *t = cs_run_target(run);
    size_t i = cs_record_place(rec, run, arm, chain),
           gather = GATHER / rec->n_files;
    gather = gather > MOST ? MOST : gather < LEAST ? LEAST : gather;
    name_integers(t, integers, sizeof integers);
    const cs_cmdstan_spec spec = {
        .path = path,
        .before = rec->kept_draws ? 0 : draws_before(view, rec->thin),
        .model = t->name,
        .algorithm = view->kernel->type->name,
        .arm = view->name,
        .note = cs_logp_note(view->logp),
        .integers = integers,
        .data_lines = cs_run_data_lines(run),
        .id = chain + 1,
        .seed = cs_run_seed(run),
        .run = cs_run_identity(run),
        .thin = rec->thin,
        .save_warmup = rec->save_warmup,
        .name = names,
        .columns = n_names,
        .gather = gather};
    cs_cmdstan_mark mark = rec->mark[i];
    mark.counted = true; /* a chain that has draws has finished its warm-up */
    mark.warmup_steps = view->tuning.steps;
    /* verifies the file before the rows after the mark are removed */
    if (resume)
        status = cs_cmdstan_verify(path, &mark, err);
    return status ? status
                  : cs_cmdstan_create(&rec->file[i], &spec,
                                      resume ? &rec->mark[i] : NULL, err);
}

/* The names of all columns of an arm's files, and the memory for the names. */
typedef struct header {
    const char **name;  /* [CS_LEAD + shown + own] all names [own] */
    char (*text)[NAME]; /* [shown + own] text of names that are not constant
                         * [own] */
} header;

/* Opens the files of one arm. Columns: the fixed columns, then the coordinates,
 * whose names start at name[CS_LEAD], then the kernel's statistics and
 * variables. */
static cs_status open_arm(cs_record *rec, const cs_run *run, size_t arm,
                          const header *h, bool resume, cs_error *err)
{
    const char *const *lead;
    cs_status status = CS_OK;
    size_t n = cs_run_columns(run, arm, &lead);
    size_t dim = cs_target_shown(cs_run_target(run)),
           own = cs_run_aux(run, arm);
    const char **first = h->name + CS_LEAD - n;
    memcpy(first, lead, n * sizeof *first);
    for (size_t i = 0; i < own; i++)
        cs_run_aux_name(run, arm, i, h->text[dim + i], NAME);
    n += dim + own;
    cs_arm_view view = cs_run_arm(run, arm);
    cs_chains files = cs_record_mine(rec, run, arm);
    for (size_t c = files.first; c < files.end && !status; c++)
        status = open_one(rec, run, arm, &view, c, first, n, resume, err);
    return status;
}

cs_status cs_record_open_files(cs_record *rec, const cs_run *run, bool resume,
                               cs_error *err)
{
    const cs_target *t = cs_run_target(run);
    size_t dim = cs_target_shown(t), all = dim;
    for (size_t a = 0; a < cs_run_arms(run); a++)
        if (dim + cs_run_aux(run, a) > all)
            all = dim + cs_run_aux(run, a);
    header h = {cs_alloc(CS_LEAD + all, sizeof *h.name),
                cs_alloc(all, sizeof *h.text)};
    cs_status status =
        h.text && h.name
            ? CS_OK
            : cs_fail(err, CS_MEMORY, "out of memory for file names");
    for (size_t i = 0; i < all && status == CS_OK; i++) {
        if (i < dim)
            cs_target_coordinate(t, i, h.text[i], NAME);
        h.name[CS_LEAD + i] = h.text[i];
    }
    for (size_t a = 0; a < cs_run_arms(run) && status == CS_OK; a++)
        status = open_arm(rec, run, a, &h, resume, err);
    cs_free(h.name);
    cs_free(h.text);
    return status;
}

void cs_record_sink(void *self, size_t arm, size_t chain, const double *rows,
                    size_t n)
{
    cs_record *rec = self;
    size_t i = cs_record_place(rec, rec->run, arm, chain / rec->group[arm]);
    if (!rec->broken && chain % rec->group[arm] == 0)
        cs_writer_rows(rec->writer, rec->file[i], rows, n, rec->columns[arm]);
}

/* Writes the end of an arm's warm-up to its files. First waits until the writer
 * has finished, because until then only the writer may use the files. */
void cs_record_end_warmup(void *self, size_t arm)
{
    cs_record *rec = self;
    cs_arm_view view = cs_run_arm(rec->run, arm);
    cs_page p = {0};
    if (rec->broken)
        return;
    cs_adaptation_put(&p, view.kernel, view.metric);
    cs_status status = cs_writer_wait(rec->writer, &rec->why);
    if (status == CS_OK && p.full)
        status = cs_fail(&rec->why, CS_MEMORY,
                         "out of memory for the files of draws");
    cs_chains files = cs_record_mine(rec, rec->run, arm);
    for (size_t c = files.first; c < files.end && !status; c++)
        status = cs_cmdstan_adapted(
            rec->file[cs_record_place(rec, rec->run, arm, c)], p.text,
            &rec->why);
    cs_free(p.text);
    rec->broken = status;
}

/* ---- reading draws back ---- */

/* The state of a function that reads back the draws of a chain. */
typedef struct recalled {
    cs_run *run;
    size_t arm, chain;
} recalled;

static void recall_row(void *self, uint64_t i, const double *row)
{
    const recalled *to = self;
    cs_run_recall_draw(to->run, to->arm, to->chain, i, row);
}

cs_status cs_record_recall(const cs_record *rec, cs_run *run, size_t arm,
                           cs_error *err)
{
    cs_chains files = cs_run_follows(run) ? cs_record_mine(rec, run, arm)
                                          : cs_record_files(rec, run, arm);
    bool all = cs_run_recall(run, arm) > 0;
    cs_status status = CS_OK;
    for (size_t c = files.first; c < files.end && status == CS_OK; c++) {
        char name[160], path[CS_RECORD_PATH];
        recalled to = {run, arm, c * rec->group[arm]};
        if (!all && !cs_run_lacks(run, arm, to.chain))
            continue;
        cs_record_file_name(cs_run_arm_name(run, arm), c, name, sizeof name);
        status = cs_record_path(rec, name, path, err);
        if (status == CS_OK)
            status = cs_cmdstan_read(
                path, &rec->mark[cs_record_place(rec, run, arm, c)],
                rec->columns[arm], recall_row, &to, err);
    }
    if (all)
        cs_run_recalled(run, arm);
    return status;
}

/* ---- the end ---- */

/* If a chain stopped, adds a comment with the reason to its file. */
static void remark(cs_record *rec, const cs_run *run, size_t arm, size_t file)
{
    char why[256], text[320];
    uint64_t step;
    if (!cs_run_chain_stop(run, arm, file * rec->group[arm], &step, why,
                           sizeof why))
        return;
    snprintf(text, sizeof text, "stopped at step %llu: %s",
             (unsigned long long)step, why);
    cs_cmdstan_remark(rec->file[cs_record_place(rec, run, arm, file)], text);
}

void cs_record_finish_files(cs_record *rec, cs_run *run)
{
    for (size_t a = 0; a < cs_run_arms(run); a++) {
        cs_arm_view v = cs_run_arm(run, a);
        cs_chains files = cs_record_mine(rec, run, a);
        for (size_t c = files.first; c < files.end; c++) {
            remark(rec, run, a, c);
            cs_status status = cs_cmdstan_finish(
                rec->file[cs_record_place(rec, run, a, c)], v.tuning.steps,
                v.steps, cs_run_seconds(run), rec->broken ? NULL : &rec->why);
            if (!rec->broken)
                rec->broken = status;
        }
    }
}
