-- Binary neural networks on News (shares): see binary_networks.lua.
--
-- UCI's Online News Popularity: how often an article is shared (the logarithm,
-- brought to 0 to 1), from 58 numbers; 6001 weights. The files are
-- bnn/news-train.csv.gz and bnn/news-test.csv.gz in the folder CHAINSCOPE_DATA, with
-- 39,000 of the 39,644 articles, hence another split than the paper's; without
-- them the table is one at random of that width, and no row of the paper is
-- run. Of the rows each tenth counts: see binary_networks_adult.lua.
--
-- What is to be predicted hardly varies, so that all six are near each other. The
-- four Langevin samplers come out as printed (DULA's -20.97 +- 0.04 for -21.01);
-- what Gibbs has is its start, which fifty networks know to 0.13 only, and not to
-- the 0.03 that is printed beside it: that is the spread over time of one run.
local cs = require "chainscope"

local here = cs.has_data "bnn/news-train.csv.gz"
local function network(thin)
  return function()
    if here then
      return cs.target.binary_network { file = "bnn/news-train.csv.gz",
        held_out = "bnn/news-test.csv.gz", share = 0.99, thin = thin, hidden = 100, precision = "single",
        without = "shares" }
    end
    return cs.target.binary_network { inputs = 58, rows = 300, hidden = 20, precision = "single" }
  end
end

-- What the table shows, whichever it is.
local claims = {
  { arm = "edmala", stat = "log_density", less = "gwg", at_least = 0.05 },
  { arm = "edula", stat = "log_density", less = "gibbs", at_least = 0.05 },
}

-- What the paper prints, of its table. A difference is held against 0: "outperforms"
-- says on which side of it, however small.
local printed = {
  { arm = "edmala", stat = "log_density", less = "gwg", at_least = 0,
    paper = "-20.98 beside -21.38, times 100 (table 3)" },
  { arm = "edula", stat = "log_density", less = "gibbs", at_least = 0,
    paper = "-20.97 beside -21.56" },
  { arm = "edmala", stat = "log_density", less = "dmala", at_least = 0, only = "full",
    holds = "cannot tell",
    note = "the difference that is printed is within twice the error of our COMPAS run, 0.06 to 0.09",
    paper = "-20.98 beside -20.97: consistently outperform (table 3)" },
  { arm = "edula", stat = "log_density", less = "dula", at_least = 0, only = "full",
    holds = "cannot tell",
    note = "the difference that is printed is within twice the error of our COMPAS run, 0.06 to 0.09",
    paper = "-20.97 beside -21.01: consistently outperform (table 3)" },
  { arm = "edmala", stat = "held_out", less = "dmala", each = 20, at_most = 0, only = "full",
    holds = "cannot tell",
    note = "the difference that is printed is less than the error of our COMPAS run, 0.0008 to 0.0010",
    paper = "0.0915 beside 0.0916: consistently outperforms (table 2)" },
  { arm = "edula", stat = "held_out", less = "dula", each = 20, at_most = 0, only = "full",
    holds = "cannot tell",
    note = "the difference that is printed is less than the error of our COMPAS run, 0.0008 to 0.0010",
    paper = "0.0918 beside 0.0923: consistently outperforms (table 2)" },
  { arm = "gibbs", stat = "held_out", each = 20, near = 0.1008, within = 0.0011, only = "full",
    paper = "0.1008 +- 0.0011 (table 2)" },
  { arm = "gibbs", stat = "log_density", near = -21.56, within = 0.03, only = "full", holds = "cannot tell",
    note = "it is still at its start, which fifty networks know to 0.13",
    paper = "-0.2156 +- 0.0003 (table 3), times 100" },
  { arm = "gwg", stat = "held_out", each = 20, near = 0.0996, within = 0.0027, only = "full",
    paper = "0.0996 +- 0.0027 (table 2)" },
  { arm = "gwg", stat = "log_density", near = -21.38, within = 0.10, only = "full",
    paper = "-0.2138 +- 0.0010 (table 3), times 100" },
  { arm = "dula", stat = "held_out", each = 20, near = 0.0923, within = 0.0037, only = "full",
    paper = "0.0923 +- 0.0037 (table 2)" },
  { arm = "dula", stat = "log_density", near = -21.01, within = 0.12, only = "full",
    paper = "-0.2101 +- 0.0012 (table 3), times 100" },
  { arm = "dmala", stat = "held_out", each = 20, near = 0.0916, within = 0.0040, only = "full",
    paper = "0.0916 +- 0.0040 (table 2)" },
  { arm = "dmala", stat = "log_density", near = -20.97, within = 0.11, only = "full",
    paper = "-0.2097 +- 0.0011 (table 3), times 100" },
  { arm = "edula", stat = "held_out", each = 20, near = 0.0918, within = 0.0036, only = "full",
    paper = "0.0918 +- 0.0036 (table 2)" },
  { arm = "edula", stat = "log_density", near = -20.97, within = 0.12, only = "full",
    paper = "-0.2097 +- 0.0012 (table 3), times 100" },
  { arm = "edmala", stat = "held_out", each = 20, near = 0.0915, within = 0.0036, only = "full",
    paper = "0.0915 +- 0.0036 (table 2)" },
  { arm = "edmala", stat = "log_density", near = -20.98, within = 0.12, only = "full",
    paper = "-0.2098 +- 0.0012 (table 3), times 100" },
}
for _, claim in ipairs(printed) do
  claim.data = "bnn/news-train.csv.gz"
  claims[#claims + 1] = claim
end

return cs.scenario {
  title  = "Binary neural networks: News",
  shows  = "When the data say little, all samplers tie",
  source = "edlp, sections 6.4 and E.4, tables 2 to 4",

  target = network(100),
  chains = 50, seed = 1, keep = 2,
  arms   = {
    gibbs  = cs.kernel.gibbs {},
    gwg    = cs.kernel.gwg {},
    dula   = cs.kernel.dula { step = 0.1 },
    dmala  = cs.kernel.dmala { step = 0.1 },
    edula  = cs.kernel.edula { step = 0.1, step_a = 0.01, eta = 2 },
    edmala = cs.kernel.edmala { step = 0.1, step_a = 0.0001, eta = 0.8 },
  },
  budget = { steps = 60 },
  warmup = 0, -- counted from the start, as in the paper
  setting = "60 of the paper's 1001 steps, each hundredth row of the table, split otherwise; 100 hidden units, as its program has, where it says 500",
  full   = { target = network(10), budget = { steps = 1000 },
             setting = "1000 of the paper's 1001 steps, each tenth row of the table, split otherwise; 100 hidden units, as its program has, where it says 500" },
  probes = { "acceptance", "trace", "energy", "diagnostics", "movement", only = true },
  screen = { "trace", "energy", "acceptance", "summary" },
  claims = claims,
}
