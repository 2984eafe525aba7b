#include "screen/state/law_trials.h"

#include "session/client/shell_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* seconds for which a run must have been open before its check starts */
#define REST 3.0
enum { NICE = 19, CPU = 15 /* seconds of processor time */, TEXT = 4096 };

void cs_laws_stop(cs_laws *l)
{
    cs_helper_stop(&l->maker);
}

/* Returns true if the run has a scenario whose laws were never checked. The laws
 * of a game are a part of its answer. */
static bool is_wanted(const cs_shot *s)
{
    const char *file = cs_shot_text(s, "run/file");
    const char *dot = strrchr(file, '.');
    bool wanted = dot && strcmp(dot, ".lua") == 0 && cs_shot_arms(s) > 0 &&
                  !*cs_shot_text(s, "run/watched") && !cs_shot_plays(s) &&
                  cs_shot_number(s, 0, "run/differs") == 0;
    for (size_t i = 0; i < cs_shot_all_arms(s); i++)
        wanted = wanted && !*cs_shot_text(s, "arm/%zu/held", i) &&
                 !*cs_shot_text(s, "arm/%zu/broken", i);
    return wanted;
}

/* Starts the check. Returns false if the settings do not fit in the command
 * line. */
static bool start(cs_laws *l, const cs_shot *s)
{
    char text[TEXT], *word[CS_WORDS], *argv[2 * CS_WORDS + 8];
    const char *sets = cs_shot_text(s, "run/sets");
    size_t n = 0, k = 0;
    argv[k++] = (char[]){"chainscope"};
    argv[k++] = (char[]){"check"};
    char file[1024];
    snprintf(file, sizeof file, "%s", cs_shot_text(s, "run/file"));
    argv[k++] = file;
    argv[k++] = (char[]){"--seconds"};
    argv[k++] = (char[]){"1"};
    if (strlen(sets) >= sizeof text)
        return false;
    strcpy(text, sets);
    if (*text && cs_words_cut(text, word, &n, NULL))
        return false;
    for (size_t i = 0; i < n; i++) {
        argv[k++] = (char[]){"--set"};
        argv[k++] = word[i];
    }
    argv[k] = NULL;
    return cs_helper_start(&l->maker, argv, NICE, CPU);
}

bool cs_laws_tend(cs_laws *l, const cs_shot *s, bool off, double now,
                  double *again)
{
    double opened = cs_shot_number(s, 0, "run/opened");
    *again = -1;
    if (opened != l->opened || off) {
        cs_laws_stop(l);
        l->opened = opened;
        l->since = now;
        l->done = off || opened == 0;
    }
    if (l->done)
        return false;
    if (l->maker.id) {
        l->done = cs_helper_is_over(&l->maker);
        if (l->done)
            cs_laws_stop(l);
        return l->done;
    }
    *again = fmax(l->since + REST - now, 0);
    if (*again > 0)
        return false;
    *again = -1;
    l->done = !is_wanted(s) || !start(l, s);
    return false;
}
