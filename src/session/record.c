#include "session/record.h"

#include "base/clock.h"
#include "base/memory.h"
#include "io/adaptation.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/lock.h"
#include "io/writer.h"
#include "run/logp.h"
#include "run/plans.h"
#include "run/summary.h"
#include "session/learned.h"
#include "session/merge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 4096, NAME = 64 }; /* bytes */
/* Bytes of draws that are gathered before they are written: of all files, and of
 * one. */
enum { GATHER = 16 << 20, MOST = 64 << 10, LEAST = 2 << 10 };
/* Seconds between two checkpoints, and how many times what one costs. */
#define EVERY 5.0
#define SPARSE 20.0

struct cs_record {
    char folder[PATH / 2];
    int lock; /* on the folder */
    uint64_t thin;
    bool save_warmup;
    const cs_run *run; /* [borrowed] */
    cs_page sets;      /* [own] those of the checkpoint, now */
    char *before;      /* [own] and when it was read, or NULL */
    cs_cmdstan **file; /* [n_files] arm by arm, chain by chain: of those that
                          draw from the target; NULL: another rank writes it */
    cs_cmdstan_mark *mark;
    size_t n_files;
    cs_writer *writer; /* [own] has the files while draws come */
    size_t *first;     /* [arms] where an arm's files begin */
    size_t *columns;   /* [arms] */
    size_t *group;     /* [arms] every so many chains have a file */
    double kept, cost; /* seconds: when, and how long it took */
    double every;      /* seconds that were asked for, or NAN */
    bool torn;         /* what is on the disk must not be kept */
    bool told;         /* the summary came with the part that is the run */
    cs_status broken;  /* of the sink, which cannot fail */
    cs_error why;
};

/* Of the files of an arm. */
static size_t columns_of(const cs_run *run, size_t arm)
{
    const char *const *lead;
    return cs_run_columns(run, arm, &lead) +
           cs_target_shown(cs_run_target(run)) + cs_run_aux(run, arm);
}

/* A group has the file of its first chain. */
static cs_chains groups_of(const cs_record *rec, size_t arm, cs_chains of)
{
    size_t by = rec->group[arm];
    return (cs_chains){(of.first + by - 1) / by, (of.end + by - 1) / by};
}

/* The files of an arm, by number: one of each group of chains of the run. */
static cs_chains files_of(const cs_record *rec, const cs_run *run, size_t arm)
{
    return groups_of(rec, arm, cs_run_arm(run, arm).own);
}

/* Those of them that this process writes. */
static cs_chains mine_of(const cs_record *rec, const cs_run *run, size_t arm)
{
    return groups_of(rec, arm, cs_run_arm(run, arm).moved);
}

/* Where file number `file` of an arm stands among all. */
static size_t place_of(const cs_record *rec, const cs_run *run, size_t arm,
                       size_t file)
{
    return rec->first[arm] + file - files_of(rec, run, arm).first;
}

static cs_status count_files(cs_record *rec, const cs_run *run, cs_error *err)
{
    size_t arms = cs_run_arms(run);
    rec->first = cs_alloc(arms, sizeof *rec->first);
    rec->group = cs_alloc(arms, sizeof *rec->group);
    rec->columns = cs_alloc(arms, sizeof *rec->columns);
    bool good = rec->first && rec->group && rec->columns;
    for (size_t i = 0; good && i < arms; i++) {
        rec->columns[i] = columns_of(run, i);
        rec->first[i] = rec->n_files;
        rec->group[i] = cs_run_arm(run, i).group;
        cs_chains files = files_of(rec, run, i);
        rec->n_files += files.end - files.first;
    }
    rec->file = cs_alloc(rec->n_files, sizeof *rec->file);
    rec->mark = cs_alloc(rec->n_files, sizeof *rec->mark);
    if (good && rec->file && rec->mark)
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "no memory for %zu files", rec->n_files);
}

static cs_status path_of(const cs_record *rec, const char *name, char *path,
                         cs_error *err)
{
    if (snprintf(path, PATH, "%s/%s", rec->folder, name) < PATH)
        return CS_OK;
    return cs_fail(err, CS_INPUT, "the path of %s is too long", name);
}

