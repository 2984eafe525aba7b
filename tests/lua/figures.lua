-- Every figure on made-up reports: what it reads, and what it makes of it. The
-- expected numbers are worked out here by other means, or by hand.
-- The part of the language alone, with a core that reports what the test says.
local said, held
local m = {
  cs = {}, fail = error, suggest = function() return "" end,
  check_number = function(_, n) return n end, sorted_keys = function() return {} end,
  core = { located = function(f) return f end,
           run_report_one = function(_, _, probe) return said[probe] end,
           run_logp_kind = function() return "exact" end,
           run_diagnosis = function(_, _, k) return said.diagnostics and said.diagnostics.table[1 + k] end,
           run_sorted = function(_, _, of) return of or 1 end,
           run_ks = function(of, group) return of == 1 and { 0.3, 0.1, 0.25 } or { 0.4, group, 0.7 } end,
           run_held_out = function() return held end },
}
for _, part in ipairs { "measures", "figures" } do
  local file = package.searchpath("chainscope", package.path):gsub("init%.lua$", part .. ".lua")
  assert(loadfile(file))(m)
end

local function near(a, b, what)
  assert(a == a and math.abs(a - b) <= 1e-12 * math.max(1, math.abs(b)), ("%s: %.15g is not %.15g"):format(what, a, b))
end

-- Four chains of 100 steps; they belong together in twos where `group` is 2.
local tallies = {
  { steps = 100, accepted = 10, moved = 5, divergent = 3, not_finite = 0, ebfmi = 0.5 },
  { steps = 100, accepted = 30, moved = 20, divergent = 0, not_finite = 2, ebfmi = 0.25 },
  { steps = 100, accepted = 50, moved = 45, divergent = 8, not_finite = 0, ebfmi = 1 },
  { steps = 100, accepted = 90, moved = 90, divergent = 0, not_finite = 5, ebfmi = 0.75 },
}
local failed = { false, true, false, false }
-- What the mean of each chain's draws predicts.
local averages = { { rmse = 1.1, accuracy = 0.2, log_score = -1 }, { rmse = 1.2, accuracy = 0.4, log_score = -2 },
                   { rmse = 1.3, accuracy = 0.6, log_score = -3 }, { rmse = 1.4, accuracy = 0.8, log_score = -4 } }
local function arm_of(group)
  local arm = { index = 1, chains = { 1, 2, 3, 4 }, group = group, evaluations = 800, gradients = 300, data_terms = 5000, simulations = 600, site_updates = 9000, passes = 2.5, steps = 100,
                warm_up = 10, seconds = 0.02, run = { steps = 110 } }
  arm.run.coordinates = { "x.1", "x.2", "x.3" }
  function arm.run.arm() return { index = 2, chains = { 1, 2, 3, 4 }, group = 1, evaluations = 1, gradients = 1, data_terms = 1, simulations = 1, site_updates = 1, passes = 1, steps = 400,
                                  warm_up = 0, seconds = 0.005, run = arm.run, chain = function(_, i)
                                    return { state = function() return { i, i == 2 and 0.75 or 0.25 } end } end } end
  function arm.chain(_, i)
    return { index = i, state = function() return { i, 0.25 } end, tally = function() return tallies[i] end, info = function() return { failed = failed[i] } end,
             held_out = function() return averages[i] end }
  end
  return arm
end
local arm = arm_of(1)

