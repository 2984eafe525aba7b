/* Saves a run as bytes, and loads it.
 *
 * The format is "CSRUN" 0 0 version, the fingerprint of the run
 * (run/views/fingerprint.c) as text, the share of the chains (all or a part),
 * the payload of this share, and an FNV-1a checksum of all preceding bytes.
 * Numbers have 64 bits, little-endian. */
#include "run/save.h"
#include "base/hash.h"
#include "base/memory.h"
#include "chain/tally.h"
#include "data/parts.h"
#include "run/arms/run_state.h"
#include "run/arms/share.h"
#include "run/draws/diagnosed.h"
#include "run/history/change.h"
#include "run/history/changes.h"
#include "run/history/kept_text.h"
#include "run/history/marks.h"
#include "run/history/remembered.h"
#include "run/history/run_timeline.h"
#include "run/merge_parts.h"
#include "run/save_arm.h"
#include "run/saved_stream.h"
#include "run/transfer.h"
#include "run/tuning/tune.h"

#include <string.h>

/* Format version 21. */
static const uint64_t magic = UINT64_C(0x1500004e55525343);
static const uint64_t of_any_version = UINT64_C(0x00ffffffffffffff);

/* ---- the whole run ---- */

/* Number of fields that may differ when a run is resumed. */
enum { FIELDS = 6 };
static const char *const field_name[FIELDS] = {
    "steps", "gradients", "log_densities", "data_terms", "seconds", "workers"};

static void fields_of(const cs_run *r, double *x)
{
    const cs_budget *b = &r->budget;
    const double now[FIELDS] = {
        (double)b->steps,      (double)b->gradients, (double)b->log_densities,
        (double)b->data_terms, b->seconds,           (double)r->workers};
    memcpy(x, now, sizeof now);
}

/* Reads the changes in `text`. If `apply` is set, records the changes;
 * otherwise only checks them. *past receives the values kept by the script. */
static cs_status take_lines(cs_run *r, const char *text, bool apply,
                            cs_remembered *past, cs_error *err)
{
    cs_timeline *t = r->timeline;
    uint64_t step;
    const char *line;
    for (size_t n = 0;;) {
        cs_change c;
        cs_redo how;
        bool end = false;
        if (cs_journal_kept(&text, &step, &line)) {
            cs_status kept = cs_kept_add(past, step, line, err);
            if (kept != CS_OK)
                return kept;
            continue;
        }
        cs_status s = cs_journal_read(r, &text, &c, &how, &end, err);
        if (s == CS_OK)
            s = cs_change_room(t, n + 1 + FIELDS, err);
        if (s == CS_OK && !end && apply) {
            t->journal[n] = c;
            t->redo[n++] = how;
            t->n = t->n_all = n;
            continue;
        }
        cs_redo_clear(&how);
        if (s != CS_OK || end)
            return s;
    }
}

static cs_status take_journal(cs_run *r, const char *text, bool apply,
                              cs_error *err)
{
    cs_remembered past = {.n = 0};
    cs_status status = take_lines(r, text, apply, &past, err);
    if (status == CS_OK && apply)
        cs_remembered_take(r, &past);
    cs_remembered_free(&past);
    return status;
}

static cs_status journal(stream *s, cs_run *r, bool apply, cs_error *err)
{
    char *text = NULL;
    cs_status status = s->in ? CS_OK : cs_run_journal_text(r, &text, err);
    if (status == CS_OK)
        status = long_text(s, &text, err);
    if (status == CS_OK && s->in)
        status = take_journal(r, text, apply, err);
    cs_free(text);
    return status;
}

/* Writes or reads the values kept by functions of the script. */
static cs_status remembered(stream *s, cs_run *r, bool apply, cs_error *err)
{
    char none[1] = "", *text = r->remembered->now ? r->remembered->now : none;
    if (s->in)
        text = NULL;
    cs_status status = long_text(s, &text, err);
    if (status == CS_OK && s->in)
        status = apply ? cs_remembered_load(r, text, err)
                       : cs_remembered_look(r, text, err);
    if (s->in)
        cs_free(text);
    return status;
}

