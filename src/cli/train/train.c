/* chainscope train FILE: runs a scenario whose arms train a model, without the
 * screen, and writes each trained model to a file that its target reads.
 * chainscope train rbm: trains a restricted Boltzmann machine on images by
 * contrastive divergence, with its own block Gibbs sampler. chainscope train
 * words: see train_words.c. */
#include "cli/train/train.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/line/stop.h"
#include "cli/line/subcommand.h"
#include "files/overwrite.h"
#include "files/replace.h"
#include "learn/train_rbm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBER = 16 /* bytes of a number and its separator */ };

/* Parses "k=10": copies the name to text[size] and the value to *v. */
static cs_status read_set(const char *set, char *text, size_t size, cs_value *v,
                          cs_error *err)
{
    const char *sign = strchr(set, '=');
    char *end;
    if (!sign || (size_t)(sign - set) >= size) {
        cs_fail(err, CS_INPUT, "--set: expected NAME=VALUE, not '%s'", set);
        cs_hint(err, "give --set NAME=VALUE");
        return CS_INPUT;
    }
    snprintf(text, size, "%.*s", (int)(sign - set), set);
    double number = strtod(sign + 1, &end);
    bool is_text = *end || end == sign + 1;
    *v = (cs_value){.name = text,
                    .kind = is_text ? CS_PARAM_TEXT : CS_PARAM_REAL,
                    .given = 1,
                    .number = number,
                    .text = sign + 1};
    return CS_OK;
}

cs_status cs_train_sets(const cs_args *args, const char *what,
                        const cs_param *rows, size_t n, double *value,
                        cs_error *err)
{
    char name[CS_TRAIN_ROWS][32];
    cs_value given[CS_TRAIN_ROWS], out[CS_TRAIN_ROWS];
    if (args->n_set > n)
        return cs_fail(err, CS_INPUT, "%s has at most %zu parameters", what, n);
    cs_status s = CS_OK;
    for (size_t i = 0; !s && i < args->n_set; i++)
        s = read_set(args->set[i], name[i], sizeof name[i], &given[i], err);
    if (!s)
        s = cs_params_resolve(what, rows, n, given, args->n_set, out, err);
    for (size_t i = 0; !s && i < n; i++)
        value[i] = out[i].number;
    return s;
}

static cs_status write_rows(const char *path, const char *how,
                            const double *rows, size_t n, size_t width,
                            cs_error *err)
{
    size_t capacity = strlen(how) + n * width * NUMBER, used;
    char *text = cs_alloc(capacity, 1);
    if (!text)
        return cs_fail(err, CS_MEMORY, "out of memory for the file");
    used = (size_t)snprintf(text, capacity, "%s", how);
    for (size_t k = 0; k < n * width; k++)
        used += (size_t)snprintf(text + used, capacity - used, "%.4g%c",
                                 rows[k], (k + 1) % width ? ',' : '\n');
    cs_status s = cs_file_replace(path, text, used, err);
    cs_free(text);
    return s;
}

bool cs_train_goes_on(cs_train_progress *p, double made)
{
    double now = cs_clock(), spent = now - p->start;
    p->made = made;
    if (isatty(STDERR_FILENO) && now - p->shown >= 0.2) {
        p->shown = now;
        fprintf(stderr, "\r\033[K%.0f %%", 100 * made);
        cs_follow_left(spent * (1 / made - 1));
        fflush(stderr);
    }
    return !cs_stop_signal();
}

void cs_train_epoch(cs_train_progress *p, size_t epoch, double epochs)
{
    double spent = cs_clock() - p->start;
    fprintf(stderr, "%sepoch %zu of %.0f, %.1f s",
            isatty(STDERR_FILENO) ? "\r\033[K" : "", epoch, epochs, spent);
    cs_follow_left(spent * (epochs / (double)epoch - 1));
}

int cs_train_stopped(const cs_train_progress *p, const char *file)
{
    if (p->made >= 1)
        cs_stop_say("after the last step: %s is complete", file);
    cs_stop_say("at %.0f %% of the training: %s holds the model so far; the "
                "same command starts from the beginning",
                100 * p->made, file);
    return CS_EXIT_OK; /* after a signal the program returns another code */
}

typedef struct rbm_progress {
    cs_train_progress all;
    double epochs;
} rbm_progress;

static bool report(void *self, size_t epoch, size_t batch, size_t batches,
                   double gap)
{
    rbm_progress *p = self;
    if (batch == batches) {
        cs_train_epoch(&p->all, epoch, p->epochs);
        fprintf(stderr,
                ": log p of the data is %.4g above log p of the chains\n", gap);
    }
    double made = (double)(epoch - 1) + (double)batch / (double)batches;
    return cs_train_goes_on(&p->all, made / p->epochs);
}

void cs_train_describe(const cs_args *args, const char *what, const char *of,
                       char *text, size_t size)
{
    int n = snprintf(text, size, "# chainscope train %s: %s", what, of);
    for (size_t i = 0; i < args->n_set && n > 0 && (size_t)n < size; i++)
        n += snprintf(text + n, size - (size_t)n, ", %s", args->set[i]);
    if (n > 0 && (size_t)n < size - 1)
        snprintf(text + n, size - (size_t)n, "\n");
}

