-- The csgld paper's formula for a target with nine modes has more than nine modes.
--
-- The paper's formula describes an infinite field of wells in a bowl. The paper's program
-- keeps chains in a square of half-width 2.5 and adds a penalty beyond |x|^2 = 7, which
-- the paper does not mention. With both, nine modes remain, as in nine_modes.lua. This
-- scenario uses the formula without the square and the penalty (box = 0, penalty = 0).
-- The nine modes hold 0.944 of the mass; a ring of sixteen more modes holds 0.056.
--
-- Watch `map`. The share of draws in the ring is right for `replicas` (replica exchange
-- between two temperatures). `sgld` (stochastic gradient Langevin dynamics) changes modes
-- too seldom: the share is too large in chains that reached the ring, and 0 in the
-- others.

-- Each corner mode of the ring holds 0.0002 of the mass, and almost nothing is beyond the
-- ring. Both arms are those of nine_modes.lua, with the same number of gradients.

local cs = require "chainscope"

local noise = math.sqrt(0.1)

-- Returns the share of each chain's draws in the ring.
local function shares(arm)
  local out = {}
  for c = 1, #arm.chains do
    local rows, n = arm:chain(c):draws(), 0
    for _, x in ipairs(rows) do
      if math.max(math.abs(x[1]), math.abs(x[2])) > 2.5 then n = n + 1 end
    end
    if #rows > 0 then out[#out + 1] = n / #rows end -- hot chains have none
  end
  return out
end

local function ring(arm) return shares(arm) end

-- Returns the relative error of a chain's share (root mean square). The exact share is a
-- sum over a grid.
local exact = 0.0563571
local function off(arm)
  return shares(arm), function(list)
    local sum = 0
    for _, share in ipairs(list) do sum = sum + (share - exact) ^ 2 end
    return math.sqrt(sum / #list) / exact
  end
end

return cs.scenario {
  title  = "Nine modes by the formula",
  shows  = "The formula and the program of the paper differ in a twentieth of the mass",
  source = "csgld, section 4.1",

  target = cs.target.nine_modes { box = 0, penalty = 0 },
  chains = 16, seed = 48, start = { 2, 2 },
  arms   = {
    { name = "sgld", kernel = cs.kernel.sgld { rate = 1e-3, gradient_noise = noise } },
    { name = "replicas", kernel = cs.kernel.replica_exchange_sgld {
        rate = 1e-3, rungs = 2, hottest = 3, intensity = 0.1,
        gradient_noise = noise, energy_noise = noise } },
  },
  budget = { gradients = 16 * 200000 },
  warmup = 5000,
  screen = { "lesson", "map", "visits", "trace", "summary" },

  claims = {
    { arm = "replicas", stat = "share of the ring", measure = ring, exact = exact, within = 0.015,
      note = "by a sum over a grid" },
    { arm = "replicas", stat = "error of a chain", measure = off, at_most = 0.6 },
    { arm = "sgld", stat = "error of a chain", measure = off, at_least = 0.7,
      note = "1 means a share of 0, or twice the exact one" },
    { arm = "replicas", stat = "mode_tv", at_most = 0.1,
      note = "the ring is counted in the cells of the outer modes" },
  },
}
