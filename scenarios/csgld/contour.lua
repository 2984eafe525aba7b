-- Contour SGLD: a chain that is driven away from energies it has visited often.
--
-- The target is the first example of the csgld paper: two wells, at -6 and 4, with a
-- barrier of 12 nats. `sgld` (stochastic gradient Langevin dynamics) starts at -6 and
-- hardly ever leaves. `contour` learns a weight theta for each of 50 energy bins, an
-- estimate of the bin's mass. Where log theta falls steeply with the energy, the gradient
-- is multiplied by a factor below 1, or even below 0. A factor below 0 drives the chain
-- uphill and out of its well: a chain crosses the barrier 1720 times. A draw in bin J has
-- the weight theta(J)^zeta, which corrects for the changed distribution.
--
-- Watch `bins`, and the mean of x.1 in `summary`; the exact mean is 0. The bins cause a
-- bias that a longer run does not remove (see bins.lua).

-- The rate is 0.1 and the gradient noise has variance 0.1^2 = 0.01. `by_energy` weights
-- draws by Psi(U)^zeta, computed from the energy U itself. This is not in the paper, and
-- has no such bias.

local cs = require "chainscope"
local settings = require "paper.settings"

-- In 18 % of the steps the multiplier of the gradient is negative. Half of these steps
-- are in each well. Steps with a negative multiplier are hardly longer than other steps,
-- but go uphill. `forward` computes the multiplier from the weights of a bin and of the
-- bin above (the paper's D.1), not below. Exactly as the paper states it, the sampler
-- diverges at these settings (printed.lua). So here the multiplier is at most 5, and 1 in
-- the last bin, which has no upper border.
local function contour(more)
  local with = { rate = 0.1, gradient_noise = 0.1, first = 2,
                 gain = cs.schedule.gain { scale = 1, power = 0.6, offset = 100 } }
  for k, v in pairs(more) do with[k] = v end
  return cs.kernel.csgld(with)
end

-- Returns a chain's weighted mean over the stored draws.
local function chain_mean(arm, c)
  local rows, top, sum, all = arm:chain(c):draws(), -math.huge, 0, 0
  for _, row in ipairs(rows) do top = math.max(top, row.log_weight) end
  for _, row in ipairs(rows) do
    local w = math.exp(row.log_weight - top)
    sum, all = sum + w * row[1], all + w
  end
  return sum / all
end

local function crossings(arm)
  local out = {}
  for c = 1, #arm.chains do
    local rows, n = arm:chain(c):draws(), 0
    for i = 2, #rows do n = n + (rows[i][1] * rows[i - 1][1] < 0 and 1 or 0) end
    out[c] = n
  end
  return out
end

-- Returns the difference of the weighted means of one chain with two kinds of weights.
local function less_by_energy(arm)
  local out, other = {}, arm.run:arm("by_energy")
  for c = 1, #arm.chains do out[c] = chain_mean(arm, c) - chain_mean(other, c) end
  return out
end

-- Called every 2000 steps, for the latest 128 steps of each chain. Counts the steps
-- uphill (steps with a multiplier below 0) in each well. Sums the lengths of these
-- steps and, separately, the lengths of the other steps.
local seen
local function follow(run)
  seen = {}
  local arm = run:arm("contour")
  run:every(2000, function()
    local bins, x = arm:report("trace/bins"), arm:report("trace/x.1/recent")
    for c, row in ipairs(x and bins or {}) do
      local s = seen[c] or { left = 0, right = 0, n = 0, up = 0, ups = 0, other = 0 }
      seen[c] = s
      for k = 2, #row do
        local from, length = x[c][k - 1], math.abs(x[c][k] - x[c][k - 1])
        local well = from < -3 and "left" or from > 1 and "right"
        if row[k] < 0 then
          s.up, s.ups = s.up + length, s.ups + 1
          if well then s[well] = s[well] + 1 end
        else s.other = s.other + length end
        s.n = s.n + 1
      end
    end
  end)
end

-- Returns a measure: f of the sums over all chains.
local function of_steps(f)
  return function()
    if not seen or #seen == 0 then return 0 / 0 end
    return seen, function(list)
      local sums = {}
      for _, s in ipairs(list) do
        for name, x in next, s do sums[name] = (sums[name] or 0) + x end
      end
      return f(sums)
    end
  end
end
local left = of_steps(function(s) return s.left / s.n end)
local right = of_steps(function(s) return s.right / s.n end)
local longer = of_steps(function(s) return s.up / s.ups / (s.other / (s.n - s.ups)) end)

local both = "which occurs in both local and global optima"

return cs.scenario {
  title  = "Contours",
  shows  = "Weights of energy bins, learned during the run, drive a chain out of its well",
  source = "csgld, section 4.1, figures 1 and 2",

  target = cs.target.mixture {},
  chains = 8, seed = 2, start = { -6 },
  arms   = {
    { name = "sgld", kernel = cs.kernel.sgld { rate = 0.1, gradient_noise = 0.1 } },
    { name = "contour", kernel = contour {} },
    { name = "by_energy", kernel = contour { weighing = "energy" } },
    { name = "forward", kernel = contour { multiplier = "forward" } },
  },
  budget = { steps = 500000 },
  warmup = 50000,
  printed = settings.figure_2,
  setting = "our own first border, since the paper states none; multiplier at most 5, and 1 in the last bin",
  screen = { "lesson", "bins", { "trace", quantity = "x.1" }, "weights", "summary" },

  setup  = follow,

  claims = {
    { arm = "sgld", than = "contour", stat = "crossings", measure = crossings, relation = "fewer",
      quote = "SGLD tends to be trapped in a deep local optimum for an exponentially long time", where = "section 4.1",
      note = "between draws 128 steps apart" },
    { arm = "contour", stat = "crossings", measure = crossings, at_least = 100,
      quote = "possesses a self-adjusting mechanism for escaping from local traps", where = "section 4.1",
      note = "between draws 128 steps apart" },
    { arm = "contour", stat = "steps uphill, left well", measure = left, at_least = 0.05, quote = both, where = "section 4.1" },
    { arm = "contour", stat = "steps uphill, right well", measure = right, at_least = 0.05, quote = both, where = "section 4.1" },
    { arm = "contour", stat = "length of steps uphill over others", measure = longer, at_least = 1,
      quote = "can potentially be induced in the bouncy zone", where = "section 4.1", paper = "larger bouncy jumps",
      note = "by 3 %, because most of a step is noise" },
    { arm = "contour", stat = "mean(x.1) less by_energy's", measure = less_by_energy,
      near = 0, within = 0.1, holds = false,
      quote = "by treating ... as the dynamic importance weight of the sample", where = "section 3.2",
      paper = "theta(J)^zeta: its mean would then be the exact one",
      note = "the bias of the bins: 0.3 at this rate, 0.375 at small ones" },
    { arm = "by_energy", stat = "mean", of = "x.1", near = 0, within = 0.35,
      note = "exact: 0; this weight has no such bias" },
  },
}
