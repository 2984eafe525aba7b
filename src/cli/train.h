/* What `train` learns that is no scenario: one file each. */
#ifndef CS_CLI_TRAIN_H
#define CS_CLI_TRAIN_H

#include "base/param.h"
#include "cli/subcommand.h"

enum { CS_TRAIN_ROWS = 16 };

/* value[n] from the rows' defaults and --set NAME=V, n <= CS_TRAIN_ROWS. */
cs_status cs_train_sets(const cs_args *args, const char *what,
                        const cs_param *rows, size_t n, double *value,
                        cs_error *err);

/* `# chainscope train WHAT: OF, NAME=V, ...` and a line's end into text[size]:
 * what made a file, as its first line. */
void cs_train_describe(const cs_args *args, const char *what, const char *of,
                       char *text, size_t size);

/* train words: --data sentences, --out a model that masked_words reads. */
cs_status cs_train_words(const cs_args *args, cs_error *err);

#endif