/* An arm's name as part of a file's name: letters, digits, - and _. */
static void file_name(const char *arm, size_t chain, char *out, size_t size)
{
    size_t n = 0;
    for (; arm[n] && n < 100 && n + 32 < size; n++) {
        char c = arm[n];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     (c >= '0' && c <= '9') || c == '-';
        out[n] = plain ? c : '_';
    }
    snprintf(out + n, size - n, "_%zu.csv", chain + 1);
}

static cs_status open_one(cs_record *rec, const cs_run *run, size_t arm,
                          const cs_arm_view *view, size_t chain,
                          const char *const *names, size_t n_names, bool resume,
                          cs_error *err)
{
    char name[160], path[PATH];
    file_name(view->name, chain, name, sizeof name);
    cs_status status = path_of(rec, name, path, err);
    if (status)
        return status;
    const cs_target *t = cs_run_target(run);
    size_t i = place_of(rec, run, arm, chain), gather = GATHER / rec->n_files;
    gather = gather > MOST ? MOST : gather < LEAST ? LEAST : gather;
    uint64_t made =
        view->steps > view->warmup_steps ? view->steps - view->warmup_steps : 0;
    const cs_cmdstan_spec spec = {.path = path,
                                  .before = made / rec->thin,
                                  .model = t->name,
                                  .algorithm = view->kernel->type->name,
                                  .arm = view->name,
                                  .note = cs_logp_note(view->logp),
                                  .id = chain + 1,
                                  .seed = cs_run_seed(run),
                                  .thin = rec->thin,
                                  .save_warmup = rec->save_warmup,
                                  .name = names,
                                  .columns = n_names,
                                  .gather = gather};
    return cs_cmdstan_create(&rec->file[i], &spec,
                             resume ? &rec->mark[i] : NULL, err);
}

/* The names of all columns of one arm, and the texts they point to. */
typedef struct header {
    const char **name;  /* [CS_LEAD + shown + own] [own] */
    char (*text)[NAME]; /* [shown + own] [own] */
} header;

/* The files of one arm: the columns that its draws begin with, the names of
 * the coordinates, which stand in name[CS_LEAD ...], and of its kernel's own
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
    cs_chains files = mine_of(rec, run, arm);
    for (size_t c = files.first; c < files.end && !status; c++)
        status = open_one(rec, run, arm, &view, c, first, n, resume, err);
    return status;
}

static cs_status open_files(cs_record *rec, const cs_run *run, bool resume,
                            cs_error *err)
{
    const cs_target *t = cs_run_target(run);
    size_t dim = cs_target_shown(t), all = dim;
    for (size_t a = 0; a < cs_run_arms(run); a++)
        if (dim + cs_run_aux(run, a) > all)
            all = dim + cs_run_aux(run, a);
    header h = {cs_alloc(CS_LEAD + all, sizeof *h.name),
                cs_alloc(all, sizeof *h.text)};
    cs_status status = h.text && h.name
                           ? CS_OK
                           : cs_fail(err, CS_MEMORY, "no memory for names");
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

static void sink(void *self, size_t arm, size_t chain, const double *rows,
                 size_t n)
{
    cs_record *rec = self;
    size_t i = place_of(rec, rec->run, arm, chain / rec->group[arm]);
    if (!rec->broken && chain % rec->group[arm] == 0)
        cs_writer_rows(rec->writer, rec->file[i], rows, n, rec->columns[arm]);
}

/* The warm-up of an arm is over. The files are ours while the writer waits. */
static void end_warmup(void *self, size_t arm)
{
    cs_record *rec = self;
    cs_arm_view view = cs_run_arm(rec->run, arm);
    cs_page p = {0};
    if (rec->broken)
        return;
    cs_adaptation_put(&p, view.kernel, view.metric);
    cs_status status = cs_writer_wait(rec->writer, &rec->why);
    if (status == CS_OK && p.full)
        status = cs_fail(&rec->why, CS_MEMORY, "no memory to write draws");
    cs_chains files = mine_of(rec, rec->run, arm);
    for (size_t c = files.first; c < files.end && !status; c++)
        status = cs_cmdstan_adapted(rec->file[place_of(rec, rec->run, arm, c)],
                                    p.text, &rec->why);
    cs_free(p.text);
    rec->broken = status;
}

