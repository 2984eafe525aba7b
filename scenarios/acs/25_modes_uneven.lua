-- Sampling twenty-five modes of unequal weight, from a start in the heaviest mode.
--
-- One corner mode is heavy, the other 24 are light. Watch `visits` and `map`: `dmala`
-- (discrete Metropolis-adjusted Langevin) with the step of the acs paper stays in the
-- heavy mode, and `wide` (with the step of the paper's program) leaves this mode slowly.
-- The cyclical schedules `acs` (from the paper) and `released` (from the program) soon
-- reach the other modes.
--
-- Table 3 of the paper states a mean log density of -2.66 for DMALA and -3.39 for ACS.
-- Exact samplers must agree in the mean, so one of the two had not converged. The paper
-- states no weights of the modes; with the weights 1 and 0.18 the exact mean is -3.390.
-- So ACS is right, and DMALA stayed too long in the heavy mode.
local cs = require "chainscope"
local settings = require "paper.settings"

-- Table 3 in full: the KL divergence is 0.70 for DMALA and 0.13 for ACS; the mean log
-- density is -2.66 +- 1.68 for DMALA and -3.39 +- 1.63 for ACS. With the weights 1 and
-- 0.18 the exact mean and deviation of the log density are -3.390 +- 1.563. With the
-- weights 1 and 0.4, which the released program suggests, they are -2.83 +- 1.44 (a sum
-- over all states), which agrees with neither sampler in the paper. With the weights 1
-- and 0.18, the divergence of ACS agrees with the paper too. DMALA stays in the heavy
-- mode too long. The length of this stay depends on the step and the start of DMALA.
-- Neither of the two steps here reproduces both the divergence and the mean of the
-- paper. The divergence is over all 202500 states, so noise dominates it: with 1.28
-- million independent draws, the number of the full setting, it would be 0.035. The
-- random walk finds the modes best (`mode_kl`, over the 25 modes), but it moves in only
-- one step of thirteen. Therefore its divergence is 0.3: its draws lack detail, as the
-- paper says.
local side = 450
local weights = {}
for i = 1, 25 do weights[i] = i == 1 and 1 or 0.18 end
local target
local function lattice()
  target = target or cs.target.lattice_modes { weights = weights }
  return target
end

-- Counts the draws of each state in chains first, first + 16, ...
local function count(arm, first)
  local n, total = {}, 0
  for c = first, #arm.chains, 16 do
    for _, row in ipairs(arm:chain(c):draws()) do
      local state = row[1] * side + row[2]
      n[state], total = (n[state] or 0) + 1, total + 1
    end
  end
  return n, total
end

-- Returns the sum of e log(e / p) over the states. Here e is the frequency of a state,
-- from the counts in `n` minus the counts in `without`.
local function divergence(n, total, log_p, without)
  local sum = 0
  for state, k in next, n do
    k = k - (without and without[state] or 0)
    if k > 0 then sum = sum + k * (math.log(k / total) - log_p[state]) end
  end
  return sum / total
end

-- Returns the divergence over all states, its jackknife error over 16 groups of chains,
-- and the degrees of freedom of the error.
local function kl_states(arm)
  local all, total, log_p, part, parts = {}, 0, {}, {}, math.min(#arm.chains, 16)
  for g = 1, parts do
    local n, draws = count(arm, g)
    part[g], total = { n = n, draws = draws }, total + draws
    for state, k in next, n do all[state] = (all[state] or 0) + k end
  end
  for state in next, all do
    log_p[state] = target:log_density { state // side, state % side } - target.log_z
  end
  local kl, mean, squares = divergence(all, total, log_p), 0, 0
  for g, p in ipairs(part) do
    p.kl = divergence(all, total - p.draws, log_p, p.n)
    mean = mean + p.kl / parts
  end
  for _, p in ipairs(part) do squares = squares + (p.kl - mean) ^ 2 end
  return kl, math.sqrt((parts - 1) / parts * squares), parts - 1
end

local function released(k)
  return math.max((450 * 0.007 * (math.cos(math.pi * ((k - 1) % 20) / 20) + 1))^4, 3.32)
end

return cs.scenario {
  title  = "25 modes, uneven",
  shows  = "Every mode is found with its right weight; the most likely states are not the best draws",
  source = "acs, appendix D.1, figure 5 and table 3",
  tags   = "multimodal discrete cyclical",

  target = lattice,
  chains = 8, seed = 21, start = { 75, 75 }, keep = 10000,
  arms   = {
    walk     = cs.kernel.random_walk { radius = 100 },
    dmala    = cs.kernel.dmala { step = 53 },
    wide     = cs.kernel.dmala { step = 600 },
    released = cs.kernel.dmala { step = released },
    acs      = cs.kernel.dmala {
      step = cs.schedule.cosine { max = 1575, min = 3, period = 20 },
    },
  },
  budget = { steps = 10000 },
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.uneven,
  setting = "our own weights and starts, which the paper does not give",
  full   = { chains = 128, setting = "our own weights and starts, which the paper does not give" },
  screen = { "map", "visits", "trace", "energy", "acceptance" },

  claims = {
    { arm = "released", stat = "KL over all states", measure = kl_states, only = "full",
      near = 0.13, within = 0.03, quote = "KL Divergence ... 0.70 ... 0.13", where = "table 3" },
    { arm = "acs", stat = "KL over all states", measure = kl_states, only = "full",
      near = 0.13, within = 0.03, holds = false, quote = "KL Divergence ... 0.70 ... 0.13", where = "table 3",
      note = "0.22: the paper's schedule accepts a third as often, so the noise is larger" },
    { arm = "wide", stat = "KL over all states", measure = kl_states, only = "full",
      near = 0.70, within = 0.3, holds = false, quote = "KL Divergence ... 0.70 ... 0.13", where = "table 3", note = "the divergence is 1.4 from this start" },
    { arm = "dmala", stat = "KL over all states", measure = kl_states, only = "full",
      near = 0.70, within = 0.3, holds = false, quote = "KL Divergence ... 0.70 ... 0.13", where = "table 3", note = "the divergence is 1.4 from this start" },
    { arm = "walk", stat = "KL over all states", measure = kl_states, only = "full",
      at_least = 0.2, quote = "its characterization is noisy and lacks details", where = "figure 1" },
    { arm = "released", stat = "log_density_sd", near = 1.63, within = 0.15, only = "full",
      quote = "3.39±1.63", where = "table 3", note = "the exact deviation is 1.563" },
    { arm = "wide", stat = "log_density", near = -2.66, within = 0.3, only = "full",
      quote = "2.66±1.68", where = "table 3", note = "too high, because the chains stay too long in the heavy mode" },
    { arm = "dmala", stat = "log_density", near = -2.66, within = 0.3, holds = false,
      quote = "2.66±1.68", where = "table 3", note = "too high, because the chains stay too long in the heavy mode" },
    { arm = "acs", stat = "modes_together", at_least = 25, quote = "a cyclical step-size enables accurate sampling from uneven multi-modal distributions", where = "appendix D.1" },
    -- Not a claim of the paper: the weights 1 and 0.18 were chosen to reproduce the
    -- paper's mean, so agreement only shows that the chains have converged.
    { arm = "released", stat = "log_density", near = -3.39, within = 0.3, only = "full",
      note = "the exact mean is -3.390, a sum over all states" },
    { arm = "dmala", stat = "mode_share", of = 1, at_least = 0.6,
      note = "the exact share is 0.188" },
    { arm = "released", stat = "mode_share", of = 1, at_most = 0.45 },
    { arm = "dmala", stat = "mode_kl", at_least = 0.7, note = "the KL divergence over the 25 modes" },
    { arm = "released", stat = "mode_kl", at_most = 0.3, note = "the KL divergence over the 25 modes" },
    { arm = "walk", stat = "mode_kl", at_most = 0.04,
      note = "a correct random walk with the same width" },
  },
}