-- What probes say. Modes: visits of four chains to three, of weights 1/2, 1/4, 1/4.
local visits = { { 40, 10, 0 }, { 50, 0, 0 }, { 25, 15, 10 }, { 30, 10, 10 } }
local shares, weight = { 145 / 200, 35 / 200, 20 / 200 }, { 0.5, 0.25, 0.25 }
said = {
  modes = { visits = visits, weight = weight, jumps = { 4, 0, 9, 7 } },
  tours = { chains = { { 10, 20, 2, 15, 3, 1, 18 }, { 30, 22, 4, 17, 5, 2, 19 } } },
  -- mean sd rhat bulk tail mcse ess: of the log density, then of three coordinates
  diagnostics = { alike = 0.03, never = 3, apart = 2, table = { { 7, 2, 1.5, 50, 400, 0.003, 60 }, { 1, 3, 1.01, 500, 300, 0.02, 900 },
                            { 2, 4, 1.20, 100, 350, 0.05, 800 }, { 3, 5, 1.02, 400, 200, 0.01, 700 } } },
  moments = { mean = { 1.5, 2.5, 3.5 }, sd = { 0.5, 0.6, 0.7 }, error = { 0.11, 0.12, 0.13, 0.14 } },
  movement = { all = { 0.9, 1.1, 1.2, 1.3 }, gap = { 0.77, 0.78 } },
  cycle = { acceptance = { 0.6, 0.2, 0.4 } },
  curvature = { eigenvalues = { -1.5, 2.5, 3.25 } },
  mmd = { time = { 20, 50, 60, 80, 100 }, curve = { -1, -2, -3, -4, -5 } },
  distance = { names = "tv kl chi2 ks.x.1 ks.x.2", values = { 0.1, 0.2, 0.3, 0.04, 0.05 } },
  plane = { tv = { 0.33 } }, weights = { all = { 380, 20, 95, 0.1 } },
  rows = { drawn = { 400, 12.5, 3, 20 }, kept = { 400, 4.25, 2, 9 } },
  means = { time = { 10, 40, 90 }, accuracy = { 0.5, 0.7, 0.9 }, mse = { 0.5, 0.1, 0.02 }, sd = { 2, 1 },
            mean = { { 1, 2 }, { 1.5, 2.5 }, { 2, 3 } }, spread = { { 4, 1 }, { 1, 0.5 }, { 0.2, 0.1 } } },
  kernel = { trips_each = { 5, 7, 11, 13 } },
}
held = { 0.25, 0.26, 0.27 }

local function sum(f)
  local s = 0
  for k, e in ipairs(shares) do s = s + f(e, weight[k]) end
  return s
end

-- Of each figure: what it must be, and what it is of.
local log = math.log
local expected = {
  acceptance = { 180 / 400 }, moved = { 160 / 400 },
  cycle_acceptance = { 0.2, nil, 2 },
  modes_visited = { 2.5 }, modes_mean = { 9 / 4 }, modes_together = { 3 },
  mode_share = { 35 / 200, 2 },
  mode_entropy = { sum(function(e) return -e * log(e) end) / log(3) },
  mode_tv = { 0.225 },
  mode_kl = { sum(function(e, w) return e * log(e / w) end) }, -- of the visits from the weights
  mode_error = { log((0.225 + 0.075 + 0.15) / 3) },
  jumps = { 5 }, weight_share = { 0.25 },
  tours = { 20 }, tour_cost = { 21 }, tour_cost_sd = { 3 }, tour_best = { 16 },
  tour_mismatch = { 4 }, tour_mismatch_sd = { 1.5 }, tour_visits = { 18.5 },
  held_out = { 0.25 },
  average_rmse = { (1.1 + 1.2 + 1.3 + 1.4) / 4 }, average_accuracy = { 0.5 }, average_log_score = { -2.5 },
  mean = { 2.5, "x.2" }, sd = { 0.7, 3 }, mean_error = { 0.11 }, sd_error = { 0.13 },
  log_density = { 7 }, log_density_sd = { 2 },
  rhat = { 1.5, nil, 0 }, ess = { 60, nil, 0 }, ess_bulk = { 50, nil, 0 }, ess_tail = { 200, nil, 3 },
  mcse = { 0.05, nil, 2 },
  ess_per_work = { 1000 * 60 / 800, nil, 0 },
  hamming = { 1.1 }, hamming_accepted = { 1.2 }, jump = { 1.3 }, gap = { 0.77 },
  curvature_mean = { -1.5 }, curvature_sd = { 2.5 }, curvature_iqr = { 3.25 },
  -- The later half of 110 steps, a warm-up of 10 counted: those of 50, 60, 80, 100.
  log_mmd = { log((math.exp(-2) + math.exp(-3) + math.exp(-4) + math.exp(-5)) / 4) },
  log_mmd_at = { -1, 55 },
  gradients = { 300 / 400 }, data_terms = { 5000 / 400 }, simulations = { 600 / 400 }, site_updates = { 9000 / 400 }, passes = { 2.5 }, step_time = { 1e6 * 0.02 / 400 }, relative_time = { 16, "other" },
  ess_per_second_min = { 700 / 0.02 }, ess_per_second_median = { 800 / 0.02 }, ess_per_second_max = { 900 / 0.02 },
  ess_per_million_rows_min = { 700 / 0.005, nil, 3 }, ess_per_million_rows_median = { 800 / 0.005, nil, 2 },
  ess_per_million_rows_max = { 900 / 0.005, nil, 1 },
  -- 12.5 rows a step: 10 + 10, 40 + 10 and 90 + 10 steps are 250, 625 and 1250 rows.
  mse = { 0.02 }, mse_at = { math.exp((log(0.5) + log(0.1)) / 2), ("%.17g rows"):format(math.sqrt(250 * 625)) },
  mean_accuracy = { 0.9 }, mean_accuracy_at = { 0.6, ("%.17g rows"):format(math.sqrt(250 * 625)) },
  ks_min = { 0.1 }, ks_median = { 0.25 }, ks_max = { 1, "other" },
  rows_drawn = { 12.5 }, rows_kept = { 4.25 },
  tv = { 0.1 }, kl = { 0.2 }, chi2 = { 0.3 }, ks = { 0.05 }, tv_plane = { 0.33 },
  trips = { 36 }, alike = { 0.03 }, sites_stuck = { 5 }, apart = { 0.5, "other" }, failed = { 1 }, divergent = { 11 }, not_finite = { 7 }, ebfmi = { 0.625 },
}