/* Compares the fields of both runs. Fields that differ are recorded as changes
 * at the step where the run resumes. take_journal has reserved the memory. */
static void note_fields(cs_run *r, const double *was)
{
    cs_timeline *t = r->timeline;
    double is[FIELDS];
    fields_of(r, is);
    for (size_t i = 0; i < FIELDS; i++) {
        if (is[i] == was[i])
            continue;
        cs_change *c = &t->journal[t->n];
        *c = (cs_change){.step = r->steps, .arm = CS_NO_ARM, .value = is[i]};
        strcpy(c->what, field_name[i]);
        t->redo[t->n++] = (cs_redo){.kind = CHANGED_RUN};
        t->n_all = t->n;
    }
}

static cs_status payload(stream *s, cs_run *r, bool apply, cs_error *err)
{
    cs_saved_pace all = {.steps = r->steps};
    double seconds = r->ending.seconds, fields[FIELDS];
    fields_of(r, fields);
    word(s, &all.steps);
    number(s, &seconds);
    numbers(s, fields, FIELDS);
    for (size_t i = 0; i < r->n_arms; i++) {
        if (cs_share_of(r, s->share, i).end == 0)
            continue;
        cs_status status =
            cs_saved_arm(s, r, &r->arm[i], &all,
                         apply ? CS_SAVED_LOAD : CS_SAVED_LOOK, NULL, err);
        if (status != CS_OK)
            return status;
    }
    /* the values that arms have learned are saved with the arms */
    bool learns = r->target->flags & CS_TARGET_LEARNS;
    for (size_t i = 0; !learns && i < r->target->n_learned; i++) {
        double value = r->target->learned[i];
        number(s, &value);
        if (apply)
            r->target->learned[i] = value;
    }
    if (s->bad)
        return cs_fail(err, CS_INPUT,
                       "corrupt checkpoint: the data are truncated");
    if (s->in && all.steps != all.most)
        return cs_fail(err, CS_INPUT,
                       "corrupt checkpoint: inconsistent step counts");
    if (apply && !learns && r->target->n_learned)
        cs_run_learned(r);
    if (apply) {
        cs_change_forget(r->timeline, 0);
        r->steps = all.steps;
        r->ending.seconds = seconds;
        r->epoch++;
    }
    cs_status status = journal(s, r, apply, err);
    if (status == CS_OK && apply)
        note_fields(r, fields);
    return status ? status : remembered(s, r, apply, err);
}

static void share(stream *s)
{
    word(s, &s->share.part);
    word(s, &s->share.parts);
}

static cs_status write_all(stream *s, cs_run *r, cs_error *err)
{
    uint64_t first = magic;
    word(s, &first);
    cs_status status = long_text(s, &r->fingerprint, err);
    s->share = r->share;
    share(s);
    return status ? status : payload(s, r, false, err);
}

cs_status cs_run_save(cs_run *r, unsigned char **out, size_t *size,
                      cs_error *err)
{
    stream to = {.out = NULL};
    *out = NULL;
    *size = 0;
    if (cs_run_behind(r)) {
        cs_fail(err, CS_UNSUPPORTED,
                "an added arm has not reached step %llu yet",
                (unsigned long long)r->steps);
        cs_hint(
            err,
            "continue the run until the arm has reached that step, then save");
        return CS_UNSUPPORTED;
    }
    cs_status s = write_all(&to, r, err); /* only counts the bytes */
    to.out = s ? NULL : cs_alloc(1, to.at + 8);
    if (!s && !to.out)
        s = cs_fail(err, CS_MEMORY, "out of memory for the saved run");
    to.at = 0;
    if (!s)
        s = write_all(&to, r, err);
    cs_pack_free(&to.pack);
    if (s != CS_OK) {
        cs_free(to.out);
        return s;
    }
    uint64_t sum = cs_checksum(to.out, to.at);
    word(&to, &sum);
    *out = to.out;
    *size = to.at;
    return CS_OK;
}

