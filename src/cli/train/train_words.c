/* chainscope train words: fits a language model to sentences and writes a file
 * that the target masked_words reads. */
#include "learn/train_words.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cli/train/train.h"
#include "files/overwrite.h"
#include "files/replace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct progress {
    cs_train_progress all;
    double epochs;
} progress;

static void report(void *self, size_t epoch, double learned, double held_out)
{
    progress *p = self;
    cs_train_epoch(&p->all, epoch, p->epochs);
    fprintf(stderr, ": perplexity %.4g", learned);
    if (isfinite(held_out))
        fprintf(stderr, ", on held-out sentences %.4g", held_out);
    fputc('\n', stderr);
}

static bool enough(void *self, double made)
{
    progress *p = self;
    return !cs_train_goes_on(&p->all, made);
}

static cs_status write_model(const cs_args *args, const cs_words *w,
                             const char *data, cs_error *err)
{
    char how[512], *text, *all;
    cs_train_describe(args, "words", data, how, sizeof how);
    cs_status s = cs_words_text(w, &text, err);
    if (s)
        return s;
    size_t head = strlen(how), body = strlen(text);
    all = cs_alloc(head + body + 1, 1);
    if (all) {
        memcpy(all, how, head);
        memcpy(all + head, text, body);
        s = cs_file_replace(cs_args_value(args, "out"), all, head + body, err);
    } else {
        s = cs_fail(err, CS_MEMORY, "out of memory for the file");
    }
    cs_free(text);
    cs_free(all);
    return s;
}

cs_status cs_train_words(const cs_args *args, int *code, cs_error *err)
{
    const char *path = cs_args_value(args, "data"), *name = strrchr(path, '/');
    progress p = {.all.start = cs_clock()};
    cs_words_fit fit = {
        .where = path, .report = report, .enough = enough, .self = &p};
    cs_words w = {0};
    char *text = NULL;
    cs_status s = cs_train_sets(args, "train words", cs_fit_words_params,
                                CS_FIT_PARAMS, fit.value, err);
    p.epochs = fit.value[CS_FIT_EPOCHS];
    if (!s)
        s = cs_data_read(path, "file of sentences", &text, &fit.size, err);
    fit.text = text;
    if (!s) /* checked before the training, which may take minutes */
        s = cs_output_allow(cs_args_value(args, "out"), CS_OUTPUT_MODEL, &path,
                            1, err);
    if (!s)
        s = cs_words_train(&fit, &w, err);
    if (!s)
        s = write_model(args, &w, name ? name + 1 : path, err);
    if (!s)
        *code = cs_train_stopped(&p.all, cs_args_value(args, "out"));
    cs_words_free(&w);
    cs_free(text);
    return s;
}
