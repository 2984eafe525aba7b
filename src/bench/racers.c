/* Runs the programs of posteriors.c by scripts, and reads the draws that the
 * scripts write. */
#include "bench/posteriors.h"

#include <math.h>
#include <stdio.h>

static const char stan_script[] =
    "suppressMessages(library(rstan))\n"
    "rstan_options(boost_lib = '/usr/include')\n"
    "d <- new.env()\n"
    "sys.source(data, d)\n"
    "stan <- file.path(Sys.getenv('CHAINSCOPE_STAN'), paste0(id, '.stan'))\n"
    "if (!file.exists(stan) ||\n"
    "    !identical(paste(readLines(stan), collapse = '\\n'),\n"
    "      sub('\\n$', '', code))) cat(code, file = stan)\n"
    "spent <- system.time(m <- stan_model(stan, auto_write = TRUE))\n"
    "cat('compile', sum(spent[-3]), '\\n')\n"
    "f <- sampling(m, data = as.list(d), chains = 4, iter = 2000,\n"
    "  refresh = 0, seed = seed)\n"
    "x <- extract(f, permuted = FALSE)\n"
    "g <- sapply(get_sampler_params(f), function(p)"
    " sum(p[, 'n_leapfrog__']))\n"
    "seconds <- sum(get_elapsed_time(f))\n"
    "to <- file(out, 'wb')\n"
    "writeBin(as.double(c(seconds, sum(g), dim(x)[c(2, 1, 3)], x)), to)\n"
    "close(to)\n"
    "cat('seconds', seconds, '\\n')\n";

/* The script for JAGS. It reports the CPU seconds of the run minus the CPU
 * seconds of a run that ends after initialisation. */
static const char jags_script[] =
    "setwd(tempdir())\n"
    "cat(code, file = 'm.bug')\n"
    "start <- character()\n"
    "for (k in 1:4) {\n"
    "  file <- paste0('start', k, '.R')\n"
    "  cat('.RNG.name <- \"base::Mersenne-Twister\"\\n.RNG.seed <- ',\n"
    "    4 * seed + k, '\\n', sep = '', file = file)\n"
    "  start[k] <- paste0('parameters in \"', file, '\", chain(', k, ')')\n"
    "}\n"
    "go <- function(what) {\n"
    "  writeLines(c('load glm', 'model in m.bug',\n"
    "    paste0('data in \"', data, '\"'), 'compile, nchains(4)', start,\n"
    "    'initialize', what), 'commands')\n"
    "  sum(system.time(system2('jags', 'commands', stdout = FALSE,\n"
    "    stderr = FALSE))[4:5])\n"
    "}\n"
    "none <- go(character())\n"
    "seconds <- go(c('adapt 1000',\n"
    "  paste('monitor', strsplit(monitors, ' ')[[1]]), 'update 1000',\n"
    "  'coda *')) - none\n"
    "x <- sapply(1:4, function(k) matrix(scan(paste0('CODAchain', k,"
    " '.txt'),\n"
    "  list(0, 0), quiet = TRUE)[[2]], 1000), simplify = 'array')\n"
    "x <- aperm(x, c(1, 3, 2))\n"
    "to <- file(out, 'wb')\n"
    "writeBin(as.double(c(seconds, NaN, dim(x)[c(2, 1, 3)], x)), to)\n"
    "close(to)\n"
    "cat('seconds', seconds, '\\n')\n";

/* The script for emcee. The data are R assignments. The script uses two walkers
 * per coordinate, but at least 64. If there are many draws, it thins them. */
static const char emcee_script[] =
    "import time, numpy as np, emcee\n"
    "for line in open(data):\n"
    "  name, value = line.split(' <- ')\n"
    "  value, _, dims = value.partition('), .Dim = c(')\n"
    "  value = np.fromstring(value.strip('structure(c) \\n'), sep=',')\n"
    "  if dims: value = value.reshape((-1, int(dims.strip(') \\n')"
    ".split(',')[1])), order='F')\n"
    "  globals()[name] = value\n"
    "exec(code)\n"
    "n, walkers = 1000, max(64, 2 * dim + 2)\n"
    "thin = 1 + walkers * dim * n // 20000000\n"
    "np.random.seed(seed)\n"
    "run = emcee.EnsembleSampler(walkers, dim, f, vectorize=True)\n"
    "start = time.process_time()\n"
    "x = run.run_mcmc(np.random.normal(size=(walkers, dim)), n, store=False)\n"
    "run.run_mcmc(x, n // thin, thin_by=thin)\n"
    "used = time.process_time() - start\n"
    "x = np.concatenate([run.get_log_prob()[:, :, None],"
    " run.get_chain()], 2)\n"
    "with open(out, 'wb') as to:\n"
    "  np.array([used, np.nan, walkers, n // thin, dim + 1]).tofile(to)\n"
    "  np.ascontiguousarray(x.transpose(2, 1, 0)).tofile(to)\n"
    "print('seconds', used)\n";

static const char *stan_of(const cs_bench_posterior *p)
{
    return p->stan;
}

static const char *jags_of(const cs_bench_posterior *p)
{
    return p->jags;
}

static const char *emcee_of(const cs_bench_posterior *p)
{
    return p->emcee;
}

static const char *const r[] = {"Rscript", NULL};
static const char *const python[] = {"/usr/bin/python3", "python3", NULL};

const cs_bench_racer cs_bench_racers[CS_BENCH_RACERS] = {
    {"rstan", stan_of, "<-", stan_script, r, {3, 1}, false},
    {"JAGS", jags_of, "<-", jags_script, r, {3, NAN}, true},
    {"emcee", emcee_of, "=", emcee_script, python, {3, NAN}, false},
};

/* Quotes the program of the posterior: as a raw string r"(...)" in R, and by
 * three quotes on each side in Python, where raw strings need no parentheses.
 * Programs and file names never contain three consecutive quotes. */
void cs_bench_race_script(const cs_bench_racer *by, const cs_bench_posterior *p,
                          size_t seed, const char *data, const char *out,
                          char *text, size_t size)
{
    const char *code = by->program(p), *is = by->assign;
    bool in_r = *is == '<';
    snprintf(text, size,
             "id %s '%s'\nseed %s %zu\ndata %s '%s'\nout %s '%s'\n"
             "monitors %s '%s'\ncode %s %s%s%s\n%s",
             is, p->id, is, seed, is, data, is, out, is, p->monitors, is,
             in_r ? "r\"(" : "'''", code, in_r ? ")\"" : "'''", by->script);
}
