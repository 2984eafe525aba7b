-- How the entropic samplers depend on eta, on fifty binary networks (COMPAS data).
--
-- EDULA and EDMALA (entropic discrete Langevin, EDMALA with an accept step) have a second
-- variable theta_a, normal around the weights x with variance eta. Watch, as eta grows,
-- the distance |x - theta_a| of both samplers, the prediction error, and the acceptance
-- of EDMALA. Without the data files (see binary_networks.lua) random data are used.
--
-- EDMALA's mean distance is 38.74 sqrt(eta), because theta_a is normal in 1501
-- coordinates. The edlp paper (Mohanty et al. 2025) attributes EDMALA's smaller distance
-- to its accept step. But at step_a = 0.001 (the step of theta_a) theta_a needs about
-- 2000 * eta steps to forget its start. So in runs that start at theta_a = x, as in the
-- paper, the distance depends on the run's length.
local cs = require "chainscope"
local target_of = require "networks.target"
local settings = require "paper.settings"

-- This is the setting of the paper; eta.lua has the same on sixteen states. Runs of this
-- scenario start with theta_a drawn from its distribution.
local function network(thin) return target_of("compas", { inputs = 13, rows = 500, hidden = 100 }, thin) end

local function edmala(eta) return cs.kernel.edmala { step = 0.1, step_a = 0.001, eta = eta } end
local function edula(eta) return cs.kernel.edula { step = 0.1, step_a = 0.01, eta = eta } end

-- Returns the mean of a scaled chi distribution with 1501 degrees of freedom.
local function norm(eta) return 38.736283 * math.sqrt(eta) end

-- These claims follow from the distribution of theta_a, for any table of data.
local claims = {
  { arm = "m_01", stat = "gap", near = norm(0.1), within = 0.02 * norm(0.1) },
  { arm = "m_4", stat = "gap", near = norm(4), within = 0.02 * norm(4) },
  { arm = "u_4", stat = "gap", ratio_to = "m_4", near = 1, within = 0.05 },
  { arm = "u_001", stat = "gap", ratio_to = "m_001", at_least = 1.02,
    note = "without rejections x moves away, and theta_a follows with small steps" },
}

-- Statements of the paper about its table, for which it states no numbers.
local tighter = "imposes stricter alignment between the variables, hence maintaining a tighter coupling"
local said = {
  { arm = "m_4", than = "m_01", stat = "gap", relation = "above",
    quote = "allowing both variables to move more freely, thus increasing the norm" },
  { arm = "m_4", than = "u_4", stat = "gap", relation = "below", quote = tighter, holds = "cannot tell",
    note = "at large eta the distances are equal" },
  { arm = "m_001", than = "u_001", stat = "gap", relation = "below", quote = tighter },
  { arm = "m_001", stat = "acceptance", at_most = 0.1,
    quote = "with very tight coupling , the acceptance probability is near zero" },
  { arm = "m_08", than = "m_4", stat = "acceptance", relation = "alike", within = 0.1,
    holds = "cannot tell", note = "the ratio is 0.87 +- 0.05 in the quick setting",
    quote = "After a certain coupling threshold (around 0.8 here), the acceptance rate plateaus" },
  { arm = "m_4", than = "m_08", stat = "held_out", relation = "alike", within = 0.01, each = 20, only = "full",
    quote = "Both samplers demonstrate robustness across a wide range of", note = "within 2 % of the error" },
  { arm = "u_001", than = "u_4", stat = "held_out", relation = "above", each = 20, only = "full",
    quote = "particularly at extremely small coupling values, resulting in increased variability and higher RMSE" },
}
for _, claim in ipairs(said) do
  claim.data, claim.where = "bnn/compas-train.csv.gz", "appendix A.2"
  claims[#claims + 1] = claim
end

return cs.scenario {
  title  = "Sensitivity to eta, on a network",
  shows  = "The norm grows like sqrt(eta), acceptance rises and levels off, the error stays the same",
  source = "edlp, appendix A.2, figure 5",

  target = network(10),
  chains = 50, seed = 1, keep = 2,
  arms   = {
    m_001 = edmala(0.01), m_01 = edmala(0.1), m_08 = edmala(0.8), m_4 = edmala(4),
    u_001 = edula(0.01), u_01 = edula(0.1), u_08 = edula(0.8), u_4 = edula(4),
  },
  budget = { steps = 60 },
  warmup = 0, -- steps are counted from the start, as in the paper
  printed = settings.eta_network,
  setting = "every tenth row of the table; four values of eta; the error on the test rows, not on rows set aside",
  full   = { target = network(1), budget = { steps = 1000 }, setting = "four values of eta; the error on the test rows, not on rows set aside" },
  probes = { "acceptance", "trace", "energy", "diagnostics", "movement", only = true },
  screen = { "acceptance", "trace", "state", "energy", "summary" },

  claims = claims,
}
