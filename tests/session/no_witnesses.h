/* Functions for the counting run. The arms are counters, so they cannot
 * disagree (run/summary/witnesses.h), and no law is checked for them. With seed
 * 99, a disagreement is reported after each comparison of the arms. The
 * reported size, in standard errors, is the number of comparisons so far. */
#pragma once

#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/summary/witnesses.h"

static cs_disagreement comparisons = {.what = "x.1"};

const cs_witnesses *cs_witnesses_last(const cs_run *run)
{
    static cs_witnesses found = {.found = &comparisons};
    found.n = cs_run_seed(run) == 99;
    return &found;
}

const cs_witnesses *cs_witnesses_look(cs_run *run, const cs_flat *reported)
{
    (void)reported;
    comparisons.apart++;
    return cs_witnesses_last(run);
}

bool cs_witnesses_accuse(const cs_disagreement *d)
{
    return d->apart > 0;
}

void cs_witnesses_words(const cs_run *run, size_t arm, bool exact,
                        cs_page *wrong, cs_page *apart, cs_page *biased)
{
    (void)run, (void)arm, (void)exact, (void)wrong, (void)apart, (void)biased;
}

bool cs_witnesses_off(const cs_run *run, size_t arm)
{
    (void)run, (void)arm;
    return false;
}

void cs_witnesses_json(const cs_run *run, cs_page *p)
{
    (void)run, (void)p;
}

void cs_run_set_files(cs_run *r, size_t arm, const cs_warn_files *files)
{
    (void)r, (void)arm, (void)files;
}

cs_warn_files cs_run_files(const cs_run *r, size_t arm)
{
    (void)r, (void)arm;
    return (cs_warn_files){0};
}

void cs_run_set_checked(cs_run *r, size_t arm, bool checked, const char *broken)
{
    (void)r, (void)arm, (void)checked, (void)broken;
}

bool cs_run_checked(const cs_run *r, size_t arm)
{
    (void)r, (void)arm;
    return false;
}

const char *cs_run_broken(const cs_run *r, size_t arm)
{
    (void)r, (void)arm;
    return "";
}