cs_status cs_run_save_beside(cs_run *r, unsigned char **out, size_t *size,
                             cs_error *err)
{
    r->saving->beside_files = true;
    cs_status s = cs_run_save(r, out, size, err);
    r->saving->beside_files = false;
    return s;
}

static cs_status refuse_parts(const char *difference, cs_error *err)
{
    cs_fail(err, CS_INPUT, "this is not the run that was saved: %s",
            difference);
    cs_hint(err, "restore the scenario, or start a new run; to change a "
                 "kernel's parameter use --set ARM.PARAM=VALUE");
    return CS_INPUT;
}

/* Compares the fingerprint of the saved run with the fingerprint of this
 * run. */
static cs_status check_parts(const cs_run *r, stream *s, cs_error *err)
{
    char difference[400], *was = NULL;
    cs_status status = long_text(s, &was, err);
    if (status == CS_OK &&
        cs_parts_differ(was, r->fingerprint, difference, sizeof difference))
        status = refuse_parts(difference, err);
    cs_free(was);
    return status;
}

static cs_status check_head(const cs_run *r, stream *s, cs_error *err)
{
    uint64_t first = 0, sum = 0;
    stream end = {.in = s->in, .at = s->size - 8, .size = s->size};
    word(s, &first);
    word(&end, &sum);
    if (((first ^ magic) & of_any_version) == 0 && first != magic) {
        cs_fail(err, CS_INPUT,
                "the checkpoint was written by another version of chainscope");
        cs_hint(err, "resume with that version, or start a new run");
        return CS_INPUT;
    }
    if (first != magic)
        return cs_fail(err, CS_INPUT, "not a checkpoint");
    if (sum != cs_checksum(s->in, s->size - 8))
        return cs_fail(err, CS_INPUT, "corrupt checkpoint");
    s->size -= 8;
    cs_status status = check_parts(r, s, err);
    share(s);
    s->bad |= s->share.parts > CS_MOST_PARTS ||
              (s->share.part && s->share.part >= s->share.parts);
    return status;
}

static cs_status begin(stream *s, const cs_run *r, const unsigned char *in,
                       size_t size, cs_error *err)
{
    *s = (stream){.in = in, .size = size};
    cs_status status = size < 24 ? CS_INPUT : check_head(r, s, err);
    if (size < 24 || (status == CS_OK && s->bad))
        status = cs_fail(err, CS_INPUT,
                         "corrupt checkpoint: the data are truncated");
    return status;
}

cs_status cs_run_saved_share(const cs_run *r, const unsigned char *in,
                             size_t size, cs_share *out, cs_error *err)
{
    stream s;
    cs_status status = begin(&s, r, in, size, err);
    *out = s.share;
    return status;
}

static cs_status refuse_share(cs_share was, cs_share is, cs_error *err)
{
    cs_page old = {0}, new = {0};
    cs_share_name(was, &old);
    cs_share_name(is, &new);
    cs_fail(err, CS_INPUT, "the checkpoint holds %s, not %s",
            old.text ? old.text : "another part",
            new.text ? new.text : "the requested part");
    if (cs_share_is_all(is))
        cs_hint(err, "resume that part with its --part, or combine the parts "
                     "with chainscope merge");
    else
        cs_hint(err, "give --part of the checkpoint, or another folder");
    cs_free(old.text);
    cs_free(new.text);
    return CS_INPUT;
}

/* Makes the present step the earliest step to which the run can be rewound. */
static void loaded(cs_run *r)
{
    r->ending.lifted = false;
    cs_branch_free(r->timeline);
    r->timeline->end = r->steps;
    /* computes `finished` again, since the budget may have changed */
    for (size_t i = 0; i < r->n_arms; i++)
        r->arm[i].finished = cs_arm_is_finished(r, &r->arm[i]);
    cs_marks_forget(r->marks);
    r->marks->begun = true;
    cs_marks_take(r);
}

