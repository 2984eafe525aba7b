-- Figures of an arm that a claim can be held against: one row each.
local m = ...
local core = m.core
local abs, log = math.abs, math.log
local nan = 0 / 0
local by = m.measures

-- ---- the table -----------------------------------------------------------

-- name = { function(arm, of), help,
--   probe      what saw it
--   of         what `of` names; needs = true: it must be given
--   check      what refuses a wrong `of`
--   timed      chains do not tell its error, only seeds do
--   counted    a count of this run, not an estimate
--   resampled  a median, a quartile, a maximum, a count of what is different, whose
--              error leaving out one group does not tell
--   range      the least and the most that it can be of one chain, where it is a mean
--              over chains }
-- A figure that is the worst of all coordinates gives its coordinate as well:
-- its error is that of this one.
local figures = {
  acceptance = { function(arm) return by.share(arm, "accepted") end,
    "share of the proposals that were accepted", range = { 0, 1 } },
  cycle_acceptance = { function(arm, of)
      local all, at = arm:report("cycle/acceptance") or {}, of or 1
      for k, share in ipairs(all) do
        if not of and share < all[at] then at = k end
      end
      return all[at] or nan, at
    end, "mean acceptance at position `of` of the cycle, else the least of all positions", of = "position",
    probe = "cycle", range = { 0, 1 } },
  moved = { function(arm) return by.share(arm, "moved") end,
    "share of the steps that changed the state", range = { 0, 1 } },
  modes_visited = { function(arm)
      local n = {}
      for i, row in ipairs(by.visits(arm)) do n[i] = by.visited(row) end
      return by.median(n)
    end, "modes that a chain has visited: the median over chains", probe = "modes",
    resampled = true },
  modes_mean = { function(arm)
      local n = {}
      for i, row in ipairs(by.visits(arm)) do n[i] = by.visited(row) end
      return by.mean(n)
    end, "modes that a chain has visited: the mean over chains", probe = "modes" },
  modes_together = { function(arm)
      local any = {}
      for _, row in ipairs(by.visits(arm)) do
        for k, v in ipairs(row) do any[k] = (any[k] or 0) + v end
      end
      return by.visited(any)
    end,
    "modes that at least one chain has visited", probe = "modes", resampled = true },
  mode_share = { function(arm, of) return by.shares(arm)[of] or nan end,
    "share of the visits that went to mode `of`", of = "mode", needs = true, probe = "modes",
    range = { 0, 1 } },
  mode_entropy = { function(arm)
      local sum, n = 0, 0
      for _, e in ipairs(by.shares(arm)) do
        sum, n = sum - (e > 0 and e * log(e) or 0), n + 1
      end
      return sum / log(n)
    end, "entropy of the visits over its largest value: 1 = all modes alike", probe = "modes" },
  mode_tv = { function(arm)
      return (by.compare(arm, function(e, w) return abs(e - w) / 2 end))
    end, "total variation between visits and exact weights of the modes", probe = "modes" },
  mode_kl = { function(arm)
      return (by.compare(arm, function(e, w) return e > 0 and e * log(e / w) or 0 end))
    end, "Kullback-Leibler divergence of the visits from the exact weights", probe = "modes" },
  mode_error = { function(arm)
      local sum, n = by.compare(arm, function(e, w) return abs(e - w) end)
      return n and log(sum / n) or nan
    end, "log of the mean absolute error of the modes' shares", probe = "modes" },
  jumps = { function(arm)
      local all = arm:report("modes/jumps")
      return all and by.mean(all) or nan
    end, "jumps from mode to mode: the mean over chains", probe = "modes" },
  tours = { by.of_tours(1), "distinct tours that a chain has seen: the mean over chains",
    probe = "tours" },
  tour_cost = { by.of_tours(2), "mean cost of a chain's distinct tours: the mean over chains",
    probe = "tours" },
  tour_cost_sd = { by.of_tours(3),
    "standard deviation of the costs of a chain's distinct tours: the mean over chains",
    probe = "tours" },
  tour_best = { by.of_tours(4), "cost of a chain's best tour: the mean over chains", probe = "tours" },
  tour_mismatch = { by.of_tours(5),
    "mean mismatch count of a chain's distinct tours to its best: the mean over chains",
    probe = "tours" },
  tour_mismatch_sd = { by.of_tours(6), "standard deviation of that count: the mean over chains",
    probe = "tours" },
  tour_visits = { by.of_tours(7), "mean cost of all visits, often or not: the mean over chains",
    probe = "tours" },
  held_out = { function(arm)
      local all = arm.shared.held_out
        or core.run_held_out(arm.run, arm.index, arm.shared.groups) or {}
      arm.shared.held_out = all
      return all[1 + (arm.sample and arm.sample.without or 0)] or nan
    end,
    "root mean square error, on data held out, of what the chains predict in the mean" },
  average_rmse = { by.averaged "rmse",
    "root mean square error, on data held out, of the mean prediction of a chain's kept draws, by their weights: the mean over chains" },
  average_accuracy = { by.averaged "accuracy",
    "share of the data held out whose class that mean finds: the mean over chains", range = { 0, 1 } },
  average_log_score = { by.averaged "log_score",
    "mean log probability (density) of the data held out, each of the mean of a chain's kept draws by their weights: the mean over chains" },
  mean = { by.moment "mean", "mean of coordinate `of`", of = "coordinate", needs = true, probe = "moments" },
  sd = { by.moment "sd", "standard deviation of coordinate `of`", of = "coordinate", needs = true, probe = "moments" },
  mean_error = { by.reported("moments/error", 1),
    "root mean square error of the means, in exact standard deviations", probe = "moments" },
  sd_error = { by.reported("moments/error", 3),
    "root mean square of the log errors of the standard deviations", probe = "moments" },
  log_density = { by.of_logp(by.mean_of), "mean of the log density", probe = "diagnostics", logp = true },
  log_density_sd = { by.of_logp(by.sd_of), "standard deviation of the log density", probe = "diagnostics", logp = true },
  rhat = { by.diagnosed("rhat", math.max), "R-hat of a coordinate, else the largest of all and of the log density",
    of = "coordinate", probe = "diagnostics" },
  ess = { by.diagnosed("ess", math.min),
    "effective size for the mean of a coordinate, else the smallest of all and of the log density",
    of = "coordinate", probe = "diagnostics" },
  ess_bulk = { by.diagnosed("bulk", math.min), "bulk effective size of the draws kept",
    of = "coordinate", probe = "diagnostics" },
  ess_tail = { by.diagnosed("tail", math.min), "effective size in the tails", of = "coordinate", probe = "diagnostics" },
  mcse = { by.diagnosed("mcse", math.max), "Monte Carlo error of a mean, else the largest of all and of the log density",
    of = "coordinate", probe = "diagnostics" },
  ess_per_work = { function(arm, of)
      local ess, at = m.figures.ess[1](arm, of)
      return 1000 * ess / arm.work, at
    end, "effective size for the mean of a coordinate, else the smallest of all and of the log density, for 1000 evaluations: log densities, gradients and passes over all sites; with rows of data, for 1000 passes over them, be it by batches",
    of = "coordinate", probe = "diagnostics" },
  ess_per_second_min = { by.size_per("min", "seconds", 1),
    "effective draws of the mean in a second of processor time, of the coordinate that has the fewest",
    probe = "diagnostics", timed = true },
  ess_per_second_median = { by.size_per("median", "seconds", 1),
    "the same of the median coordinate", probe = "diagnostics", timed = true },
  ess_per_second_max = { by.size_per("max", "seconds", 1),
    "the same of the coordinate that has the most", probe = "diagnostics", timed = true },
  ess_per_million_rows_min = { by.size_per("min", "data_terms", 1e6),
    "effective draws of the mean for a million rows of data, each time one is looked at, of the coordinate that has the fewest",
    probe = "diagnostics" },
  ess_per_million_rows_median = { by.size_per("median", "data_terms", 1e6),
    "the same of the median coordinate", probe = "diagnostics" },
  ess_per_million_rows_max = { by.size_per("max", "data_terms", 1e6),
    "the same of the coordinate that has the most", probe = "diagnostics" },
  mse = { function(arm, of)
      local all = by.errors_of_mean(arm, of)
      return all and all[#all] or nan
    end, "mean square error of a chain's mean in the end, over coordinates and chains, in variances: 1 / n for n independent draws; from the exact means, else from that of the arm `of`",
    of = "arm", probe = "means" },
  mse_at = { by.error_at,
    "the same after so much work of a chain: of = \"1e6 rows\", \"30 seconds\" of processor time, \"5000 steps\", a warm-up counted; \"1e6 rows from hmc\": from the mean of the arm hmc",
    of = "budget", needs = true, check = by.check_budget, probe = "means" },
  mean_accuracy = { function(arm)
      local all = arm:report "means/accuracy"
      return all and all[#all] or nan
    end, "share of the data held out whose class the mean of a chain's draws finds, the mean over chains; the probe means must watch all coordinates",
    probe = "means", range = { 0, 1 } },
  mean_accuracy_at = { by.accuracy_at,
    "the same after so much work of a chain: of = \"1e6 rows\", \"30 seconds\" of processor time, \"5000 steps\", a warm-up counted",
    of = "budget", needs = true, check = by.check_plain_budget, probe = "means", range = { 0, 1 } },
  hamming = { by.reported("movement/all", 2),
    "sites that a step changes: the mean Hamming distance", probe = "movement" },
  hamming_accepted = { by.reported("movement/all", 3),
    "sites that an accepted step changes, on average", probe = "movement" },
  jump = { by.reported("movement/all", 4),
    "expected squared jumping distance: the mean of |x' - x|^2", probe = "movement" },
  gap = { by.reported("movement/gap", 1),
    "distance |x - a| to the auxiliary variable of the kernel, where it has one: the mean",
    probe = "movement" },
  curvature_mean = { by.reported("curvature/eigenvalues", 1),
    "eigenvalues of the Hessian along the chains, pooled: their mean", probe = "curvature" },
  curvature_sd = { by.reported("curvature/eigenvalues", 2),
    "eigenvalues of the Hessian along the chains, pooled: their standard deviation, divisor n", probe = "curvature" },
  curvature_iqr = { by.reported("curvature/eigenvalues", 3),
    "eigenvalues of the Hessian along the chains, pooled: their interquartile range", probe = "curvature",
    resampled = true },
  log_mmd = { by.late_discrepancy,
    "log of the mean discrepancy from the reference, over the later half of the run's steps",
    probe = "mmd" },
  log_mmd_at = { by.discrepancy_at,
    "log of the discrepancy from the reference at step `of`, a warm-up counted", of = "step", needs = true,
    probe = "mmd" },
  gradients = { function(arm) return arm.gradients / arm.steps end,
    "gradients that a step of a chain takes", counted = true },
  data_terms = { function(arm) return arm.data_terms / arm.steps end,
    "data terms that a step of a chain takes: rows of data, each time one is evaluated", counted = true },
  simulations = { function(arm) return arm.simulations / arm.steps end,
    "data sets that a step of a chain simulates", counted = true },
  site_updates = { function(arm) return arm.site_updates / arm.steps end,
    "numbers of simulated data that a step of a chain draws", counted = true },
  rows_drawn = { by.reported("rows/drawn", 2),
    "rows of data that a step draws at random: the mean", probe = "rows" },
  rows_kept = { by.reported("rows/kept", 2),
    "rows of data that a step keeps of those it drew, after thinning: the mean", probe = "rows" },
  passes = { function(arm) return arm.passes end,
    "passes over the rows of data that a chain has made: its data terms over the rows", counted = true },
  step_time = { function(arm) return 1e6 * arm.seconds / arm.steps end,
    "processor time of a step of a chain, in microseconds", timed = true },
  relative_time = { function(arm, of)
      local other = m.seen(arm.run:arm(of))
      return arm.seconds / arm.steps / (other.seconds / other.steps)
    end, "processor time of a step, over that of the arm `of`", of = "arm", needs = true, timed = true },
  tv = { by.distance "tv", "total variation from the exact distribution, where that is known", probe = "distance" },
  kl = { by.distance "kl", "Kullback-Leibler divergence from the exact distribution", probe = "distance" },
  chi2 = { by.distance "chi2", "chi-square from the exact distribution: the sum of (share - p)^2 / p", probe = "distance" },
  ks = { by.distance "ks", "largest Kolmogorov distance of a coordinate from its exact distribution", probe = "distance",
    resampled = true },
  ks_min = { by.ranked_distance "min",
    "Kolmogorov distance of an arm's kept draws from the exact ones, of the coordinate where it is least; from those of the arm `of`, where given",
    of = "arm", resampled = true },
  ks_median = { by.ranked_distance "median", "the same, the median of all coordinates", of = "arm", resampled = true },
  ks_max = { by.ranked_distance "max", "the same, of the coordinate where it is largest", of = "arm", resampled = true },
  tv_plane = { by.reported("plane/tv", 1), "total variation on the plane that is shown", probe = "plane" },
  trips = { function(arm)
      local each, sum = arm:report("kernel/trips_each"), 0
      if not each then return nan end
      for _, unit in ipairs(arm.units) do sum = sum + each[unit] end
      return sum * #each / #arm.units
    end, "how often a state has been to the hot end of a tempered kernel and back" },
  weight_share = { function(arm)
      local all = arm:report "weights/all"
      if all then return all[3] / all[1] end
      return core.run_report_one(arm.run, arm.index, "weights") and 1 or nan
    end, "what the weights leave of the draws: Kish's size over their number, 1 where they count alike",
    probe = "weights" },
  alike = { function(arm) return by.number_of(arm, "alike") end,
    "chance that chains of one law differ as much as these at the site where they differ most: a chi-square corrected for autocorrelation, times the number of sites; of a discrete state",
    probe = "diagnostics", counted = true },
  sites_stuck = { function(arm) return by.number_of(arm, "never") + by.number_of(arm, "apart") end,
    "sites that changed in no chain, of a discrete state", probe = "diagnostics", counted = true },
  apart = { function(arm, of)
      local other, most = arm.run:arm(of), 0
      for _, chain in ipairs(arm.chains) do
        local x, y = chain:state(), other:chain(chain.index):state()
        for i = 1, #x do most = math.max(most, abs(x[i] - y[i])) end
      end
      return most
    end, "the largest distance of a coordinate from where the same chain of the arm `of` has it: 0 of two kernels that make the same chains",
    of = "arm", needs = true, counted = true },
  failed = { function(arm)
      local n = 0
      for _, chain in ipairs(arm.chains) do n = n + (chain:info().failed and 1 or 0) end
      return n
    end, "chains that stopped: their state was impossible", counted = true },
  divergent = { function(arm) return by.total(arm, "divergent") end,
    "steps of all chains whose trajectory gained over 1000 nats of energy or overflowed; above 0, a part of the target is out of reach", counted = true },
  ebfmi = { function(arm) return by.total(arm, "ebfmi") / #arm.chains end,
    "E-BFMI of trajectories: squared changes of the energy from draw to draw over its squares about the mean; the mean over chains, of at least 100 draws. Below 0.3 momenta change the energy by too little" },
  not_finite = { function(arm) return by.total(arm, "not_finite") end,
    "steps of all chains that met a log density or gradient that is not a number, and were refused", counted = true },
}
m.figures = figures

-- Figures of a kernel and its target, whatever the length of the run: more steps make
-- them better known. Of a run that is not at its end, a claim on them can be decided.
for _, name in ipairs { "acceptance", "cycle_acceptance", "moved", "mode_share", "mean", "sd",
                        "log_density", "log_density_sd", "hamming", "hamming_accepted", "jump", "gap",
                        "ess_per_work", "ess_per_million_rows_min", "ess_per_million_rows_median",
                        "ess_per_million_rows_max", "data_terms", "gradients", "simulations",
                        "site_updates", "rows_drawn", "rows_kept", "weight_share" } do
  figures[name].steady = true
end
-- Those that grow with the run: they have reached what they reached.
for _, name in ipairs { "modes_visited", "modes_mean", "modes_together", "jumps", "trips",
                        "ess", "ess_bulk", "ess_tail", "passes" } do
  figures[name].grows = true
end

local counted = { mode = true, position = true, step = true }

-- `names` of the coordinates, names and numbers of `arms`, where they are known.
function m.check_figure(name, of, names, arms)
  local row = figures[name]
  if not row then
    m.fail("there is no figure '" .. tostring(name) .. "'",
           m.suggest(name, m.sorted_keys(figures)))
  elseif of ~= nil and not row.of then
    m.fail("figure " .. name .. " is not of anything", "leave out of")
  elseif of == nil and row.needs then
    m.fail("figure " .. name .. " wants a " .. row.of,
           row.check and 'of = "1e6 rows", say' or "of = 1, say")
  elseif of ~= nil and counted[row.of] and type(of) ~= "number" then
    m.fail(("a %s is a number, not '%s'"):format(row.of, tostring(of)), "of = 1, say")
  elseif of ~= nil and row.check then
    row.check(of, arms)
  elseif row.of == "arm" and of ~= nil and arms and not arms[of] then
    m.fail("there is no arm '" .. tostring(of) .. "'", "of is the name of an arm")
  elseif type(of) == "number" then
    m.check_number("of", of, { whole = true, min = 1, max = 2 ^ 30 })
  end
  if names and of and row.of == "coordinate" then m.find_coordinate(names, of) end
  return row
end

-- A number, or nil and why there is none.
function m.figure(arm, name, of)
  local row = m.check_figure(name, of)
  local value = row[1](m.seen(arm), of)
  if value == value then return value end
  return nil, m.reason_of(arm.run, arm, row)
end
