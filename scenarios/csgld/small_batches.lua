-- Batches of rows that are too small for the step size, and two remedies.
--
-- The target is a logistic regression on 400 rows, and every chain may read 400,000 rows.
-- `one` makes 400,000 steps of SGLD (stochastic gradient Langevin dynamics) with single
-- rows; `all` and `mala` make 1000 steps with all rows. The noise of a single row's
-- gradient dominates: the draws of `one` spread four times too widely, and their mean is
-- off by 2.5 posterior deviations. With ten rows (`ten`) the deviation is 1.45 times the
-- right one, with a hundred rows (`hundred`) 1.07 times.
--
-- Watch deviations in `summary`; traces and R-hat look right. A small rate helps: `slow`
-- (ten rows, a tenth of the rate) moves a tenth as far, and its deviation is 1.05 times
-- the right one. With control variates (`control`: full rate, 20 rows) it is 1.03 times.

-- `control` has control variates: ten rows estimate only the change of the gradient since
-- a point near the mode, for twenty rows per step. With ten rows per step, drawn in
-- epochs, the deviation is 1.25 times the correct deviation instead of 1.45 times
-- (`ten`).

local cs = require "chainscope"

-- Gradient noise contributes to the variance with the square of the rate. Control
-- variates are the better remedy if the mode is known. With only 400 rows no arm is
-- better than MALA; small batches are for data with too many rows for a thousand passes.
local N, terms, chains = 400, 400000, 16

-- Returns rows in which the log odds of y = 1 are 0.5 + 1.5 a - b. The rows come
-- from a generator of our own, so that every computer gives equal rows.
local function rows()
  local state = 12345
  local function uniform()
    state = (state * 1103515245 + 12345) % 2 ^ 31
    return (state + 0.5) / 2 ^ 31
  end
  local function normal()
    local u = uniform()
    return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * uniform())
  end
  local a, b, y = {}, {}, {}
  for i = 1, N do
    a[i], b[i] = normal(), normal()
    y[i] = uniform() < 1 / (1 + math.exp(-(0.5 + 1.5 * a[i] - b[i]))) and 1 or 0
  end
  return { a = a, b = b, y = y }
end

local function sgld(rate, batch, more)
  local values = { rate = rate, batch = batch, order = "with_replacement" }
  for name, value in next, more or {} do values[name] = value end
  return cs.kernel.sgld(values)
end

-- Reference values by HMC (640,000 draws, errors of 0.0003): means 0.4563, 1.5913,
-- -0.7793, deviations 0.1259, 0.1837, 0.1376.
local mean, sd = 1.5913, 0.1837
local function wide(arm, by, within)
  return { arm = arm, stat = "sd", of = "x.2", near = by * sd, within = within * sd,
           note = ("%.3g of the posterior's"):format(by) }
end

return cs.scenario {
  title  = "Batches too small",
  shows  = "A posterior four times too wide that no trace reveals, and two remedies",
  source = "Welling and Teh 2011; Baker et al. 2019",

  target = cs.target {
    name  = "logistic",
    space = cs.real(3),
    view  = { "x.1", "x.2", -1, 2.5, 0, 5 },
    data  = rows(),
    prior = function(x) return -(x[1] ^ 2 + x[2] ^ 2 + x[3] ^ 2) / 200 end,
    term  = function(x, row)
      local odds = x[1] + x[2] * row.a + x[3] * row.b
      return row.y * odds - cs.math.softplus(odds)
    end,
  },
  chains = chains, seed = 45, start = { 0.45, 1.56, -0.76 },
  arms   = {
    { name = "one", kernel = sgld(0.002, 1) },
    { name = "ten", kernel = sgld(0.002, 10) },
    { name = "epochs", kernel = sgld(0.002, 10, { order = "epochs" }) },
    { name = "hundred", kernel = sgld(0.002, 100) },
    { name = "slow", kernel = sgld(0.0002, 10) },
    { name = "control", kernel = sgld(0.002, 10, { control_variates = true }) },
    { name = "all", kernel = cs.kernel.sgld { rate = 0.002 } },
    { name = "mala", kernel = cs.kernel.mala { step = 0.2 } },
  },
  budget = { data_terms = terms, each = "chain" },
  warmup = 0,
  screen = { "lesson", { "map", arm = "one" }, "trace", "state", "summary" },

  claims = {
    wide("one", 3.9, 0.2),
    wide("ten", 1.45, 0.06),
    wide("epochs", 1.25, 0.06),
    wide("hundred", 1.07, 0.08),
    wide("slow", 1.05, 0.15),
    wide("control", 1.03, 0.06),
    wide("all", 1.02, 0.15),
    wide("mala", 1, 0.08),
    { arm = "one", stat = "mean", of = "x.2", near = mean + 2.5 * sd, within = 0.3 * sd,
      note = "so wide that the skewness of the likelihood matters" },
    { arm = "control", stat = "mean", of = "x.2", near = mean, within = 0.1 * sd },
    { arm = "mala", stat = "mean", of = "x.2", near = mean, within = 0.2 * sd },
    { arm = "one", stat = "rhat", of = "x.2", at_most = 1.02, note = "R-hat does not detect it" },
  },
}