cs_status cs_run_load(cs_run *r, const unsigned char *in, size_t size,
                      cs_error *err)
{
    stream s;
    cs_status status = begin(&s, r, in, size, err);
    if (status == CS_OK && !cs_share_is_same(s.share, r->share))
        status = refuse_share(s.share, r->share, err);
    stream again = s;
    if (status == CS_OK)
        status = payload(&s, r, false, err);
    if (status == CS_OK)
        status = payload(&again, r, true, err);
    if (status == CS_OK)
        loaded(r);
    return status;
}

/* ---- parts ---- */

/* Data about an arm, collected over all parts. */
typedef struct merged {
    /* head of the part with the most steps; in this head, work and time are
     * replaced by the totals over all parts; the number of diagnosed draws is
     * replaced by the number of diagnosed draws per chain in all parts */
    cs_saved_head head;
    size_t farthest; /* index of the part with the most steps, or NO_PART */
    bool diagnosed;  /* some part has draws that are not in files */
} merged;

#define NO_PART SIZE_MAX

static cs_status add(const cs_arm *a, merged *to, size_t part,
                     const cs_saved_head *h, cs_error *err)
{
    cs_saved_head sum = to->head;
    if (!h->finished) {
        cs_fail(err, CS_INPUT, "the part has not ended: arm %s is at step %llu",
                a->name, (unsigned long long)h->steps);
        cs_hint(err, "finish the part with --resume, and merge again");
        return CS_INPUT;
    }
    if (to->farthest == NO_PART || h->steps > to->head.steps) {
        to->head = *h;
        to->farthest = part;
    }
    to->head.total.own = cs_work_add(sum.total.own, h->total.own);
    to->head.total.observed =
        cs_work_add(sum.total.observed, h->total.observed);
    to->head.seconds = sum.seconds + h->seconds;
    to->diagnosed |= h->diagnosed > 0;
    return CS_OK;
}

/* Counts the diagnosed draws per chain. The count is 0 if all draws are in
 * files. */
static cs_status count_diagnosed(cs_run *r, cs_arm *a, merged *m, cs_error *err)
{
    cs_saved_head *h = &m->head;
    h->diagnosed = m->diagnosed && h->warmup < h->steps
                       ? (h->steps - h->warmup) / h->each
                       : 0;
    return cs_diagnosed_fits(r, a, h->diagnosed)
               ? CS_OK
               : cs_fail(err, CS_MEMORY, "out of memory for arm %s", a->name);
}

static cs_status same_fields(const cs_run *r, const double *was, cs_error *err)
{
    double is[FIELDS];
    fields_of(r, is);
    /* compares all fields except the last, the number of workers */
    for (size_t i = 0; i + 1 < FIELDS; i++) {
        if (is[i] == was[i])
            continue;
        cs_fail(err, CS_INPUT, "the budget differs: %s was %.15g, is %.15g",
                field_name[i], was[i], is[i]);
        cs_hint(err, "merge with the budget of the parts: --steps N");
        return CS_INPUT;
    }
    return CS_OK;
}

/* Returns the next line of a journal that contains a change of an arm. Moves
 * *text past this line. */
static const char *next_change(const char **text, size_t *size)
{
    for (;;) {
        const char *line = *text, *what = line + strcspn(line, " \n");
        *size = strcspn(line, "\n");
        if (!*line)
            return NULL;
        *text = line + *size + (line[*size] == '\n');
        if (*line != '#' && strncmp(what, " run ", 5) != 0 &&
            strncmp(what, " kept ", 6) != 0 && strncmp(what, " end", 4) != 0)
            return line;
    }
}