static void destroy(cs_record *rec)
{
    cs_writer_destroy(rec->writer);
    for (size_t i = 0; rec->file && i < rec->n_files; i++)
        cs_cmdstan_destroy(rec->file[i]);
    cs_lock_release(rec->folder, rec->lock);
    cs_free(rec->first);
    cs_free(rec->group);
    cs_free(rec->columns);
    cs_free(rec->file);
    cs_free(rec->mark);
    cs_free(rec->sets.text);
    cs_free(rec->before);
    cs_free(rec);
}

/* What was changed and when, as text: with the scenario it makes the run
 * again. */
static cs_status keep_journal(const cs_record *rec, const cs_run *run,
                              cs_error *err)
{
    char path[PATH], *text = NULL;
    cs_status status = path_of(rec, "journal.txt", path, err);
    if (status == CS_OK)
        status = cs_run_journal_text(run, &text, err);
    if (status == CS_OK)
        status = cs_file_replace(path, text, strlen(text), err);
    cs_free(text);
    return status;
}

/* What this process has written is on the disk. */
static cs_status flush(cs_record *rec, cs_error *err)
{
    cs_status status = cs_writer_wait(rec->writer, err);
    for (size_t i = 0; i < rec->n_files && status == CS_OK; i++)
        if (rec->file[i])
            status = cs_cmdstan_flush(rec->file[i], &rec->mark[i], err);
    return status ? status : cs_cmdstan_sync(rec->file, rec->n_files, err);
}

/* Marks of the files of one rank, [its files][CS_MARK_WORDS], in the order of the arms;
 * returns how many words. */
static size_t rank_marks(cs_record *rec, const cs_run *run, size_t rank,
                         double *word, bool in)
{
    const cs_share share = {.part = rank, .parts = cs_run_ranks(run)->size};
    size_t n = 0;
    for (size_t a = 0; a < cs_run_arms(run); a++) {
        cs_chains of = groups_of(rec, a, cs_share_of(run, share, a));
        for (size_t c = of.first; c < of.end; c++, n += CS_MARK_WORDS) {
            cs_cmdstan_mark *m = &rec->mark[place_of(rec, run, a, c)];
            if (word)
                cs_cmdstan_mark_words(m, word + n, in);
        }
    }
    return n;
}

/* How far the files of all ranks have come. */
static cs_status gather_marks(cs_record *rec, cs_run *run, cs_error *err)
{
    const cs_world *ranks = cs_run_ranks(run);
    double *all = cs_alloc(rec->n_files * CS_MARK_WORDS + 1, sizeof *all);
    size_t *n = cs_alloc(ranks->size, sizeof *n), at = 0;
    cs_status status =
        all && n ? CS_OK : cs_fail(err, CS_MEMORY, "no memory to record");
    status = cs_ranks_agree(ranks, status, err);
    for (size_t k = 0; k < ranks->size && status == CS_OK; at += n[k++]) {
        n[k] = rank_marks(rec, run, k, NULL, false);
        if (k == ranks->rank)
            rank_marks(rec, run, k, all + at, false);
    }
    if (status == CS_OK)
        cs_run_gather_words(run, all, n);
    for (size_t k = at = 0; k < ranks->size && status == CS_OK; at += n[k++])
        rank_marks(rec, run, k, all + at, true);
    cs_free(all);
    cs_free(n);
    return status;
}

/* The same on all ranks; the first then has what a checkpoint has. */
static cs_status meet(cs_record *rec, cs_run *run, cs_error *err)
{
    cs_status status = flush(rec, err);
    if (!cs_run_is_split(run))
        return status;
    status = cs_ranks_agree(cs_run_ranks(run), status, err);
    if (status == CS_OK)
        status = gather_marks(rec, run, err);
    return status ? status : cs_run_hand_in(run, true, err);
}

void cs_record_hand_in(cs_record *rec, cs_run *run)
{
    meet(rec, run, NULL);
}

