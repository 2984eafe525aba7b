-- Labels: which component of a mixture made each observation?
--
-- Eight observations come from two normal components with means mu.1 and mu.2. The label
-- z[i] is the component of observation i; cs.math.gather(p.mu, p.z) lists their means.
-- `auto` is chosen from the model, a cycle: nuts moves the means for the present labels,
-- then gibbs draws each label for the present means. `guided` draws labels by the kernel
-- locally_balanced, which prefers to change a label that is likely to be wrong.
--
-- Watch `summary`: the mean of z.1 minus 1 is the probability of component 2, and so on.
-- The observations near 0.5, z.3 and z.4, change often. z.1 and z.8 change only if the
-- components change places, which is rare: their ESS is the smallest.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf
local y = { -2.1, -1.4, -0.3, 0.2, 0.9, 1.7, 2.2, 3.0 }

return cs.scenario {
  title  = "A mixture with labels",
  shows  = "Labels as parameters: each draw assigns every observation to a component",
  source = "Diebolt and Robert 1994",
  tags   = "teaching gibbs mixture",

  target = cs.target {
    name   = "labels",
    params = { { mu = cs.real(2) }, { z = cs.label(2, #y) } },
    view   = { "mu.1", "mu.2", -4, 4, -3, 4 },
    log_density = function(p)
      return lpdf.categorical(p.z, { 0.35, 0.65 }) + lpdf.normal(p.mu, { -1, 1.5 }, 1.5) +
             lpdf.normal(y, M.gather(p.mu, p.z), 1)
    end,
    generated = function(p) return { seconds = M.sum(p.z) - #y } end,
  },
  chains = 4, seed = 43,
  arms   = {
    auto   = cs.kernel.auto {},
    guided = cs.kernel.auto { z = cs.kernel.locally_balanced {} },
  },
  budget = { steps = 60000 },
  screen = { "map", { "trace", quantity = "seconds" }, "acceptance", "summary" },

  -- Exact values: sums over all labels, with the means integrated in closed form.
  claims = {
    { arm = "auto", stat = "mean", of = "mu.1", near = -0.9891, within = 0.05 },
    { arm = "auto", stat = "sd", of = "mu.1", near = 0.9007, within = 0.1 },
    { arm = "auto", stat = "mean", of = "mu.2", near = 1.4822, within = 0.04 },
    { arm = "auto", stat = "sd", of = "mu.2", near = 0.7001, within = 0.07 },
    { arm = "auto", stat = "mean", of = "z.1", near = 1.0690, within = 0.02 },
    { arm = "auto", stat = "mean", of = "z.3", near = 1.3942, within = 0.02 },
    { arm = "auto", stat = "mean", of = "z.8", near = 1.9460, within = 0.02 },
    { arm = "auto", stat = "mean", of = "seconds", near = 4.8547, within = 0.05 },
    { arm = "guided", stat = "mean", of = "z.4", near = 1.6185, within = 0.02 },
    { arm = "guided", stat = "mean", of = "seconds", near = 4.8547, within = 0.05 },
    { arm = "auto", stat = "rhat", at_most = 1.02 },
    -- Measured, of 236,000 draws: 2800 for z.8 and 28,000 for z.4.
    { arm = "auto", stat = "ess", of = "z.8", at_most = 8000 },
    { arm = "auto", stat = "ess", of = "z.4", at_least = 15000 },
  },
}