for name, row in pairs(m.figures) do
  local want = assert(expected[name], name .. " has no test")
  local value, at = row[1](m.seen(arm), want[2])
  near(value, want[1], name)
  assert(row.resampled or row.timed or row.counted or at == want[3] or want[3] == nil, name)
end
for name in pairs(expected) do assert(m.figures[name], "there is no figure " .. name) end

-- The error of the mean by its parts: from where another arm ends; nan beyond what was done.
near(m.figures.mse[1](m.seen(arm), "other"), (0.2 / 4 + 0.1) / 2, "error from an arm")
near(m.figures.mse_at[1](m.seen(arm), "50 steps from other"), ((1 + 0.25) / 4 + (0.5 + 0.25)) / 2, "in the middle")
near(m.figures.mse_at[1](m.seen(arm), "100 steps"), 0.02, "at the end")
near(m.figures.mse_at[1](m.seen(arm), "0.005 seconds"), 0.02, "in seconds")
for _, of in ipairs { "1300 rows", "19 steps" } do
  local x = m.figures.mse_at[1](m.seen(arm), of)
  assert(x ~= x, of)
end
for _, of in ipairs { "rows", "1e6 lines", "-3 rows", "1e6 rows to hmc", 7 } do
  assert(not pcall(m.check_figure, "mse_at", of), of)
end
assert(pcall(m.check_figure, "mse_at", "1e6 rows from hmc", nil, { hmc = true }))
assert(not pcall(m.check_figure, "mse_at", "1e6 rows from hmc", nil, { nuts = true }))
-- Of one coordinate; of the energy.
near(m.figures.rhat[1](m.seen(arm), "x.1"), 1.01, "R-hat of x.1")
near(m.figures.ess_per_work[1](m.seen(arm), "x.2"), 1000 * 800 / 800, "of x.2 for its work")
assert(m.figures.ess_per_work.of == "coordinate")
near(m.figures.cycle_acceptance[1](m.seen(arm), 3), 0.4, "the third of the cycle")
-- A mode that nobody has seen adds nothing to the divergence.
visits[1][2], visits[3][2], visits[4][2] = 0, 0, 0
near(m.figures.mode_kl[1](m.seen(arm)), 145 / 165 * log(290 / 165) + 20 / 165 * log(80 / 165), "without a mode")

-- A sample: these chains, some of them twice, and what is due to them.
local sample = { groups = 4, 1, 3, 3 }
local part = m.seen(arm, sample)
near(m.figures.acceptance[1](part), (10 + 50 + 50) / 300, "acceptance of a sample")
near(m.figures.trips[1](part), (5 + 11 + 11) * 4 / 3, "trips of a sample")
near(part.work, 800 * 3 / 4, "its work")
near(part.gradients / part.steps, 300 / 400, "gradients a step")
near(m.figures.data_terms[1](part), 5000 / 400, "data terms a step of a sample")
near(m.figures.passes[1](part), 2.5, "passes of a chain, of a sample")
assert(m.figures.failed[1](part) == 0)
near(m.figures.average_rmse[1](part), (1.1 + 1.3 + 1.3) / 3, "predictions of a sample")
-- Chains that belong together go together.
local pairs_of = m.seen(arm_of(2), { groups = 2, 2 })
near(m.figures.acceptance[1](pairs_of), (50 + 90) / 200, "acceptance of the second pair")
assert(#pairs_of.units == 1 and #pairs_of.chains == 2)
-- The error of what is predicted is asked for once, for all samples.
near(m.figures.held_out[1](m.seen(arm, { groups = 2, without = 2, 1 }, {})), 0.27, "without the second")
-- What is not reported is not a number.
said = {}
for _, name in ipairs { "mean_error", "log_mmd", "mode_tv", "jumps", "tours", "trips", "ks", "hamming" } do
  assert(m.figures[name][1](m.seen(arm)) ~= m.figures[name][1](m.seen(arm)), name)
end
