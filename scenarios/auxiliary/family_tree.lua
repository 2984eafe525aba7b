-- All kernels of the auxiliary paper as cases of its algorithm 1.
--
-- Algorithm 1 draws a variable omega_1 at the state x, proposes y with it, and draws
-- omega_2 from x and y. In the acceptance ratio every factor that cannot be computed
-- cancels. poisson_mh, tuna_mh and exchange have only omega_2: counts of rows, or a data
-- set simulated at y. In poisson_mala and poisson_barker the same counts also give the
-- gradient (omega_1 = omega_2). tuna_sgld draws rows for a gradient, then counts.
--
-- Watch `distance`: on 10,000 rows all arms converge to the same distribution. The
-- auxiliary variables lower the acceptance: it is 0.50 for the random walk, 0.495 for
-- PoissonMH (with 203 rows) and 0.40 for TunaMH (30 rows). It is 0.79 for MALA, 0.775 for
-- Poisson-MALA and 0.44 for Tuna-SGLD.

-- The numbers of rows are per step. `chainscope describe poisson_mala` describes the
-- parts of a kernel.

local cs = require "chainscope"
local K = cs.kernel

-- In poisson_mh the counts are drawn at x, in tuna_mh from x and y. random_walk and mala
-- evaluate all rows, so they are the ideal chains. The proposals of Tuna-SGLD use the
-- gradient of twenty rows instead of all rows. peskun.lua computes how much the auxiliary
-- variables lower the spectral gap. exchange is in doubly_intractable.lua. A kernel of
-- your own, four Lua functions, is in your_own_auxiliary.lua.
return cs.scenario {
  title  = "One algorithm, many kernels",
  shows  = "Kernels differ in which auxiliary variables they draw, and when",
  source = "auxiliary, section 3.1, algorithms 1 to 6",

  target = cs.target.truncated_gaussian { rows = 10000, dim = 2, beta = 0.001, box = 3 },
  chains = 8, seed = 17, start = { 0, 0 },
  arms   = {
    { name = "random_walk", kernel = K.random_walk { step = 0.3 } },
    { name = "poisson_mh", kernel = K.poisson_mh { step = 0.3, lambda = 1e-9 } },
    { name = "tuna_mh", kernel = K.tuna_mh { step = 0.3, chi = 0.001 } },
    { name = "mala", kernel = K.mala { step = 0.3 } },
    { name = "poisson_mala", kernel = K.poisson_mala { step = 0.3, lambda = 1e-9 } },
    { name = "poisson_barker", kernel = K.poisson_barker { step = 0.3, lambda = 1e-9 } },
    { name = "tuna_sgld", kernel = K.tuna_sgld { step = 0.3, chi = 0.001, batch = 20 } },
  },
  budget = { steps = 3000 },
  warmup = 100,
  screen = { "lesson", { "rows", arm = "poisson_mala" }, "distance", "acceptance", "summary" },
  claims = {
    { arm = "poisson_mh", stat = "acceptance", less_than = "random_walk", near = -0.007, within = 0.03 },
    { arm = "tuna_mh", stat = "acceptance", less_than = "random_walk", at_most = -0.05 },
    { arm = "poisson_mala", stat = "acceptance", less_than = "mala", near = -0.015, within = 0.03 },
    { arm = "tuna_sgld", stat = "acceptance", less_than = "mala", at_most = -0.2 },
    { arm = "poisson_mh", stat = "rows_drawn", near = 202.6, within = 3 },
    { arm = "tuna_mh", stat = "rows_drawn", at_most = 40 },
    { arm = "poisson_mh", stat = "ks", at_most = 0.06, note = "all arms are exact" },
    { arm = "tuna_mh", stat = "ks", at_most = 0.08 },
    { arm = "poisson_mala", stat = "ks", at_most = 0.05 },
    { arm = "poisson_barker", stat = "ks", at_most = 0.05 },
    { arm = "tuna_sgld", stat = "ks", at_most = 0.08 },
  },
}