/* The draws first: a checkpoint never promises what is not on the disk. */
static cs_status keep(cs_record *rec, cs_run *run, cs_error *err)
{
    char path[PATH];
    double from = cs_clock();
    cs_run_order(run, (cs_order){.kind = CS_ORDER_KEEP});
    cs_status status = meet(rec, run, err);
    if (status == CS_OK)
        status = path_of(rec, "checkpoint", path, err);
    if (status)
        return status;
    cs_checkpoint c = {.mark = rec->mark,
                       .n_marks = rec->n_files,
                       .thin = rec->thin,
                       .save_warmup = rec->save_warmup,
                       .sets = rec->sets.text};
    status = cs_run_save_beside(run, &c.run, &c.size, err);
    if (status)
        return status;
    status = cs_checkpoint_write(path, &c, err);
    cs_free(c.run);
    if (status == CS_OK)
        status = keep_journal(rec, run, err);
    rec->kept = cs_clock();
    rec->cost = rec->kept - from;
    return status;
}

/* ---- what was set ---- */

/* How long the name of "arm.param=value" is, 0: it is another field. */
static size_t set_name(const char *set)
{
    size_t n = strcspn(set, "=\n");
    return memchr(set, '.', n) ? n : 0;
}

static const char *next_set(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

bool cs_record_was_set(const cs_record *rec, const char *set)
{
    size_t n = strlen(set);
    for (const char *at = rec->before; at && *at; at = next_set(at))
        if (strcspn(at, "\n") == n && strncmp(at, set, n) == 0)
            return true;
    return false;
}

static bool is_set_again(const cs_record_spec *spec, const char *line)
{
    size_t n = set_name(line);
    for (size_t i = 0; i < spec->n_set; i++)
        if (set_name(spec->set[i]) == n && strncmp(spec->set[i], line, n) == 0)
            return true;
    return false;
}

/* Those of the checkpoint, the new ones in the place of the old. */
static cs_status join_sets(cs_record *rec, const cs_record_spec *spec,
                           cs_error *err)
{
    for (const char *at = rec->before; at && *at; at = next_set(at))
        if (!is_set_again(spec, at))
            cs_page_put(&rec->sets, "%.*s\n", (int)strcspn(at, "\n"), at);
    for (size_t i = 0; i < spec->n_set; i++)
        if (set_name(spec->set[i]) && !strchr(spec->set[i], '\n'))
            cs_page_put(&rec->sets, "%s\n", spec->set[i]);
    return rec->sets.full ? cs_fail(err, CS_MEMORY, "no memory to record")
                          : CS_OK;
}

/* ---- beginning ---- */

/* What the checkpoint has goes on; what it has not was asked for too late. */
static cs_status same_rows(const cs_record_spec *spec, const cs_checkpoint *c,
                           cs_error *err)
{
    const char *what = spec->thin && spec->thin != c->thin    ? "thin"
                       : spec->save_warmup && !c->save_warmup ? "save_warmup"
                                                              : NULL;
    bool thin = what && *what == 't';
    if (!what)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "this is not the run that was saved: %s was %llu, is %llu", what,
            (unsigned long long)(thin ? c->thin : 0),
            (unsigned long long)(thin ? spec->thin : 1));
    cs_hint(err, "leave it out, or start anew");
    return CS_INPUT;
}

static cs_status go_on(cs_record *rec, cs_run *run, const cs_record_spec *spec,
                       cs_error *err)
{
    char path[PATH];
    cs_checkpoint c;
    cs_status status = path_of(rec, "checkpoint", path, err);
    if (status == CS_OK)
        status = cs_checkpoint_read(&c, path, err);
    if (status)
        return status;
    status = same_rows(spec, &c, err);
    if (status == CS_OK)
        status = cs_run_load(run, c.run, c.size, err);
    if (status == CS_OK && c.n_marks != rec->n_files)
        status = cs_fail(err, CS_INPUT, "%s is of %zu files, the run has %zu",
                         path, c.n_marks, rec->n_files);
    if (status == CS_OK) {
        memcpy(rec->mark, c.mark, c.n_marks * sizeof *c.mark);
        rec->thin = c.thin;
        rec->save_warmup = c.save_warmup;
        rec->before = c.sets;
        c.sets = NULL;
    }
    cs_checkpoint_fini(&c);
    return status;
}

