-- Occupancy: at how many places do salamanders live, if a visit can miss them?
--
-- Each of 39 sites was visited five times. Salamanders were seen at 18 sites; for each of
-- the other 21, a bit z[i] says whether it is occupied, with probability psi. A visit to an
-- occupied site detects them with probability `detect`. `auto` sums the bits out of the
-- density of both probabilities, moves these by nuts and `independence`, and draws the bits.
-- In `slices` slice sampling moves one probability at a time, and gibbs draws the bits.
--
-- Watch `map`: few detections can mean many occupied sites and a low `detect`, or the
-- reverse. In `slices` the bits follow this ridge slowly. The claims also run nuts,
-- with the bits summed out in the script. The means agree; nuts has 0.6 times the
-- effective draws of psi per evaluation of `auto`.
local cs = require "chainscope"
local beside = require "summed_out.beside"
local M, lpdf = cs.math, cs.lpdf

-- The number of detections at each site with at least one detection.
local detections = { 4, 3, 3, 3, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }
local visits, seen, unseen, total = 5, #detections, 21, 0
for _, k in ipairs(detections) do total = total + k end

-- Returns log p(the data of the sites with detections, and that they are occupied).
local function log_seen(p)
  return lpdf.binomial(detections, visits, p.detect) + seen * M.log(p.psi)
end

local psi, detect = { psi = cs.interval(0, 1) }, { detect = cs.interval(0, 1) }
local summed_out = cs.target {
  name   = "occupancy_summed_out",
  params = { psi, detect },
  log_density = function(p)
    local missed = p.psi * (1 - p.detect) ^ visits
    return log_seen(p) + unseen * M.log(missed + 1 - p.psi)
  end,
  generated = function(p)
    local missed = p.psi * (1 - p.detect) ^ visits
    return { occupied = seen + unseen * missed / (missed + 1 - p.psi) }
  end,
}
local ratio = beside.with(summed_out, 10000, { psi = 0.6, detect = 0.3 })

-- Returns the exact means of psi, `detect` and the number of occupied sites: sums over the number m
-- of occupied sites without detections. For given m, psi and `detect` have beta distributions.
local function exact()
  local sum, of_psi, of_detect, occupied = 0, 0, 0, 0
  for m = 0, unseen do
    local a, b = seen + m + 1, unseen - m + 1
    local c, e = total + 1, visits * (seen + m) - total + 1
    local choose = M.lgamma(unseen + 1) - M.lgamma(m + 1) - M.lgamma(unseen - m + 1)
    local weight = M.exp(choose + M.log_beta(a, b) + M.log_beta(c, e) + 100)
    sum, occupied = sum + weight, occupied + weight * (seen + m)
    of_psi, of_detect = of_psi + weight * a / (a + b), of_detect + weight * c / (c + e)
  end
  return of_psi / sum, of_detect / sum, occupied / sum
end
local mean_psi, mean_detect, mean_occupied = exact()

return cs.scenario {
  title  = "Occupancy",
  shows  = "A bit for each site where a species may have been missed, sampled and summed out",
  source = "MacKenzie, Nichols, Lachman, Droege, Royle and Langtimm 2002; MacKenzie et al. 2006",
  tags   = "gibbs exact",

  target = cs.target {
    name   = "occupancy",
    params = { psi, detect, { z = cs.bit(unseen) } },
    view   = { 0, 1, 0, 1 },
    log_density = function(p)
      return log_seen(p) + lpdf.bernoulli(p.z, p.psi) + M.sum(p.z * (visits * M.log(1 - p.detect)))
    end,
    generated = function(p) return { occupied = seen + M.sum(p.z) } end,
  },
  chains = 4, seed = 49,
  arms   = {
    auto   = cs.kernel.auto {},
    slices = cs.kernel.cycle { cs.kernel.slice { on = "psi" }, cs.kernel.slice { on = "detect" },
                               cs.kernel.gibbs { on = "z", scan = "sweep" } },
  },
  budget = { steps = 20000 },
  screen = { "map", { "trace", quantity = "occupied" }, "acceptance", "summary" },

  claims = {
    { arm = "auto", stat = "mean", of = "psi", exact = mean_psi, within = 0.006 },
    { arm = "auto", stat = "mean", of = "detect", exact = mean_detect, within = 0.002 },
    { arm = "auto", stat = "mean", of = "occupied", exact = mean_occupied, within = 0.2 },
    { arm = "slices", stat = "mean", of = "psi", exact = mean_psi, within = 0.02 },
    { arm = "slices", stat = "mean", of = "occupied", exact = mean_occupied, within = 0.7 },
    { arm = "auto", stat = "rhat", at_most = 1.02 },
    -- The model with the bits summed out, divided by this arm.
    { arm = "auto", stat = "mean of occupied: ratio to the summed-out model", near = 1, within = 0.006,
      measure = ratio("mean", "occupied") },
    -- Measured with seven seeds: 0.56 to 0.69 and 0.65 to 0.94. The warm-up counts as work but
    -- gives no draws, so shorter runs of this arm have larger ratios.
    { arm = "auto", stat = "ess_per_work of psi: ratio", near = 0.62, within = 0.15, measure = ratio("ess_per_work", "psi") },
    { arm = "auto", stat = "ess_per_work of detect: ratio", near = 0.8, within = 0.3, measure = ratio("ess_per_work", "detect") },
  },
}
