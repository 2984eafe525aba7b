#include "bench/others.h"

#include "bench/child.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- scripts ------------------------------------------------------------- */

/* The system's own Python comes first, because it is the only one that has the
 * system's packages. */
static const char *const python[] = {"/usr/bin/python3", "python3", NULL};
static const char *const r[] = {"Rscript", NULL};
static const char *const shell[] = {"sh", NULL};

const cs_bench_other cs_bench_emcee = {
    "emcee",
    "import time, numpy as np, emcee\n"
    "d, walkers, n = 10, 64, 2000\n"
    "density = lambda x: -0.5 * np.einsum('ij,ij->i', x, x)\n"
    "move = emcee.moves.GaussianMove(2.38 ** 2 / d)\n"
    "s = emcee.EnsembleSampler(walkers, d, density, moves=move,"
    " vectorize=True)\n"
    "x = np.random.default_rng(1).normal(size=(walkers, d))\n"
    "x = s.run_mcmc(x, 20, store=False)\n"
    "start = time.process_time()\n"
    "s.run_mcmc(x, n)\n"
    "print('seconds', time.process_time() - start)\n"
    "print('steps', walkers * n)\n",
    python};

const cs_bench_other cs_bench_torch = {
    "PyTorch",
    "import time, torch\n"
    "from torch.nn.functional import softplus\n"
    "torch.set_num_threads(1)\n"
    "torch.manual_seed(1)\n"
    "visible, hidden, chains, n, step = 784, 500, 100, 60, 0.2\n"
    "w = 0.05 ** 0.5 * torch.randn(hidden, visible)\n"
    "b, c = torch.randn(visible), torch.randn(hidden)\n"
    "def look(x):\n"
    "  a = x @ w.T + c\n"
    "  g = b + torch.sigmoid(a) @ w\n"
    "  return x @ b + softplus(a).sum(1), (0.5 - x) * g - 0.5 / step\n"
    "def log_q(flip, logit):\n"
    "  return -softplus(torch.where(flip, -logit, logit)).sum(1)\n"
    "def move(x, logp, logit):\n"
    "  flip = torch.rand_like(x) < torch.sigmoid(logit)\n"
    "  y = torch.where(flip, 1 - x, x)\n"
    "  logp_y, logit_y = look(y)\n"
    "  ratio = logp_y - logp + log_q(flip, logit_y) - log_q(flip, logit)\n"
    "  yes = torch.rand(chains).log() < ratio\n"
    "  return (torch.where(yes[:, None], y, x), torch.where(yes, logp_y, logp),"
    "\n    torch.where(yes[:, None], logit_y, logit))\n"
    "with torch.no_grad():\n"
    "  x = torch.bernoulli(torch.full((chains, visible), 0.5))\n"
    "  s = (x,) + look(x)\n"
    "  for i in range(50): s = move(*s)\n"
    "  start = time.process_time()\n"
    "  for i in range(n): s = move(*s)\n"
    "  print('seconds', time.process_time() - start)\n"
    "print('steps', n)\n",
    python};

/* A script for an epoch of contrastive divergence with k steps of block Gibbs
 * per batch. All updates are in place. The products of the last Gibbs step are
 * also used for the gradient. */