static cs_status same_changes(cs_run *r, const char *was, cs_error *err)
{
    char *text;
    size_t n, m;
    cs_status status = cs_run_changes_text(r, &text, err);
    if (status)
        return status;
    const char *at = text, *a, *b;
    do {
        a = next_change(&at, &n);
        b = next_change(&was, &m);
    } while (a && b && n == m && memcmp(a, b, n) == 0);
    if (a || b) {
        status = cs_fail(err, CS_INPUT,
                         "the changes made to the part differ from those of "
                         "this run: %.*s",
                         b ? (int)(m < 200 ? m : 200) : 7, b ? b : "(other)");
        cs_hint(err, "give the same --set to every part from the start, and to "
                     "chainscope merge");
    }
    cs_free(text);
    return status;
}

/* Advances a block with a single stopped chain to the arm's last step. The
 * chain does not move, but the steps evaluate the target. The counts are reset
 * to 0 at the end of the warm-up. */
static void stand_by(cs_arm *a, cs_block *b, uint64_t from)
{
    uint64_t warmup = a->warmup_steps;
    bool tunes = a->tuning && a->tuning->active;
    for (b->step = from; b->step < a->steps;) {
        b->in_warmup = tunes || b->step < warmup;
        b->warmup_steps = a->warmup_steps = b->in_warmup ? 0 : warmup;
        cs_arm_fill(a, b->step + 1, 1);
        cs_block_run(b, &a->round.driven, 1, NULL);
        if (b->in_warmup && !tunes && b->step == warmup)
            memset(b->tally, 0, CS_TALLY_ROWS * b->lanes * sizeof(double));
    }
    a->warmup_steps = warmup;
}

/* Advances a stopped chain to the arm's last step. A part ends when all its
 * chains have stopped. In an undivided run the other chains would continue, and
 * the stopped chain would be advanced together with them. */
static cs_status go_along(cs_run *r, cs_arm *a, size_t chain, uint64_t from,
                          cs_error *err)
{
    if (from == a->steps)
        return CS_OK;
    cs_block *to = cs_arm_block(a, chain), *b = cs_run_copy(r, a, chain);
    double *words = cs_alloc(to->slab_words, sizeof *words);
    if (b && words) {
        b->eval.work = b->observer.work = (cs_work){0};
        stand_by(a, b, from);
        cs_block_save_lane(b, 0, words);
        cs_block_load_lane(to, cs_arm_lane(a, chain), words);
        a->loaded.work = cs_work_add(a->loaded.work, b->eval.work);
        a->loaded.observed = cs_work_add(a->loaded.observed, b->observer.work);
    }
    bool good = b && words;
    cs_block_destroy(b);
    cs_free(words);
    return good ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory for a chain");
}

/* Completes an arm after its chains were filled in. */
static cs_status complete_arm(cs_run *r, size_t arm, cs_share share,
                              const merged *m, const cs_saved_head *head,
                              cs_error *err)
{
    cs_arm *a = &r->arm[arm];
    cs_chains own = cs_share_of(r, share, arm);
    cs_status status = CS_OK;
    if (m->diagnosed && head->diagnosed == 0 && !cs_diagnosed_leave(a, own))
        status = cs_fail(err, CS_MEMORY, "out of memory for the parts");
    for (size_t c = own.first; c < own.end && status == CS_OK; c++)
        status = go_along(r, a, c, head->steps, err);
    return status;
}

static cs_status part_arms(stream *s, cs_run *r, size_t part, cs_saved_how how,
                           merged *m, cs_saved_pace *all, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < r->n_arms && status == CS_OK; i++) {
        bool looks = how == CS_SAVED_PLACE && m[i].farthest != part;
        cs_saved_head head = m[i].head;
        if (cs_share_of(r, s->share, i).end == 0)
            continue;
        status = cs_saved_arm(s, r, &r->arm[i], all,
                              looks ? CS_SAVED_LOOK : how, &head, err);
        if (status == CS_OK && how == CS_SAVED_PLACE && !looks)
            cs_saved_blank(&r->arm[i]);
        if (status == CS_OK && how == CS_SAVED_FILL)
            status = complete_arm(r, i, s->share, &m[i], &head, err);
        if (status == CS_OK && how == CS_SAVED_LOOK)
            status = add(&r->arm[i], &m[i], part, &head, err);
    }
    return status;
}

