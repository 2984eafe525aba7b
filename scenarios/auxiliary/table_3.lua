-- Is it right? Distances of Kolmogorov and Smirnov.
--
-- What figure_3.lua samples, each kernel with its step for an acceptance of 0.4: how far
-- are an arm's draws from the exact law of a coordinate, at equal numbers of rows? The
-- paper has the least, the median and the largest of the twenty coordinates, from reference draws;
-- its budget is not printed, nor is the rate of SGLD, which decides what it says of it.
--
-- In the full setting, 40 million rows a chain, Poisson-MALA's largest is 0.041 +- 0.009 and
-- Poisson-Barker's 0.028 +- 0.008 (0.04 and 0.05 in the paper), and both are nearer than
-- the full-batch kernels that they are made of. Such a distance is of two things, of
-- draws that are few and of a law that is wrong; only the first goes away.
--
-- `sgld` with a rate of 0.04 shows the second: its largest distance is 0.066 however long it
-- runs, that of x.20, whose variance of 0.05 the rate makes too large. Its median is 0.009:
-- the other coordinates are wide. The paper's median of 0.12 is another rate's.
local cs = require "chainscope"
local tall = require "tall.experiments"

local arms = tall.arms("gaussian", {
  { "mh", 40 }, { "mala", 40 }, { "barker", 40 },
  { "poisson_mh", 40 }, { "poisson_barker", 40 }, { "poisson_mala", 40 } }, { lambda = 0.0005 })
arms[#arms + 1] = { name = "sgld", kernel = cs.kernel.sgld {
  rate = 0.04, batch = 512, order = "without_replacement", low = -3, high = 3 } }

-- What the paper printed of an arm: the least, the median, the largest of twenty coordinates.
local printed = {
  mh = { 0.03, 0.07, 0.18 }, mala = { 0.03, 0.06, 0.13 }, barker = { 0.02, 0.04, 0.10 },
  poisson_mh = { 0.01, 0.02, 0.06 }, poisson_barker = { 0.01, 0.02, 0.05 }, poisson_mala = { 0.01, 0.02, 0.04 },
  sgld = { 0.06, 0.12, 0.18 },
}
local claims = {}
local function of(arm, stat, place, row)
  row.arm, row.stat = arm, stat
  if place then row.paper = ("%.2f"):format(printed[arm][place]) .. (row.less and (" beside %.2f"):format(printed[row.less][place]) or "") end
  claims[#claims + 1] = row
end
of("poisson_mala", "ks_max", 3, { at_most = 0.05, only = "full", holds = "cannot tell", note = "0.041 +- 0.009" })
of("poisson_barker", "ks_max", 3, { at_most = 0.05, only = "full" })
of("poisson_mh", "ks_max", 3, { at_most = 0.07, only = "full", holds = "cannot tell", note = "0.08 +- 0.03" })
of("sgld", "ks_max", 3, { at_least = 0.1, only = "full", holds = false, note = "by its rate: 0.066 +- 0.002" })
of("sgld", "ks_median", 2, { at_least = 0.1, only = "full", holds = false, note = "0.009 +- 0.001" })
of("sgld", "ks_max", 3, { less = "poisson_mala", at_least = 0, only = "full" })
of("sgld", "ks_max", nil, { near = 0.066, within = 0.02 })
of("poisson_mala", "ks_median", 2, { less = "mala", at_most = 0 })
of("poisson_barker", "ks_median", 2, { less = "barker", at_most = 0 })
of("poisson_mh", "ks_median", 2, { less = "mh", at_most = 0, only = "quick" })

return cs.scenario {
  title  = "Is it right?",
  shows  = "Exact kernels are far while they have few draws, SGLD a little for ever",
  source = "auxiliary, section 5.4, table 3",

  target = tall.gaussian "eigenvalue",
  chains = 8, seed = 17, start = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  arms   = arms,
  budget = { data_terms = 2e6, each = "chain" },
  warmup = 0,
  setting = "2 million rows a chain: neither the paper's budget nor SGLD's rate is printed; from exact laws, not draws; no burn-in",
  full   = { budget = { data_terms = 4e7, each = "chain" },
             setting = "40 million rows a chain: neither the paper's budget nor SGLD's rate is printed; from exact laws, not draws; no burn-in" },
  probes = { "distance", means = { coordinates = 20 } },
  screen = { "lesson", { "distance", of = "mse" }, { "trace", of = "x.20" }, "acceptance", "summary" },

  claims = claims,
}
