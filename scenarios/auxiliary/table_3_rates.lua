-- Are the draws right at acceptances of 0.25 and 0.55 as well as at 0.4?
--
-- In table_3.lua kernels accept 0.4 of their proposals. Here the same kernels have
-- steps at which they accept 0.25 or 0.55. The target is a truncated Gaussian. The
-- claims are about the Kolmogorov-Smirnov distances of the draws from the exact
-- distribution of a coordinate, for equal numbers of rows. The auxiliary paper gives
-- the least, the median and the largest distance of the twenty coordinates at all
-- three acceptances. The paper does not state how long its chains are.
local cs = require "chainscope"
local settings = require "paper.settings"
local tall = require "tall.experiments"
local printed = require "tall.printed"

local names = { "mh", "mala", "barker", "poisson_mh", "poisson_barker", "poisson_mala" }
local arms = {}
for _, name in ipairs(names) do
  for _, rate in ipairs { 25, 55 } do
    arms[#arms + 1] = { name = name .. "_" .. rate, kernel = tall.kernel("gaussian", name, rate, { lambda = 0.0005 }) }
  end
end

local claims = {}
local most = "have maximum KS statistics no larger than 0.05 in this experiment"
for i, rate in pairs { [1] = 25, [3] = 55 } do
  for _, name in ipairs { "poisson_barker", "poisson_mala" } do
    claims[#claims + 1] = { arm = name .. "_" .. rate, stat = "ks_max", at_most = 0.05, only = "full", holds = "cannot tell",
                            quote = most, where = "section 5.4",
                            paper = ("table 3: %g"):format(printed.number(3, name, "max", i)) }
  end
  for _, pair in ipairs { { "poisson_mala", "mala" }, { "poisson_barker", "barker" }, { "poisson_mh", "mh" } } do
    claims[#claims + 1] = { arm = pair[1] .. "_" .. rate, than = pair[2] .. "_" .. rate, stat = "ks_median", relation = "better",
                            quote = printed.quote(3, pair[1], pair[2], i), where = "table 3" }
  end
end

return cs.scenario {
  title  = "Are the draws right, at other acceptances?",
  shows  = "Draws of minibatch kernels are nearer to the exact distribution, since they are more numerous",
  source = "auxiliary, section 5.4, table 3",

  target = tall.gaussian "eigenvalue",
  chains = 8, seed = 17, start = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
  arms   = arms,
  budget = { data_terms = 1e6, each = "chain" },
  warmup = 0,
  printed = settings.gaussian_rates,
  setting = "1 million rows per chain: the paper does not state its budget; distances from exact distributions, not from draws; no burn-in",
  full   = { budget = { data_terms = 4e7, each = "chain" },
             setting = "40 million rows per chain: the paper does not state its budget; distances from exact distributions, not from draws; no burn-in" },
  probes = { "distance", means = { coordinates = 20 } },
  screen = { "lesson", { "distance", quantity = "mse" }, { "trace", quantity = "x.20" }, "acceptance", "summary" },

  claims = claims,
}
