-- Ten thousand labels: proposals that follow a gradient, or a sweep of all labels?
--
-- The observations come from two normal components whose means are unknown, and each has a
-- label. In `gibbs` a step draws all labels, in a sweep, from their probabilities for the
-- present means. In `guided` the kernel path_auxiliary changes 300 labels per
-- proposal; the gradient says which labels are likely to be wrong, and about half of the
-- proposals are accepted. hmc moves the means in both.
--
-- Watch `trace`: the number of labels of component 2 changes slowly in `guided`. For given
-- means the labels are independent, so a sweep of gibbs is a draw of all of them at the
-- price of one evaluation. A proposal for all labels at once would be rejected. Gradients
-- pay where labels depend on each other, as in the scenarios of `acs`.
local cs = require "chainscope"
local beside = require "summed_out.beside"
local M, lpdf = cs.math, cs.lpdf
local n = 10000

-- The same data on any machine: a sum of twelve uniform numbers minus six is nearly normal.
local state = 11
local function uniform()
  state = state * 16807 % 2147483647
  return state / 2147483647
end
local y, labels = {}, {}
for i = 1, n do
  y[i] = uniform() < 0.4 and -1 or 1
  labels[i] = y[i] > 0 and 2 or 1
  for _ = 1, 12 do y[i] = y[i] + uniform() - 0.5 end
end
y = M.vector(y)

local function prior(p) return lpdf.normal(p.mu, 0, 5) end
local summed_out = cs.target {
  name   = "two_components",
  params = { { mu = cs.real(2) } },
  log_density = function(p)
    return prior(p) + M.sum(M.log_sum_exp(math.log(0.4) + lpdf.each.normal(y, p.mu[1], 1),
                                          math.log(0.6) + lpdf.each.normal(y, p.mu[2], 1)))
  end,
}
local ratio = beside.with(summed_out, 80, { mu = { -1, 1 } })
local function means() return cs.kernel.hmc { on = "mu", step = 0.015, leapfrogs = 2 } end

return cs.scenario {
  title  = "Ten thousand labels",
  shows  = "A sweep of Gibbs sampling beats proposals that follow a gradient if labels are independent",
  source = "Diebolt and Robert 1994; Sun, Dai, Xia and Ramamurthy 2022",
  tags   = "gibbs mixture",

  target = cs.target {
    name   = "ten_thousand_labels",
    params = { { mu = cs.real(2) }, { z = cs.label(2, n) } },
    view   = { "mu.1", "mu.2", -1.2, -0.8, 0.8, 1.2 },
    log_density = function(p)
      return prior(p) + lpdf.categorical(p.z, { 0.4, 0.6 }) + lpdf.normal(y, M.gather(p.mu, p.z), 1)
    end,
    generated = function(p) return { second = M.sum(p.z) - n } end,
  },
  chains = 4, seed = 50, start = { mu = { -1, 1 }, z = labels },
  arms   = {
    gibbs  = cs.kernel.cycle { means(), cs.kernel.gibbs { on = "z", scan = "sweep" } },
    guided = cs.kernel.cycle { means(), cs.kernel.path_auxiliary { on = "z", sites = 300, times = 5 } },
  },
  budget = { steps = 100 },
  screen = { "map", { "trace", quantity = "second" }, "acceptance", "summary" },
  claims = {
    { arm = "gibbs", stat = "mean", of = "mu.1", near = -1, within = 0.1 },
    { arm = "gibbs", stat = "mean", of = "second", near = 6000, within = 200 },
    { arm = "guided", stat = "mean", of = "second", near = 6000, within = 200 },
    -- Measured, of 360 draws: 177 and 44.
    { arm = "gibbs", stat = "ess", of = "second", at_least = 50 },
    { arm = "guided", stat = "ess", of = "second", at_most = 100 },
    { arm = "gibbs", stat = "mean of mu.1: ratio to the summed-out model", near = 1, within = 0.05, measure = ratio("mean", "mu.1") },
    { arm = "gibbs", stat = "sd of mu.1: ratio to the summed-out model", near = 1, within = 0.3, measure = ratio("sd", "mu.1") },
  },
}