/* Checks that the functions of the script keep the same values in all parts. */
static cs_status same_memory(stream *s, cs_run *r, size_t part, cs_error *err)
{
    char *text = NULL;
    cs_status status = long_text(s, &text, err);
    if (status == CS_OK)
        status = part ? cs_remembered_same(r->remembered, text, err)
                      : cs_remembered_load(r, text, err);
    cs_free(text);
    return status;
}

static cs_status take_part(stream s, cs_run *r, size_t part, cs_saved_how how,
                           merged *m, cs_error *err)
{
    cs_saved_pace all = {0};
    double seconds = 0, fields[FIELDS] = {0};
    word(&s, &all.steps);
    number(&s, &seconds);
    numbers(&s, fields, FIELDS);
    if (s.bad)
        return cs_fail(err, CS_INPUT,
                       "corrupt checkpoint: the data are truncated");
    cs_status status = same_fields(r, fields, err);
    if (status == CS_OK)
        status = part_arms(&s, r, part, how, m, &all, err);
    if (status || how != CS_SAVED_LOOK)
        return status;
    r->ending.seconds += seconds;
    char *text = NULL;
    status = all.steps == all.most
                 ? long_text(&s, &text, err)
                 : cs_fail(err, CS_INPUT,
                           "corrupt checkpoint: inconsistent step counts");
    if (status == CS_OK)
        status = same_changes(r, text, err);
    cs_free(text);
    return status ? status : same_memory(&s, r, part, err);
}

/* Loads the run from one part, if that part has all chains. */
static cs_status take_all(stream s, cs_run *r, cs_error *err)
{
    stream again = s;
    bool mine = s.share.part == 0;
    cs_status status = mine ? payload(&s, r, false, err) : CS_OK;
    return status || !mine ? status : payload(&again, r, true, err);
}

static cs_status each_part(cs_run *r, size_t n, cs_part_fetch *fetch,
                           void *self, cs_saved_how how, merged *m,
                           cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < n && status == CS_OK; i++) {
        unsigned char *in;
        size_t size;
        stream s;
        status = fetch(self, i, &in, &size, err);
        if (status)
            return status;
        status = begin(&s, r, in, size, err);
        if (status == CS_OK)
            status = r->together ? take_all(s, r, err)
                                 : take_part(s, r, i, how, m, err);
        cs_free(in);
    }
    return status;
}

static cs_status merge_arms(cs_run *r, size_t n, cs_part_fetch *fetch,
                            void *self, merged *m, cs_error *err)
{
    for (size_t i = 0; i < r->n_arms; i++)
        m[i].farthest = NO_PART;
    cs_status status = each_part(r, n, fetch, self, CS_SAVED_LOOK, m, err);
    for (size_t i = 0; i < r->n_arms && status == CS_OK; i++)
        status = count_diagnosed(r, &r->arm[i], &m[i], err);
    if (status == CS_OK)
        status = each_part(r, n, fetch, self, CS_SAVED_PLACE, m, err);
    if (status == CS_OK)
        status = each_part(r, n, fetch, self, CS_SAVED_FILL, m, err);
    for (size_t i = 0; i < r->n_arms; i++)
        if (r->arm[i].steps > r->steps)
            r->steps = r->arm[i].steps;
    r->epoch++;
    return status;
}

cs_status cs_run_merge(cs_run *r, size_t n, cs_part_fetch *fetch, void *self,
                       cs_error *err)
{
    merged *m = cs_alloc(r->n_arms, sizeof *m);
    if (!m)
        return cs_fail(err, CS_MEMORY, "out of memory for the parts");
    cs_status status = r->together
                           ? each_part(r, n, fetch, self, CS_SAVED_LOAD, m, err)
                           : merge_arms(r, n, fetch, self, m, err);
    cs_free(m);
    if (status == CS_OK)
        loaded(r);
    return status;
}
