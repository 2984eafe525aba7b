-- Local entropy: the distribution of theta_a for one fair bit, for seven values of eta.
--
-- The entropic samplers move the state x together with a second variable theta_a, which
-- is normal around x with variance eta. The marginal density of theta_a at a is p(a) ~
-- sum over x of exp(log p(x) - |x - a|^2 / (2 eta)), the exponential of the local
-- entropy. For a fair bit this is a mixture of two normals, around 0 and 1. Two exact
-- values are compared: the probability that a is within 1/4 of the middle (1/2), and the
-- mean distance |x - a|, which is sqrt(2 eta / pi).
--
-- Watch: at small eta there are two separate peaks, and x hardly ever changes, because
-- theta_a stays near x (see `moved`). From eta = 1/4 on there is one peak: the larger eta
-- is, the more the landscape is smoothed.
local cs = require "chainscope"

-- The edlp paper's figure shows the density for the same values of eta; it calls the case
-- of two separate peaks "tightly bound".
local function arm(eta) return cs.kernel.edmala_glu { step = 1, eta = eta } end

-- Returns the share of the draws for which a is between 1/4 and 3/4, its standard
-- error over chains, and the degrees of freedom.
local function middle(arm)
  local sum, square, n = 0, 0, #arm.chains
  for i = 1, n do
    local rows, inside = arm:chain(i):draws(), 0
    for _, row in ipairs(rows) do
      if math.abs(row[2] - 0.5) < 0.25 then inside = inside + 1 end
    end
    local share = inside / #rows
    sum, square = sum + share, square + share ^ 2
  end
  local mean = sum / n
  return mean, math.sqrt((square / n - mean ^ 2) / (n - 1)), n - 1
end

local peaked = "are sharply peaked and closely resemble the original"
local smoothed = "is excessively smoothed out compared to"

return cs.scenario {
  title  = "Local entropy of one bit",
  shows  = "Two peaks become one: a small eta couples theta_a to x, a large eta does not",
  source = "edlp, appendix A.1, figure 4",

  target = cs.target {
    space = cs.binary(1),
    log_density = function(x) return 0 * x[1] end,
  },
  chains = 16, seed = 31,
  arms   = {
    eta_001 = arm(0.01), eta_005 = arm(0.05), eta_01 = arm(0.1), eta_02 = arm(0.2),
    eta_05 = arm(0.5), eta_1 = arm(1), eta_2 = arm(2),
  },
  budget = { steps = 4000 },
  warmup = 0, -- steps are counted from the start, as in the paper
  setting = "the paper plots the densities; here they are sampled",
  full   = { budget = { steps = 100000 }, chains = 64,
             setting = "the paper plots the densities; here they are sampled" },
  probes = { "acceptance", "energy", "movement", only = true },
  screen = { "state", "acceptance" },

  claims = {
    { arm = "eta_001", stat = "share in the middle", measure = middle, exact = 0.00620967, within = 0.002,
      quote = peaked, where = "appendix A.1", paper = "eta = 0.01, 0.05, 0.1" },
    { arm = "eta_005", stat = "share in the middle", measure = middle, exact = 0.13137812,
      quote = peaked, where = "appendix A.1" },
    { arm = "eta_01", stat = "share in the middle", measure = middle, exact = 0.20574462,
      quote = peaked, where = "appendix A.1" },
    { arm = "eta_02", stat = "share in the middle", measure = middle, exact = 0.24130880,
      quote = "values adequately capture the flatness of the landscape", where = "appendix A.1", paper = "eta = 0.2",
      note = "nearly flat: the density at 1/2 is 0.989 of that at 0 and 1" },
    { arm = "eta_05", stat = "share in the middle", measure = middle, exact = 0.21741462,
      quote = smoothed, where = "appendix A.1", paper = "eta = 0.5, 1, 2" },
    { arm = "eta_2", stat = "share in the middle", measure = middle, exact = 0.13190032,
      quote = smoothed, where = "appendix A.1" },
    { arm = "eta_005", stat = "gap", exact = 0.17841241, quote = "controlling the expected distance between", where = "appendix B", paper = "the variance of theta_a is eta" },
    { arm = "eta_2", stat = "gap", exact = 1.12837917 },
    { arm = "eta_001", stat = "moved", at_most = 0.25,
      note = "x is bound so tightly that it never moved; 16 chains can only show this bound" },
    { arm = "eta_2", stat = "moved", at_least = 0.3,
      quote = "effectively causing the EDLP framework to behave similarly to a standard DLP", where = "appendix A.1" },
  },
}