/* A chain whose draws are read back. */
typedef struct recalled {
    cs_run *run;
    size_t arm, chain;
} recalled;

static void recall_row(void *self, uint64_t i, const double *row)
{
    const recalled *to = self;
    cs_run_recall_draw(to->run, to->arm, to->chain, i, row);
}

/* What R-hat and effective sizes are of, which the checkpoint leaves to the
 * files: as if the run had not been broken off. */
static cs_status recall(const cs_record *rec, cs_run *run, size_t arm,
                        cs_error *err)
{
    cs_chains files =
        cs_run_follows(run) ? mine_of(rec, run, arm) : files_of(rec, run, arm);
    bool all = cs_run_recall(run, arm) > 0;
    cs_status status = CS_OK;
    for (size_t c = files.first; c < files.end && status == CS_OK; c++) {
        char name[160], path[PATH];
        recalled to = {run, arm, c * rec->group[arm]};
        if (!all && !cs_run_lacks(run, arm, to.chain))
            continue;
        file_name(cs_run_arm(run, arm).name, c, name, sizeof name);
        status = path_of(rec, name, path, err);
        if (status == CS_OK)
            status =
                cs_cmdstan_read(path, &rec->mark[place_of(rec, run, arm, c)],
                                rec->columns[arm], recall_row, &to, err);
    }
    if (all)
        cs_run_recalled(run, arm);
    return status;
}

static cs_status may_write(const cs_record *rec, const cs_record_spec *spec,
                           cs_error *err)
{
    char path[PATH];
    cs_status status = path_of(rec, "checkpoint", path, err);
    if (status || spec->resume || access(path, F_OK) != 0 ||
        cs_run_follows(rec->run))
        return status;
    if (spec->force && unlink(path) == 0) /* its draws are overwritten now */
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s holds a run already", rec->folder);
    cs_hint(err, "--resume goes on with it, --force writes over it");
    return CS_INPUT;
}

static cs_status open_writer(cs_record *rec, size_t arms, cs_error *err)
{
    size_t most = 1;
    for (size_t a = 0; a < arms; a++)
        most = rec->columns[a] > most ? rec->columns[a] : most;
    return cs_writer_create(&rec->writer, most, err);
}

/* ---- parts ---- */

/* The files of the parts, and what says how the run was where one part is all of
 * it. */
static cs_status copy_files(cs_record *rec, cs_run *run, cs_merge *m,
                            cs_error *err)
{
    char name[160], path[PATH];
    cs_status status = CS_OK;
    for (size_t a = 0; a < cs_run_arms(run); a++) {
        cs_chains files = files_of(rec, run, a);
        for (size_t c = files.first; c < files.end && !status; c++) {
            file_name(cs_run_arm(run, a).name, c, name, sizeof name);
            status = path_of(rec, name, path, err);
            if (status == CS_OK)
                status =
                    cs_merge_copy(m, a, c * rec->group[a], name, path,
                                  &rec->mark[place_of(rec, run, a, c)], err);
        }
    }
    static const char *const whole[] = {"summary.json", "plans.lua"};
    rec->told = cs_run_together(run) != NULL;
    for (size_t i = 0; i < 2 && rec->told && !status; i++) {
        status = path_of(rec, whole[i], path, err);
        if (status == CS_OK)
            status = cs_merge_copy_whole(m, whole[i], path, err);
    }
    return status;
}

static cs_status refuse_own_folder(const cs_record *rec, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s is one of the parts", rec->folder);
    cs_hint(err, "give another folder to merge them in");
    return CS_INPUT;
}

/* Puts the run and its files together from parts of it. */
static cs_status merge(cs_record *rec, cs_run *run, const cs_record_spec *spec,
                       cs_error *err)
{
    cs_merge *m;
    cs_status status = cs_merge_open(&m, run, spec->part, spec->n_parts, err);
    if (status)
        return status;
    if (cs_merge_has(m, rec->folder))
        status = refuse_own_folder(rec, err);
    if (status == CS_OK)
        status = may_write(rec, spec, err);
    if (status == CS_OK)
        status = cs_merge_load(m, err);
    if (status == CS_OK)
        status = copy_files(rec, run, m, err);
    rec->thin = cs_merge_thin(m);
    rec->save_warmup = cs_merge_save_warmup(m);
    if (status == CS_OK && !(rec->before = cs_copy_text(cs_merge_sets(m))))
        status = cs_fail(err, CS_MEMORY, "no memory to record");
    cs_merge_close(m);
    return status;
}

