-- Contours: a chain that turns back from what it has seen too often.
--
-- Two wells, at -6 and 4, and a barrier of 12 between them. The paper's first
-- example: rate 0.1, gradient noise of variance 0.01, 50 bins of energy.
--
-- `sgld` starts at -6 and hardly ever leaves.
--
-- `contour` learns, bin by bin, how much of the mass has an energy like that.
-- Where the log of these weights falls steeply it multiplies the gradient by
-- less than 1, or by less than 0: it is driven up, out of its well. That is so of
-- 18 in a hundred of its steps, half of them in either well; they are hardly longer
-- than others, but they go the other way. A chain crosses 1720 times. It visits
-- high energies far too often, and its draws have weights, theta(J)^zeta of their
-- bin, that make up for it.
--
-- Not quite: where the bins begin and end leaves a bias that no longer run
-- removes. The exact mean is 0. `by_energy` is the same sampler but for the
-- weight: Psi(U)^zeta, of the energy itself and not of its bin, which the paper
-- does not have. It has no such bias.
--
-- `forward` takes the difference to the bin above (the paper's D.1), not below.
--
-- As the paper prints it, the sampler diverges at these settings (printed.lua).
-- Here the multiplier is at most 5, and 1 in the last bin, which has no upper
-- border.
local cs = require "chainscope"
local settings = require "paper.settings"

local function contour(more)
  local with = { rate = 0.1, gradient_noise = 0.1, first = 2,
                 gain = cs.schedule.gain { scale = 1, power = 0.6, offset = 100 } }
  for k, v in pairs(more) do with[k] = v end
  return cs.kernel.csgld(with)
end

-- Of the draws that are kept: each chain's weighted mean, and how often the next
-- one is in the other well.
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

-- Both are the same chain; only the weights differ.
local function less_by_energy(arm)
  local out, other = {}, arm.run:arm("by_energy")
  for c = 1, #arm.chains do out[c] = chain_mean(arm, c) - chain_mean(other, c) end
  return out
end

-- Of each chain, the newest 128 steps every 2000: how many went uphill (that is, by
-- a multiplier below 0) in each well, and how long these were, and the others.
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

-- The measure f(sums of all chains).
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
  shows  = "Weights of energies, learned on the way, drive a chain out of its well",
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
  setting = "the first border is ours, for the paper prints none; multiplier at most 5, and 1 in the last bin",
  screen = { "lesson", "bins", { "trace", of = "x.1" }, "weights", "summary" },

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
      note = "by 3 in a hundred: most of a step is noise" },
    { arm = "contour", stat = "mean(x.1) less by_energy's", measure = less_by_energy,
      near = 0, within = 0.1, holds = false,
      quote = "by treating ... as the dynamic importance weight of the sample", where = "section 3.2",
      paper = "theta(J)^zeta: its mean would then be the exact one",
      note = "the bias of the bins: 0.3 at this rate, 0.375 at small ones" },
    { arm = "by_energy", stat = "mean", of = "x.1", near = 0, within = 0.35,
      note = "the weight that is free of it; exactly 0" },
  },
}
