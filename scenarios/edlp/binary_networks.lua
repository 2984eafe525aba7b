-- Binary neural networks: fifty binary networks in parallel, six samplers.
--
-- Every weight is +1 or -1. A network is the likelier the less it errs on the
-- rows it learns from: log p = -100 times the mean of (sigmoid f - y)^2. The
-- paper trains fifty at a time and reports, over 1001 iterations, the error of
-- their mean prediction on rows held out (table 2) and the mean of log p / 100,
-- which it calls the training log-likelihood (table 3); its "+-" is the spread
-- over the iterations, the start included, and not an error: within this spread
-- our figures are to be. Our errors are of the fifty chains.
--
-- The table is COMPAS (whether somebody is arrested again within two years,
-- from 13 numbers), if CHAINSCOPE_DATA names a folder with bnn/compas-train.csv.gz
-- and bnn/compas-test.csv.gz; else one at random, which shows the same but holds
-- no number of the paper. One layer of 100 units: the paper says 500, but its
-- program has 100, and so its numbers come out. Of the rows to learn from the
-- last hundredth is left out, as there, for it to choose parameters by (table 4).
-- The paper's other tables are binary_networks_adult, _news and _blog.
--
-- What is seen: Gibbs and Gibbs with gradients change one weight of 1501 a
-- step, and a thousand steps are not one sweep, which is why they lag. The
-- four Langevin samplers change many, and differ by less than one of them
-- wanders.
local cs = require "chainscope"

local here = cs.has_data "bnn/compas-train.csv.gz"
local function network(thin)
  return function()
    if here then
      return cs.target.binary_network { file = "bnn/compas-train.csv.gz",
        held_out = "bnn/compas-test.csv.gz", share = 0.99, thin = thin, hidden = 100, precision = "single" }
    end
    return cs.target.binary_network { inputs = 13, rows = 400, hidden = 20, precision = "single" }
  end
end

-- What the table shows, whichever it is.
local claims = {
  { arm = "edmala", stat = "log_density", less = "gwg", at_least = 1, only = "quick" },
  { arm = "edula", stat = "log_density", less = "gibbs", at_least = 1, only = "quick" },
}

-- What the paper prints, of its table. A difference is held against 0: "outperforms"
-- says on which side of it, however small.
local printed = {
  { arm = "edmala", stat = "log_density", less = "gwg", at_least = 0,
    paper = "-31.45 beside -33.04, times 100 (table 3)" },
  { arm = "edula", stat = "log_density", less = "gibbs", at_least = 0,
    paper = "-33.85 beside -34.73", note = "1.5 +- 0.6 in full" },
  { arm = "edmala", stat = "log_density", less = "dmala", at_least = 0, only = "full",
    holds = "cannot tell",
    note = "0.03 +- 0.06: the difference of 0.04 that is printed is less than our error",
    paper = "-31.45 beside -31.49: consistently outperform (table 3)" },
  { arm = "edula", stat = "log_density", less = "dula", at_least = 0, only = "full",
    holds = "cannot tell", note = "-0.11 +- 0.09",
    paper = "-33.85 beside -33.85: consistently outperform (table 3)" },
  { arm = "edula", stat = "log_density", less = "gwg", at_least = 0, only = "full",
    holds = false, paper = "EDLP samplers consistently outperform other samplers (table 3)",
    note = "the same table has -0.3385 of EDULA below -0.3304 of Gibbs with gradients" },
  { arm = "edmala", stat = "held_out", less = "dmala", each = 20, at_most = 0, only = "full",
    holds = "cannot tell", note = "0.0006 +- 0.0010: so is this one, of 0.0005",
    paper = "0.4768 beside 0.4773: consistently outperforms (table 2)" },
  { arm = "edula", stat = "held_out", less = "dula", each = 20, at_most = 0, only = "full",
    holds = "cannot tell", note = "0.0005 +- 0.0008",
    paper = "0.4778 beside 0.4789: consistently outperforms (table 2)" },
  { arm = "gibbs", stat = "held_out", each = 20, near = 0.4752, within = 0.0058, only = "full",
    holds = "cannot tell", note = "0.477 +- 0.0024 of fifty networks that hardly move",
    paper = "0.4752 +- 0.0058 (table 2)" },
  { arm = "gibbs", stat = "log_density", near = -34.73, within = 3.37, only = "full",
    paper = "-0.3473 +- 0.0337 (table 3), times 100" },
  { arm = "gwg", stat = "held_out", each = 20, near = 0.4756, within = 0.0056, only = "full",
    paper = "0.4756 +- 0.0056 (table 2)" },
  { arm = "gwg", stat = "log_density", near = -33.04, within = 3.02, only = "full",
    paper = "-0.3304 +- 0.0302 (table 3), times 100" },
  { arm = "dula", stat = "held_out", each = 20, near = 0.4789, within = 0.0039, only = "full",
    paper = "0.4789 +- 0.0039 (table 2)" },
  { arm = "dula", stat = "log_density", near = -33.85, within = 1.01, only = "full",
    paper = "-0.3385 +- 0.0101 (table 3), times 100" },
  { arm = "dmala", stat = "held_out", each = 20, near = 0.4773, within = 0.0036, only = "full",
    paper = "0.4773 +- 0.0036 (table 2)" },
  { arm = "dmala", stat = "log_density", near = -31.49, within = 1.45, only = "full",
    paper = "-0.3149 +- 0.0145 (table 3), times 100" },
  { arm = "edula", stat = "held_out", each = 20, near = 0.4778, within = 0.0037, only = "full",
    paper = "0.4778 +- 0.0037 (table 2)" },
  { arm = "edula", stat = "log_density", near = -33.85, within = 1.10, only = "full",
    paper = "-0.3385 +- 0.0110 (table 3), times 100" },
  { arm = "edmala", stat = "held_out", each = 20, near = 0.4768, within = 0.0033, only = "full",
    paper = "0.4768 +- 0.0033 (table 2)" },
  { arm = "edmala", stat = "log_density", near = -31.45, within = 1.49, only = "full",
    paper = "-0.3145 +- 0.0149 (table 3), times 100" },
}
for _, claim in ipairs(printed) do
  claim.data = "bnn/compas-train.csv.gz"
  claims[#claims + 1] = claim
end

return cs.scenario {
  title  = "Binary neural networks",
  shows  = "Update all weights or one: what 1000 steps buy",
  source = "edlp, sections 6.4 and E.4, tables 2 to 4",

  target = network(10), -- each tenth row; in full all of them
  chains = 50, seed = 1, keep = 2,
  arms   = {
    gibbs  = cs.kernel.gibbs {},
    gwg    = cs.kernel.gwg {},
    dula   = cs.kernel.dula { step = 0.1 },
    dmala  = cs.kernel.dmala { step = 0.1 },
    edula  = cs.kernel.edula { step = 0.1, step_a = 0.01, eta = 4 },
    edmala = cs.kernel.edmala { step = 0.1, step_a = 0.001, eta = 4 },
  },
  budget = { steps = 60 },
  warmup = 0, -- counted from the start, as in the paper
  setting = "60 of the paper's 1001 steps, each tenth row of the table; 100 hidden units, as its program has, where it says 500",
  full   = { target = network(1), budget = { steps = 1000 },
             setting = "1000 of the paper's 1001 steps; 100 hidden units, as its program has, where it says 500" },
  probes = { "acceptance", "trace", "energy", "diagnostics", "movement", only = true },
  screen = { "trace", "energy", "acceptance", "summary" },
  claims = claims,
}