#define CS_BENCH_CD(k)                                                         \
    "import os\n"                                                              \
    "os.environ['OPENBLAS_NUM_THREADS'] = '1'\n"                               \
    "import time, torch\n"                                                     \
    "torch.set_num_threads(1)\n"                                               \
    "torch.manual_seed(1)\n"                                                   \
    "visible, hidden, batch, images, k = 784, 500, 100, 3000, " k "\n"         \
    "e = torch.empty\n"                                                        \
    "w = (torch.rand(visible, hidden) - .5) / 14\n"                            \
    "b, c = torch.full((visible,), -1.4), torch.zeros(hidden)\n"               \
    "x = (torch.rand(images, visible) < .2).float()\n"                         \
    "h, p, v = e(batch, hidden), e(batch, hidden), e(batch, visible)\n"        \
    "u, q = e(batch, hidden), e(batch, visible)\n"                             \
    "g = [e(visible, hidden), e(visible), e(hidden)]\n"                        \
    "root = [e(visible, hidden), e(visible), e(hidden)]\n"                     \
    "mean, square = [torch.zeros_like(y) for y in g], "                        \
    "[torch.zeros_like(y) for y in g]\n"                                       \
    "def up(v, to): torch.addmm(c, v, w, out=to).sigmoid_()\n"                 \
    "def adam(t):\n"                                                           \
    "  one, two = 1 - .9 ** t, 1 - .999 ** t\n"                                \
    "  for y, d, m, s, r in zip((w, b, c), g, mean, square, root):\n"          \
    "    m.lerp_(d, .1)\n"                                                     \
    "    s.mul_(.999).addcmul_(d, d, value=.001)\n"                            \
    "    torch.sqrt(s, out=r).mul_(two ** -.5).add_(1e-8)\n"                   \
    "    y.addcdiv_(m, r, value=.001 / one)\n"                                 \
    "t = 0\n"                                                                  \
    "def epoch():\n"                                                           \
    "  global t\n"                                                             \
    "  for first in range(0, images, batch):\n"                                \
    "    t += 1\n"                                                             \
    "    data = x[first:first + batch]\n"                                      \
    "    up(data, h)\n"                                                        \
    "    p.copy_(h)\n"                                                         \
    "    for i in range(k):\n"                                                 \
    "      u.uniform_().lt_(p)\n"                                              \
    "      torch.addmm(b, u, w.t(), out=q).sigmoid_()\n"                       \
    "      v.uniform_().lt_(q)\n"                                              \
    "      up(v, p)\n"                                                         \
    "    torch.mm(data.t(), h, out=g[0]).addmm_(v.t(), p, alpha=-1)"           \
    ".div_(batch)\n"                                                           \
    "    torch.sub(data.mean(0), v.mean(0), out=g[1])\n"                       \
    "    torch.sub(h.mean(0), p.mean(0), out=g[2])\n"                          \
    "    adam(t)\n"                                                            \
    "with torch.no_grad():\n"                                                  \
    "  epoch()\n"                                                              \
    "  took = []\n"                                                            \
    "  for i in range(5):\n"                                                   \
    "    start = time.process_time()\n"                                        \
    "    epoch()\n"                                                            \
    "    took.append(time.process_time() - start)\n"                           \
    "print('seconds', sorted(took)[2])\n"                                      \
    "print('steps', 1)\n"
const cs_bench_other cs_bench_torch_cd1 = {"PyTorch", CS_BENCH_CD("1"), python};
const cs_bench_other cs_bench_torch_cd10 = {"PyTorch", CS_BENCH_CD("10"),
                                            python};

const cs_bench_other cs_bench_rstan = {
    "rstan",
    "suppressMessages(library(rstan))\n"
    "rstan_options(boost_lib = '/usr/include')\n"
    "set.seed(1)\n"
    "n <- 1000; d <- 10\n"
    "x <- matrix(rnorm(n * d), n, d)\n"
    "b <- rep(c(-1, 1), d / 2) / sqrt(d)\n"
    "y <- rbinom(n, 1, plogis(x %*% b))\n"
    "code <- 'data { int n; matrix[n, 10] x; int y[n]; }\n"
    "  parameters { vector[10] b; }\n"
    "  model { b ~ normal(0, 10); y ~ bernoulli_logit_glm(x, 0, b); }\n"
    "'\n"
    "m <- stan_model(model_code = code)\n"
    "f <- sampling(m, data = list(n = n, x = x, y = y), chains = 1,\n"
    "  iter = 5000, warmup = 1000, refresh = 0, seed = 1)\n"
    "p <- get_sampler_params(f, inc_warmup = FALSE)[[1]]\n"
    "cat('seconds', get_elapsed_time(f)[1, 'sample'], '\\n')\n"
    "cat('gradients', sum(p[, 'n_leapfrog__']), '\\n')\n"
    "cat('ess', min(summary(f, pars = 'b')$summary[, 'n_eff']), '\\n')\n",
    r};

/* Effective draws are estimated from the means of 50 batches. The CPU time is
 * the time of a long run minus the time of a short run. */