/* A part is begun by the words with which it is gone on. */
static bool has_come(const cs_record *rec, const cs_run *run,
                     const cs_record_spec *spec)
{
    char path[PATH];
    if (!spec->resume || cs_run_share(run).parts == 0)
        return spec->resume;
    return path_of(rec, "checkpoint", path, NULL) == CS_OK &&
           access(path, F_OK) == 0;
}

static cs_status enter(cs_record *rec, const char *folder, cs_error *err)
{
    if (snprintf(rec->folder, sizeof rec->folder, "%s", folder) >=
        (int)sizeof rec->folder)
        return cs_fail(err, CS_INPUT, "the folder's path is too long");
    cs_status status = cs_folder_make(rec->folder, err);
    if (cs_run_follows(rec->run)) /* the first has locked it */
        return status;
    return status ? status : cs_lock_take(rec->folder, &rec->lock, err);
}

/* Where the run is to go on, and with which files: *resumed: with some that are
 * there. */
static cs_status arrive(cs_record *rec, cs_run *run, const cs_record_spec *spec,
                        bool *resumed, cs_error *err)
{
    bool comes = has_come(rec, run, spec);
    *resumed = comes || spec->n_parts;
    cs_status status = count_files(rec, run, err);
    if (status == CS_OK && spec->n_parts)
        return merge(rec, run, spec, err);
    if (status == CS_OK)
        status = may_write(rec, spec, err);
    return status || !comes ? status : go_on(rec, run, spec, err);
}

/* All ranks go on, or none. */
static cs_status agree(const cs_run *run, cs_status mine, cs_error *err)
{
    const cs_world *k = cs_run_ranks(run);
    return k ? cs_ranks_agree(k, mine, err) : mine;
}

cs_status cs_record_create(cs_record **out, cs_run *run,
                           const cs_record_spec *spec, cs_error *err)
{
    cs_record *rec = cs_alloc(1, sizeof *rec);
    if (!rec)
        return cs_fail(err, CS_MEMORY, "no memory to record");
    rec->thin = spec->thin ? spec->thin : 1;
    rec->save_warmup = spec->save_warmup;
    rec->every = spec->every ? (double)*spec->every : (double)NAN;
    rec->run = run;
    rec->lock = CS_NO_LOCK;
    bool resumed = false;
    cs_status status = enter(rec, spec->folder, err);
    if (status == CS_OK)
        status = arrive(rec, run, spec, &resumed, err);
    status = agree(run, status, err); /* nothing is written over yet */
    if (status == CS_OK)
        status = join_sets(rec, spec, err);
    if (status == CS_OK) /* what is said of them is what they say */
        cs_run_judge_all(run, rec->thin);
    if (status == CS_OK)
        status = open_files(rec, run, resumed, err);
    for (size_t a = 0; resumed && a < cs_run_arms(run) && !status; a++)
        status = recall(rec, run, a, err);
    if (status == CS_OK)
        status = open_writer(rec, cs_run_arms(run), err);
    if (status == CS_OK)
        status = cs_run_sink(run, sink, rec, rec->thin, err);
    if (status == CS_OK && rec->save_warmup)
        cs_run_sink_warmups(run, end_warmup);
    status = agree(run, status, err);
    /* From the first moment on there is something to resume. */
    if (status == CS_OK && (!resumed || spec->n_parts) && !cs_run_follows(run))
        status = keep(rec, run, err);
    if (status) {
        cs_run_sink(run, NULL, NULL, 0, NULL);
        destroy(rec);
        return status;
    }
    rec->kept = cs_clock();
    *out = rec;
    return CS_OK;
}

const char *cs_record_folder(const cs_record *rec)
{
    return rec->folder;
}

cs_status cs_record_tend(cs_record *rec, cs_run *run, cs_error *err)
{
    double usual = fmax(EVERY, SPARSE * rec->cost);
    double every = isnan(rec->every) ? usual : rec->every;
    if (!cs_record_failure(rec, err) && cs_clock() - rec->kept >= every)
        rec->broken = keep(rec, run, &rec->why);
    if (rec->broken && err)
        *err = rec->why;
    return rec->broken;
}

