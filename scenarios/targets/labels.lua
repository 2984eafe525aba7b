-- Labels: which component of a mixture made each observation?
--
-- Eight observations come from two normal components with means mu.1 and mu.2. The label
-- z[i] is the component of observation i; cs.math.gather(p.mu, p.z) lists their means.
-- `auto` sums the labels out of the density of the means, moves these, and draws each label.
-- In `means_first` hmc moves the means for the present labels, then gibbs draws the labels.
-- In `guided` labels are drawn by locally_balanced, which prefers to change a label that is
-- likely to be wrong, and a random walk moves the means.
--
-- Watch `summary`: the mean of z.1 minus 1 is the probability of component 2, and so on.
-- The observations near 0.5, z.3 and z.4, change often. z.1 and z.8 change only if the
-- components change places, which is rare: their ESS is the smallest.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf
local y = { -2.1, -1.4, -0.3, 0.2, 0.9, 1.7, 2.2, 3.0 }

-- Exact values: sums over all labels, with the means integrated in closed form. Each row has a
-- quantity, its exact mean and the tolerance.
local claims = {
  { arm = "auto", stat = "rhat", at_most = 1.02 },
  -- Measured, of 176,000 draws: for z.8, 16,600 and 3200; for z.4, 143,000 and 108,000.
  { arm = "auto", stat = "ess", of = "z.8", at_least = 8000 },
  { arm = "means_first", stat = "ess", of = "z.8", at_most = 8000 },
  { arm = "auto", stat = "ess", of = "z.4", at_least = 80000 },
}
local exact = {
  { "mu.1", -0.9891141, 0.08 }, { "mu.2", 1.4821843, 0.06 }, { "z.1", 1.0690100, 0.03 }, { "z.2", 1.1059511, 0.03 },
  { "z.3", 1.3941836, 0.03 }, { "z.4", 1.6184831, 0.03 }, { "z.5", 1.8474046, 0.03 }, { "z.6", 1.9314172, 0.03 },
  { "z.7", 1.9422904, 0.03 }, { "z.8", 1.9459928, 0.03 }, { "ends_alike", 0.0227538, 0.003 }, { "seconds", 4.8547327, 0.03 },
}
for _, arm in ipairs { "auto", "means_first", "guided" } do
  for _, of in ipairs(exact) do
    claims[#claims + 1] = { arm = arm, stat = "mean", of = of[1], exact = of[2], within = of[3] }
  end
  for _, of in ipairs { { "mu.1", 0.9007355, 0.1 }, { "mu.2", 0.7001245, 0.07 }, { "seconds", 1.0007916, 0.02 } } do
    claims[#claims + 1] = { arm = arm, stat = "sd", of = of[1], exact = of[2], within = of[3] }
  end
end

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
    generated = function(p) return { seconds = M.sum(p.z) - #y, ends_alike = M.eq(p.z[1], p.z[#y]) } end,
  },
  chains = 16, seed = 43,
  arms   = {
    auto        = cs.kernel.auto {},
    means_first = cs.kernel.cycle { cs.kernel.hmc { on = "mu", step = 0.5, leapfrogs = 3 },
                                    cs.kernel.gibbs { on = "z", scan = "sweep" } },
    guided      = cs.kernel.cycle { cs.kernel.locally_balanced { on = "z", times = #y },
                                    cs.kernel.random_walk { on = "mu", step = 0.8, times = 2 } },
  },
  budget = { steps = 12000 },
  screen = { "map", { "trace", quantity = "seconds" }, "acceptance", "summary" },

  claims = claims,
}