const cs_bench_other cs_bench_jags = {
    "JAGS",
    "command -v jags > /dev/null || exit 1\n"
    "d=$(mktemp -d) || exit 1\n"
    "trap 'rm -rf \"$d\"' EXIT\n"
    "cd \"$d\" || exit 1\n"
    "cat > m.bug <<'M'\n"
    "model {\n"
    "  for (i in 1:n) { y[i] ~ dbern(p[i])\n"
    "    logit(p[i]) <- inprod(x[i,], b[]) }\n"
    "  for (j in 1:10) { b[j] ~ dnorm(0, 0.01) }\n"
    "}\n"
    "M\n"
    "awk 'function z() { return sqrt(-2 * log(1 - rand())) *"
    " cos(6.283185307 * rand()) }\n"
    "BEGIN { srand(1); n = 1000; print \"n <-\", n\n"
    "  for (i = 0; i < n; i++) { e = 0\n"
    "    for (j = 0; j < 10; j++) { v = z(); x[j] = x[j] (i ? \",\" : \"\") v\n"
    "      e += (j % 2 ? v : -v) / sqrt(10) }\n"
    "    y = y (i ? \",\" : \"\") (rand() < 1 / (1 + exp(-e))) }\n"
    "  print \"y <- c(\" y \")\"; printf \"x <- structure(c(\"\n"
    "  for (j = 0; j < 10; j++) printf \"%s%s\", (j ? \",\" : \"\"), x[j]\n"
    "  print \"), .Dim = c(1000, 10))\" }' > d.R\n"
    "go() {\n"
    "  printf '%s\\n' 'load glm' 'model in m.bug' 'data in d.R' 'compile'"
    " 'initialize' 'adapt 500' 'monitor b' \"update $1\" 'coda *' > commands\n"
    "  jags commands > /dev/null 2>&1\n"
    "  times > spent\n"
    "  awk -F '[ms ]+' 'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4 }' spent\n"
    "}\n"
    "a=$(go 1); b=$(go 2000)\n"
    "[ \"$(wc -l < CODAchain1.txt)\" -eq 20000 ] || exit 1\n"
    "awk -v a=\"$a\" -v b=\"$b\" '{ k = int((NR - 1) / 2000);"
    " s[k] += $2; q[k] += $2 * $2\n"
    "  m[k, int((NR - 1) % 2000 / 40)] += $2 / 40 }\n"
    "END { least = 2000; for (k = 0; k < 10; k++) { v = 0\n"
    "    for (i = 0; i < 50; i++) v += (m[k, i] - s[k] / 2000) ^ 2 / 49 * 40\n"
    "    ess = 2000 * (q[k] / 2000 - (s[k] / 2000) ^ 2) / v\n"
    "    if (ess < least) least = ess }\n"
    "  print \"seconds\", b - a; print \"ess\", least }' CODAchain1.txt\n",
    shell};

/* ---- output of the peers ------------------------------------------------- */

/* Reads the results from the lines of `text`. Lines without a result are
 * ignored. */
static cs_bench_reported told_of(const char *text)
{
    const double none = (double)NAN;
    cs_bench_reported reported = {none, none, none, none, none};
    const struct {
        const char *word;
        double *to;
    } words[] = {{"seconds", &reported.seconds},
                 {"steps", &reported.steps},
                 {"gradients", &reported.gradients},
                 {"ess", &reported.ess},
                 {"compile", &reported.compile}};
    for (const char *line = text; line && *line;
         line = strchr(line, '\n'), line += line != NULL) {
        char word[16];
        double value;
        if (sscanf(line, "%15s %lf", word, &value) != 2)
            continue;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(word, words[i].word) == 0)
                *words[i].to = value;
    }
    return reported;
}

bool cs_bench_consult(const cs_bench_other *other, cs_bench_reported *reported)
{
    char file[] = "/tmp/chainscope-bench-XXXXXX.txt", text[4096];
    bool good = false;
    if (!cs_bench_file(other->script, file))
        return false;
    for (size_t i = 0; other->interpreter[i] && !good; i++)
        good = cs_bench_listen(other->interpreter[i], file, text, sizeof text);
    unlink(file);
    *reported = told_of(good ? text : "");
    return reported->seconds > 0;
}

void cs_bench_print_beside(const cs_bench_beside *row,
                           const cs_bench_other *other, double ours,
                           const cs_bench_reported *reported,
                           const cs_bench_plan *plan)
{
    char title[160];
    snprintf(title, sizeof title, "%s, beside %s%s", row->title, other->name,
             reported ? "" : ", which is not installed");
    cs_bench_row out = cs_bench_row_of(row->id, title, row->unit);
    double per = (double)NAN;
    if (reported)
        memcpy(&per, (const char *)reported + row->field, sizeof per);
    out.ours = ours / row->scale;
    out.peer = reported ? reported->seconds / per / row->scale : per;
    out.ratio = out.peer / out.ours;
    out.must = reported ? row->must : (double)NAN;
    cs_bench_print(&out, plan);
}
