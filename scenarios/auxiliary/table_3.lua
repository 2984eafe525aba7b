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
local settings = require "paper.settings"
local tall = require "tall.experiments"
local printed = require "tall.printed"

local arms = tall.arms("gaussian", {
  { "mh", 40 }, { "mala", 40 }, { "barker", 40 },
  { "poisson_mh", 40 }, { "poisson_barker", 40 }, { "poisson_mala", 40 } }, { lambda = 0.0005 })
arms[#arms + 1] = { name = "sgld", kernel = cs.kernel.sgld {
  rate = 0.04, batch = 512, order = "without_replacement", low = -3, high = 3 } }

local claims = {}
local function add(row)
  row.where = row.quote and (row.where or "table 3")
  claims[#claims + 1] = row
end
local most = "have maximum KS statistics no larger than 0.05 in this experiment"
local bias = "SGLD reaches a maximum KS statistic of 0.18"
add { arm = "poisson_mala", stat = "ks_max", at_most = 0.05, only = "full", holds = "cannot tell",
      quote = most, where = "section 5.4", note = "0.041 +- 0.009" }
add { arm = "poisson_barker", stat = "ks_max", at_most = 0.05, only = "full", quote = most, where = "section 5.4" }
add { arm = "poisson_mh", stat = "ks_max", near = 0.06, within = 0.02, only = "full", holds = "cannot tell",
      quote = printed.quote(3, "poisson_mh", nil, 2), note = "0.08 +- 0.03" }
add { arm = "sgld", stat = "ks_max", near = 0.18, within = 0.03, only = "full", holds = false,
      quote = bias, where = "section 5.4", note = "by its rate: 0.066 +- 0.002" }
add { arm = "sgld", stat = "ks_median", near = 0.12, within = 0.03, only = "full", holds = false,
      quote = "SGLD same (0.06, 0.12, 0.18)", note = "0.009 +- 0.001" }
add { arm = "sgld", than = "poisson_mala", stat = "ks_max", relation = "above", only = "full",
      quote = "consistent with the known fixed-step-size bias of SGLD", where = "section 5.4" }
add { arm = "sgld", stat = "ks_max", near = 0.066, within = 0.02 }
for _, pair in ipairs { { "poisson_mala", "mala" }, { "poisson_barker", "barker" }, { "poisson_mh", "mh", "quick" } } do
  add { arm = pair[1], than = pair[2], stat = "ks_median", relation = "better", only = pair[3],
        quote = printed.quote(3, pair[1], pair[2], 2) }
end

return cs.scenario {
  title  = "Is it right?",
  shows  = "Exact kernels are far while they have few draws, SGLD a little for ever",
  source = "auxiliary, section 5.4, table 3",

  target = tall.gaussian "eigenvalue",
  chains = 8, seed = 17, start = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  arms   = arms,
  budget = { data_terms = 2e6, each = "chain" },
  warmup = 0,
  printed = settings.gaussian_with_sgld,
  setting = "2 million rows a chain: neither the paper's budget nor SGLD's rate is printed; from exact laws, not draws; no burn-in",
  full   = { budget = { data_terms = 4e7, each = "chain" }, setting = "40 million rows a chain: neither the paper's budget nor SGLD's rate is printed; from exact laws, not draws; no burn-in" },
  probes = { "distance", means = { coordinates = 20 } },
  screen = { "lesson", { "distance", of = "mse" }, { "trace", of = "x.20" }, "acceptance", "summary" },

  claims = claims,
}