static cs_status learn_rbm(const cs_args *args, int *code, cs_error *err)
{
    rbm_progress progress = {.all.start = cs_clock()};
    double *rows = NULL;
    cs_images images = {0};
    cs_images_wanted wanted = {.images = cs_args_value(args, "data")};
    cs_learn_spec spec = {
        .images = &images, .report = report, .report_self = &progress};
    char how[512], of[64];
    const char *to = cs_args_value(args, "out");
    cs_status s = cs_train_sets(args, "train rbm", cs_learn_params,
                                CS_LEARN_PARAMS, spec.value, err);
    progress.epochs = spec.value[CS_LEARN_EPOCHS];
    if (!s)
        s = cs_images_read(&images, &wanted, err);
    if (!s) /* checked before the training, which may take hours */
        s = cs_output_allow(to, CS_OUTPUT_MODEL, &wanted.images, 1, err);
    if (!s)
        s = cs_learn_rbm(&spec, &rows, err);
    snprintf(of, sizeof of, "%zu images of %zux%zu", images.n, images.rows,
             images.cols);
    cs_train_describe(args, "rbm", of, how, sizeof how);
    if (!s)
        s = write_rows(to, how, rows, (size_t)spec.value[CS_LEARN_HIDDEN] + 1,
                       images.rows * images.cols + 1, err);
    if (!s)
        *code = cs_train_stopped(&progress.all, to);
    cs_free(rows);
    cs_images_free(&images);
    return s;
}

/* The models that are trained on a file of data, and the rest of an example
 * command for each model. */
static const struct {
    const char *what;
    cs_status (*learn)(const cs_args *args, int *code, cs_error *err);
    const char *example;
} machines[] = {
    {"rbm", learn_rbm, "--data IMAGES --out FILE.csv"},
    {"words", cs_train_words, "--data SENTENCES --out FILE.txt"},
};
enum { MACHINES = sizeof machines / sizeof *machines };

/* Fails unless --data and --out are given. */
static cs_status check_files(const cs_args *args, size_t k, cs_error *err)
{
    const char *missing = !cs_args_value(args, "data")  ? "data"
                          : !cs_args_value(args, "out") ? "out"
                                                        : NULL;
    if (!missing)
        return CS_OK;
    cs_fail(err, CS_INPUT, "train %s: missing --%s", machines[k].what, missing);
    cs_hint(err, "usage: chainscope train %s %s", machines[k].what,
            machines[k].example);
    return CS_INPUT;
}

/* Fails for options that do not apply to this kind of training. There are two
 * kinds: training of a model on a file of data, and training of the model of a
 * scenario. */
static cs_status refuse_others(const cs_args *args, bool machine, cs_error *err)
{
    static const char *const of_machines[] = {"data", NULL};
    static const char *const of_scenarios[] = {
        "steps", "full", "seed", "chains", "workers", "resume", "force", NULL};
    for (const char *const *o = machine ? of_scenarios : of_machines; *o; o++) {
        if (!cs_args_value(args, *o))
            continue;
        cs_fail(err, CS_INPUT, "train %s has no option --%s", args->word[0],
                *o);
        if (machine)
            cs_hint(err, "set the parameters with --set NAME=VALUE");
        else
            cs_hint(err, "name the data in the scenario: learn = { data = ... "
                         "}");
        return CS_INPUT;
    }
    return CS_OK;
}

static int train(const cs_args *args)
{
    cs_error err = {0};
    size_t k = 0;
    while (k < MACHINES && strcmp(args->word[0], machines[k].what) != 0)
        k++;
    if (refuse_others(args, k < MACHINES, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    if (k == MACHINES)
        return cs_subcommand_find("run")->main(args);
    if (check_files(args, k, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    int code = CS_EXIT_OK;
    return machines[k].learn(args, &code, &err) ? cs_complain(&err) : code;
}

static const cs_option options[] = {
    {"out", "DIR",
     "folder for draws, checkpoint, summary and trained models "
     "(ARM_learned.csv); for rbm and words the file of the model"},
    {"steps", "N", "steps per chain, instead of the scenario's budget"},
    {"full", NULL, "use the scenario's full setting, as replicate does"},
    {"seed", "N", "seed, instead of the scenario's"},
    {"chains", "N", "chains per arm, instead of the scenario's"},
    {"workers", "N", "number of threads; results do not depend on it"},
    {"set", "ARM.PARAM=V",
     "change a parameter (for rbm and words NAME=V); may be repeated"},
    {"resume", NULL, "continue from the checkpoint in DIR, bit for bit"},
    {"force", NULL, "overwrite the files in DIR"},
    {"data", "FILE",
     "for rbm: images in IDX format; for words: sentences, one per line"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_train = {
    .name = "train",
    .args = "FILE [--out DIR] ... | rbm|words --data FILE --out FILE",
    .help = "train models on data, without the screen",
    .more = "FILE is a scenario with an arm that trains (learn = { data = ... "
            "}). It runs like\n`chainscope run`: Ctrl-C stops at the next step "
            "and saves everything, --resume\ncontinues.\n\n`train rbm` trains "
            "a restricted Boltzmann machine by contrastive "
            "divergence.\nParameters: hidden (500), k (10; steps of block "
            "Gibbs per batch), chains (data,\npersistent), epochs (1), batch "
            "(100), rate (0.001), rate_decay (0; the share of\nthe batches "
            "over which the rate falls to 0), seed (1).\n\n`train words` fits "
            "a language model that predicts a word from the words around "
            "it,\nfor the target masked_words. Parameters: words (2000; size "
            "of the vocabulary),\nwidth (32), radius (3), epochs (10), rate "
            "(0.003), held_out (0.1), seed (1).\n\nFor rbm and words, Ctrl-C "
            "stops at the next batch and writes the model so far.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = 1,
    .main = train,
};