cs_status cs_record_failure(cs_record *rec, cs_error *err)
{
    if (!rec->broken)
        rec->broken = cs_writer_failure(rec->writer, &rec->why);
    if (rec->broken && err)
        *err = rec->why;
    return rec->broken;
}

void cs_record_tear(cs_record *rec)
{
    if (rec)
        rec->torn = true;
}

static cs_status write_summary(cs_record *rec, cs_run *run,
                               const cs_flat *claims, cs_error *err)
{
    char path[PATH];
    cs_page p = {0};
    cs_summary_json(run, claims, &p);
    cs_status status = path_of(rec, "summary.json", path, err);
    if (p.full)
        status = cs_fail(err, CS_MEMORY, "no memory for the summary");
    if (status == CS_OK)
        status = cs_file_replace(path, p.text, p.used, err);
    cs_free(p.text);
    return status;
}

/* Where an arm was tuned: what was found, for another run. */
static cs_status write_plans(cs_record *rec, const cs_run *run, cs_error *err)
{
    char path[PATH];
    cs_page p = {0};
    bool tuned = false;
    for (size_t i = 0; i < cs_run_arms(run); i++) {
        const cs_tuner *t = cs_run_arm(run, i).tuning.tuner;
        tuned |= t && cs_tuner_finds(t);
    }
    if (!tuned)
        return CS_OK;
    cs_plans_text(run, &p);
    cs_status status = path_of(rec, "plans.lua", path, err);
    if (p.full)
        status = cs_fail(err, CS_MEMORY, "no memory for the plans");
    if (status == CS_OK)
        status = cs_file_replace(path, p.text, p.used, err);
    cs_free(p.text);
    return status;
}

/* A chain that stopped says so behind its last draw. */
static void remark(cs_record *rec, const cs_run *run, size_t arm, size_t file)
{
    char why[256], text[320];
    uint64_t step;
    if (!cs_run_chain_stop(run, arm, file * rec->group[arm], &step, why,
                           sizeof why))
        return;
    snprintf(text, sizeof text, "stopped at step %llu: %s",
             (unsigned long long)step, why);
    cs_cmdstan_remark(rec->file[place_of(rec, run, arm, file)], text);
}

static void finish_files(cs_record *rec, cs_run *run)
{
    for (size_t a = 0; a < cs_run_arms(run); a++) {
        cs_arm_view v = cs_run_arm(run, a);
        cs_chains files = mine_of(rec, run, a);
        for (size_t c = files.first; c < files.end; c++) {
            remark(rec, run, a, c);
            cs_status status = cs_cmdstan_finish(
                rec->file[place_of(rec, run, a, c)], v.tuning.steps, v.steps,
                cs_run_seconds(run), rec->broken ? NULL : &rec->why);
            if (!rec->broken)
                rec->broken = status;
        }
    }
}

/* After a failure the files that can be are completed all the same; the
 * checkpoint stays as it was, and so does what it says of them. */
cs_status cs_record_finish(cs_record *rec, cs_run *run, const cs_flat *claims,
                           cs_error *err)
{
    if (!rec)
        return CS_OK;
    cs_run_sink(run, NULL, NULL, 0, NULL);
    cs_status written =
        cs_writer_wait(rec->writer, rec->broken ? NULL : &rec->why);
    if (!rec->broken)
        rec->broken = written;
    if (!rec->broken && !rec->torn && !cs_run_follows(run))
        rec->broken = keep(rec, run, &rec->why);
    finish_files(rec, run);
    bool says = !rec->told && !cs_run_is_part(run);
    if (!rec->broken && says)
        rec->broken = write_summary(rec, run, claims, &rec->why);
    if (!rec->broken && says)
        rec->broken = write_plans(rec, run, &rec->why);
    if (!rec->broken && says)
        rec->broken = cs_learned_write(run, rec->folder, &rec->why);
    cs_status status = rec->broken;
    if (status && err)
        *err = rec->why;
    destroy(rec);
    return status;
}
