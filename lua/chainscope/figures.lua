-- Figures of an arm that a claim can be held against: one row each.
local m = ...
local core, cs = m.core, m.cs
local abs, log, huge = math.abs, math.log, math.huge
local nan = 0 / 0

-- ---- what figures look at ------------------------------------------------

-- An arm, whole or a sample of its chains: what it would have said of them tells
-- how sure it is. A sample lists groups of chains, some perhaps more than once:
-- group g of `groups` has the units g, g + groups ..., a unit being the chains
-- that belong together. Samples of one time share a table for what is best
-- found for all of them at once.
local Seen = {}
Seen.__index = Seen

function m.seen(arm, sample, shared)
  local s = { run = arm.run, index = arm.index, chains = {}, units = {}, reports = {},
              sample = sample, shared = shared or {} }
  local units = #arm.chains // arm.group
  for _, g in ipairs(sample or { 1 }) do
    for unit = g, units, sample and sample.groups or 1 do
      s.units[#s.units + 1] = unit
      for i = (unit - 1) * arm.group + 1, unit * arm.group do
        s.chains[#s.chains + 1] = arm:chain(i)
      end
    end
  end
  local part = #s.chains / #arm.chains
  s.work = arm.evaluations * part
  s.gradients = arm.gradients * part
  s.data_terms, s.passes = arm.data_terms * part, arm.passes
  s.simulations, s.site_updates = arm.simulations * part, arm.site_updates * part
  s.steps = arm.steps * #s.chains
  s.warm_up, s.group = arm.warm_up, arm.group
  s.seconds = arm.seconds * part
  return setmetatable(s, Seen)
end

function Seen:report(key)
  local probe, rest = key:match("^([%w_]+)/(.*)$")
  local all = self.reports[probe]
  if not all then
    local sample = self.sample
    all = core.run_report_one(self.run, self.index, probe, sample, sample and sample.groups) or {}
    self.reports[probe] = all
  end
  return all[rest]
end

-- ---- what figures are made of --------------------------------------------

local function share(arm, what)
  local steps, n = 0, 0
  for _, chain in ipairs(arm.chains) do
    local t = chain:tally()
    steps, n = steps + t.steps, n + t[what]
  end
  return n / steps
end

local function total(arm, what)
  local n = 0
  for _, chain in ipairs(arm.chains) do n = n + (chain:tally()[what] or nan) end
  return n
end

-- Visits to each mode, one list a chain; or of the entry `key`.
local function visits(arm, key)
  local rows = arm:report(key or "modes/visits")
  if not rows then return {} end
  return type(rows[1]) == "table" and rows or { rows }
end

local function visited(row)
  local n = 0
  for _, v in ipairs(row) do n = n + (v > 0 and 1 or 0) end
  return n
end

local function median(list)
  table.sort(list)
  local half = #list // 2
  if #list % 2 == 1 then return list[half + 1] end
  return half > 0 and (list[half] + list[half + 1]) / 2 or nan
end

local function mean(list)
  local sum = 0
  for _, x in ipairs(list) do sum = sum + x end
  return sum / #list
end

-- Shares of the visits to each mode, all chains together, by the weights of the
-- draws.
local function shares(arm)
  local sums, total = {}, 0
  for _, row in ipairs(visits(arm, arm:report("modes/mass") and "modes/mass")) do
    for k, v in ipairs(row) do
      sums[k], total = (sums[k] or 0) + v, total + v
    end
  end
  for k, v in ipairs(sums) do sums[k] = v / total end
  return sums
end

-- Sum of f(share, weight) over the modes.
local function compare(arm, f)
  local weight, sum = arm:report("modes/weight"), 0
  local share_of = shares(arm)
  if not weight or #share_of == 0 then return nan end
  for k, e in ipairs(share_of) do sum = sum + f(e, weight[k]) end
  return sum, #share_of
end

-- The number of the coordinate of that number or name.
function m.find_coordinate(names, of)
  if type(of) == "number" and of <= #names then return of end
  for i, name in ipairs(names) do
    if name == of then return i end
  end
  if type(of) == "number" then
    m.fail("of = " .. of .. " is out of range", "use a coordinate from 1 to " .. #names)
  end
  m.fail("there is no coordinate '" .. tostring(of) .. "'", m.suggest(of, names))
end

local find_coordinate = m.find_coordinate

local function coordinate(arm, of)
  return of == 0 and 0 or find_coordinate(arm.run.coordinates, of)
end

-- A probe watches the first coordinates, so many as it is told.
local function unwatched(probe, of, n)
  m.fail(("coordinate %s is not watched: probe %s looks at the first %d"):format(of, probe, n),
         ("probes = { %s = { coordinates = %d } }"):format(probe, of))
end

-- Of the table of the probe diagnostics, a row for the log density and for each
-- coordinate, the columns are:
local columns = { mean = 1, sd = 2, rhat = 3, bulk = 4, tail = 5, mcse = 6, ess = 7 }

local function diagnosis(arm, k)
  local sample = arm.sample
  return core.run_diagnosis(arm.run, arm.index, k, sample, sample and sample.groups)
end

-- The scalar that is worst of the log density (0) and all coordinates, as the summary
-- has it. Constants have no such figures.
local function find_worst(arm, column, worse)
  local worst, at = nan, nil
  for i, row in ipairs(arm:report("diagnostics/table") or {}) do
    local x = row[column]
    if x == x and (not at or worse(worst, x) ~= worst) then worst, at = x, i - 1 end
  end
  return at
end

-- The figure of a coordinate (of 0: of the log density); else the worst, and which
-- it is of: in a sample of the chains that of the scalar which is the worst of all.
local function diagnosed(name, worse)
  local column = columns[name]
  return function(arm, of)
    local k, at = of and coordinate(arm, of), nil
    if not k then
      at = arm.shared[name] or find_worst(arm, column, worse)
      arm.shared[name], k = at, at
    end
    local row = k and diagnosis(arm, k)
    if k and not row and diagnosis(arm, 0) then
      m.fail(("memory does not hold the draws of coordinate %s"):format(of), "run fewer chains")
    end
    return row and row[column] or nan, at
  end
end
local mean_of, sd_of = diagnosed "mean", diagnosed "sd"

-- Not of the kernel's estimate of it.
local function of_logp(f)
  return function(arm)
    if arm:report("diagnostics/logp") then return nan end
    return f(arm, 0)
  end
end

-- The largest of what the probe distance calls by this name ("ks" of all
-- coordinates).
local function distance(name)
  return function(arm)
    local worst, values, i = nan, arm:report("distance/values"), 0
    for word in (arm:report("distance/names") or ""):gmatch("%S+") do
      i = i + 1
      if word:match("^%w+") == name and not (values[i] <= worst) then
        worst = values[i]
      end
    end
    return worst
  end
end

-- One number of a report.
local function reported(key, column)
  return function(arm) return (arm:report(key) or {})[column] or nan end
end

-- What the curve of the probe mmd was last by a step, warm-up counted.
local function discrepancy_at(arm, step)
  local times, curve, last = arm:report("mmd/time") or {}, arm:report("mmd/curve"), nan
  for i, time in ipairs(times) do
    if time + arm.warm_up <= step then last = curve[i] end
  end
  return last
end

-- Log of its mean over the later half of the run, a warm-up counted.
local function late_discrepancy(arm)
  local times, curve, sum, n = arm:report("mmd/time") or {}, arm:report("mmd/curve"), 0, 0
  for i, time in ipairs(times) do
    if time + arm.warm_up > arm.run.steps / 2 then
      sum, n = sum + math.exp(curve[i]), n + 1
    end
  end
  return n > 0 and log(sum / n) or nan
end

-- What the diagnostics say of all sites.
local function number_of(arm, key)
  local x = arm:report("diagnostics/" .. key)
  if type(x) == "table" then x = x[1] end
  return x or nan
end

local function moment(key)
  return function(arm, of)
    local all = arm:report("moments/" .. key)
    if not all then return nan end
    local k = coordinate(arm, of)
    return all[k] or unwatched("moments", k, #all)
  end
end

-- A column of what the probe `tours` says of each chain: the mean over chains.
local function of_tours(column)
  return function(arm)
    local rows, list = arm:report("tours/chains") or {}, {}
    if type(rows[1]) ~= "table" then rows = { rows } end
    for i, row in ipairs(rows) do list[i] = row[column] end
    return #list > 0 and mean(list) or nan
  end
end

-- ---- the error of the mean against what it took ---------------------------

-- Rows of a report, where there is one row too.
local function rows_of(arm, key)
  local rows = arm:report(key)
  return rows and (type(rows[1]) == "table" and rows or { rows })
end

-- What the probe means has seen of another arm in the end: means, and standard deviations.
local function reference(arm, name)
  local known = arm.shared.references or {}
  arm.shared.references = known
  if not known[name] then
    local other = m.seen(arm.run:arm(name))
    local mean = rows_of(other, "means/mean")
    known[name] = { mean = mean and mean[#mean], sd = other:report "means/sd" }
  end
  return known[name].mean and known[name]
end

-- The mean square error at each time of the probe means, in variances; from the
-- exact means, or from those of the arm `name`.
local function errors_of_mean(arm, name)
  if not name then return arm:report "means/mse" end
  local mean, spread, from = rows_of(arm, "means/mean"), rows_of(arm, "means/spread"), reference(arm, name)
  if not mean or not from then return nil end
  local out = {}
  for i, row in ipairs(mean) do
    local sum = 0
    for k, x in ipairs(row) do
      sum = sum + (spread[i][k] + (x - from.mean[k]) ^ 2) / from.sd[k] ^ 2
    end
    out[i] = sum / #row
  end
  return out
end

-- "2e6 rows", "30 seconds from hmc": how much, of what, the arm whose mean is right.
local budgets = { rows = "data_terms", seconds = "seconds", steps = "steps" }

local function read_budget(of)
  local much, what, rest = tostring(of):match "^%s*(%S+)%s+(%a+)(.*)$"
  local name = rest and rest:match "^%s+from%s+(.-)%s*$"
  much = tonumber(much)
  if not much or not (much > 0) or not budgets[what] or (rest:find "%S" and not name) then
    m.fail("'" .. tostring(of) .. "' says no budget",
           'of = "1e6 rows", "30 seconds" or "5000 steps" of a chain; from an arm: "1e6 rows from hmc"')
  end
  return much, what, name
end

local function check_budget(of, arms)
  local _, _, name = read_budget(of)
  if name and arms and not arms[name] then
    m.fail("there is no arm '" .. name .. "'", "after from stands the name of an arm")
  end
end

-- A row of values at the times of the probe means, after so much work: between two
-- times f(y, e, part), of their values and the part of the way in logarithms; nan
-- beyond the last.
local function course_at(arm, much, what, values, between)
  local times, a_step = arm:report "means/time", arm[budgets[what]] / arm.steps
  local x, y
  if what == "steps" then a_step = 1 end
  for i, time in ipairs(values and times or {}) do
    local now, e = (time + arm.warm_up) * a_step, values[i]
    if now >= much then
      if not x or now == much then return now == much and e or nan end
      return between(y, e, log(much / x) / log(now / x))
    end
    x, y = now, e
  end
  return nan
end

-- On a straight line of logarithms.
local function error_at(arm, of)
  local much, what, name = read_budget(of)
  return course_at(arm, much, what, errors_of_mean(arm, name), function(y, e, part)
    return math.exp(log(y) * (1 - part) + log(e) * part)
  end)
end

local function accuracy_at(arm, of)
  local much, what = read_budget(of)
  return course_at(arm, much, what, arm:report "means/accuracy", function(y, e, part)
    return y * (1 - part) + e * part
  end)
end

local function check_plain_budget(of)
  local _, _, name = read_budget(of)
  if name then m.fail("what is held out says what is right: no arm does", 'of = "1e6 rows", say') end
end

-- Distances of Kolmogorov and Smirnov of all coordinates, from what is exact or from
-- the arm `of`; sorted once for all samples.
local function distances(arm, of)
  local key, known = of or false, arm.shared.sorted or {}
  arm.shared.sorted = known
  if known[key] == nil then
    known[key] = core.run_sorted(arm.run, arm.index, of and arm.run:arm(of).index) or false
  end
  if not known[key] then return nil end
  return core.run_ks(known[key], arm.group, arm.sample, arm.sample and arm.sample.groups)
end

local function ranked_distance(which)
  return function(arm, of)
    local list = distances(arm, of)
    if not list then return nan end
    table.sort(list)
    return which == "median" and median(list) or list[which == "max" and #list or 1]
  end
end

-- Effective draws of the coordinate that has the least, the median, the most of
-- all, and which it is: in a sample of the chains that of this one.
local function ranked_size(which)
  return function(arm, of)
    local name, at = "size " .. which, of or nil
    at = at or arm.shared[name]
    if not at then
      local list = {}
      for k, row in ipairs(arm:report "diagnostics/table" or {}) do
        local x = row[columns.ess]
        if k > 1 and x == x then list[#list + 1] = { x, k - 1 } end
      end
      table.sort(list, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
      local n = #list
      local one = list[which == "min" and 1 or which == "max" and n or (n + 1) // 2]
      at = one and one[2]
      arm.shared[name] = at
    end
    local row = at and diagnosis(arm, at)
    return row and row[columns.ess] or nan, at
  end
end

-- The same for so much of what it took: of all chains, as the draws are.
local function size_per(which, field, unit)
  local size = ranked_size(which)
  return function(arm, of)
    local n, at = size(arm, of)
    return arm[field] > 0 and n / (arm[field] / unit) or nan, at
  end
end

-- What the mean of a chain's kept draws predicts: the mean over chains.
local function averaged(what)
  return function(arm)
    local known, sum = arm.shared.averages or {}, 0
    arm.shared.averages = known
    for _, chain in ipairs(arm.chains) do
      known[chain.index] = known[chain.index] or chain:held_out() or {}
      sum = sum + (known[chain.index][what] or nan)
    end
    return sum / #arm.chains
  end
end

-- ---- the table -----------------------------------------------------------

-- name = { function(arm, of), help, probe = what saw it, of = what `of` names,
-- needs = true when it must be given, check = what refuses a wrong one, timed = true when chains do not tell its
-- error, only seeds do; counted = true when it is a count of this run and not an
-- estimate; resampled = true for a median, a quartile, a maximum, a count of what
-- is different, whose error leaving out one group does not tell; range: the least
-- and the most that it can be of one chain, where it is a mean over chains }.
-- A figure that is the worst of all coordinates gives its coordinate as well:
-- its error is that of this one.
local figures = {
  acceptance = { function(arm) return share(arm, "accepted") end,
    "share of the proposals that were accepted", range = { 0, 1 } },
  cycle_acceptance = { function(arm, of)
      local all, at = arm:report("cycle/acceptance") or {}, of or 1
      for k, share in ipairs(all) do
        if not of and share < all[at] then at = k end
      end
      return all[at] or nan, at
    end, "mean acceptance at position `of` of the cycle, else the least of all positions", of = "position",
    probe = "cycle", range = { 0, 1 } },
  moved = { function(arm) return share(arm, "moved") end,
    "share of the steps that changed the state", range = { 0, 1 } },
  modes_visited = { function(arm)
      local n = {}
      for i, row in ipairs(visits(arm)) do n[i] = visited(row) end
      return median(n)
    end, "modes that a chain has visited: the median over chains", probe = "modes",
    resampled = true },
  modes_mean = { function(arm)
      local n = {}
      for i, row in ipairs(visits(arm)) do n[i] = visited(row) end
      return mean(n)
    end, "modes that a chain has visited: the mean over chains", probe = "modes" },
  modes_together = { function(arm)
      local any = {}
      for _, row in ipairs(visits(arm)) do
        for k, v in ipairs(row) do any[k] = (any[k] or 0) + v end
      end
      return visited(any)
    end,
    "modes that at least one chain has visited", probe = "modes", resampled = true },
  mode_share = { function(arm, of) return shares(arm)[of] or nan end,
    "share of the visits that went to mode `of`", of = "mode", needs = true, probe = "modes",
    range = { 0, 1 } },
  mode_entropy = { function(arm)
      local sum, n = 0, 0
      for _, e in ipairs(shares(arm)) do
        sum, n = sum - (e > 0 and e * log(e) or 0), n + 1
      end
      return sum / log(n)
    end, "entropy of the visits over its largest value: 1 = all modes alike", probe = "modes" },
  mode_tv = { function(arm)
      return (compare(arm, function(e, w) return abs(e - w) / 2 end))
    end, "total variation between visits and exact weights of the modes", probe = "modes" },
  mode_kl = { function(arm)
      return (compare(arm, function(e, w) return e > 0 and e * log(e / w) or 0 end))
    end, "Kullback-Leibler divergence of the visits from the exact weights", probe = "modes" },
  mode_error = { function(arm)
      local sum, n = compare(arm, function(e, w) return abs(e - w) end)
      return n and log(sum / n) or nan
    end, "log of the mean absolute error of the modes' shares", probe = "modes" },
  jumps = { function(arm)
      local all = arm:report("modes/jumps")
      return all and mean(all) or nan
    end, "jumps from mode to mode: the mean over chains", probe = "modes" },
  tours = { of_tours(1), "distinct tours that a chain has seen: the mean over chains",
    probe = "tours" },
  tour_cost = { of_tours(2), "mean cost of a chain's distinct tours: the mean over chains",
    probe = "tours" },
  tour_cost_sd = { of_tours(3),
    "standard deviation of the costs of a chain's distinct tours: the mean over chains",
    probe = "tours" },
  tour_best = { of_tours(4), "cost of a chain's best tour: the mean over chains", probe = "tours" },
  tour_mismatch = { of_tours(5),
    "mean mismatch count of a chain's distinct tours to its best: the mean over chains",
    probe = "tours" },
  tour_mismatch_sd = { of_tours(6), "standard deviation of that count: the mean over chains",
    probe = "tours" },
  tour_visits = { of_tours(7), "mean cost of all visits, often or not: the mean over chains",
    probe = "tours" },
  held_out = { function(arm)
      local all = arm.shared.held_out
        or core.run_held_out(arm.run, arm.index, arm.shared.groups) or {}
      arm.shared.held_out = all
      return all[1 + (arm.sample and arm.sample.without or 0)] or nan
    end,
    "root mean square error, on data held out, of what the chains predict in the mean" },
  average_rmse = { averaged "rmse",
    "root mean square error, on data held out, of the mean prediction of a chain's kept draws, by their weights: the mean over chains" },
  average_accuracy = { averaged "accuracy",
    "share of the data held out whose class that mean finds: the mean over chains", range = { 0, 1 } },
  average_log_score = { averaged "log_score",
    "mean log probability (density) of the data held out, each of the mean of a chain's kept draws by their weights: the mean over chains" },
  mean = { moment "mean", "mean of coordinate `of`", of = "coordinate", needs = true, probe = "moments" },
  sd = { moment "sd", "standard deviation of coordinate `of`", of = "coordinate", needs = true, probe = "moments" },
  mean_error = { reported("moments/error", 1),
    "root mean square error of the means, in exact standard deviations", probe = "moments" },
  sd_error = { reported("moments/error", 3),
    "root mean square of the log errors of the standard deviations", probe = "moments" },
  log_density = { of_logp(mean_of), "mean of the log density", probe = "diagnostics", logp = true },
  log_density_sd = { of_logp(sd_of), "standard deviation of the log density", probe = "diagnostics", logp = true },
  rhat = { diagnosed("rhat", math.max), "R-hat of a coordinate, else the largest of all and of the log density",
    of = "coordinate", probe = "diagnostics" },
  ess = { diagnosed("ess", math.min),
    "effective size for the mean of a coordinate, else the smallest of all and of the log density",
    of = "coordinate", probe = "diagnostics" },
  ess_bulk = { diagnosed("bulk", math.min), "bulk effective size of the draws kept",
    of = "coordinate", probe = "diagnostics" },
  ess_tail = { diagnosed("tail", math.min), "effective size in the tails", of = "coordinate", probe = "diagnostics" },
  mcse = { diagnosed("mcse", math.max), "Monte Carlo error of a mean, else the largest of all and of the log density",
    of = "coordinate", probe = "diagnostics" },
  ess_per_work = { function(arm, of)
      local ess, at = m.figures.ess[1](arm, of)
      return 1000 * ess / arm.work, at
    end, "effective size for the mean of a coordinate, else the smallest of all and of the log density, for 1000 evaluations: log densities, gradients and passes over all sites; with rows of data, for 1000 passes over them, be it by batches",
    of = "coordinate", probe = "diagnostics" },
  ess_per_second_min = { size_per("min", "seconds", 1),
    "effective draws of the mean in a second of processor time, of the coordinate that has the fewest",
    probe = "diagnostics", timed = true },
  ess_per_second_median = { size_per("median", "seconds", 1),
    "the same of the median coordinate", probe = "diagnostics", timed = true },
  ess_per_second_max = { size_per("max", "seconds", 1),
    "the same of the coordinate that has the most", probe = "diagnostics", timed = true },
  ess_per_million_rows_min = { size_per("min", "data_terms", 1e6),
    "effective draws of the mean for a million rows of data, each time one is looked at, of the coordinate that has the fewest",
    probe = "diagnostics" },
  ess_per_million_rows_median = { size_per("median", "data_terms", 1e6),
    "the same of the median coordinate", probe = "diagnostics" },
  ess_per_million_rows_max = { size_per("max", "data_terms", 1e6),
    "the same of the coordinate that has the most", probe = "diagnostics" },
  mse = { function(arm, of)
      local all = errors_of_mean(arm, of)
      return all and all[#all] or nan
    end, "mean square error of a chain's mean in the end, over coordinates and chains, in variances: 1 / n for n independent draws; from the exact means, else from that of the arm `of`",
    of = "arm", probe = "means" },
  mse_at = { error_at,
    "the same after so much work of a chain: of = \"1e6 rows\", \"30 seconds\" of processor time, \"5000 steps\", a warm-up counted; \"1e6 rows from hmc\": from the mean of the arm hmc",
    of = "budget", needs = true, check = check_budget, probe = "means" },
  mean_accuracy = { function(arm)
      local all = arm:report "means/accuracy"
      return all and all[#all] or nan
    end, "share of the data held out whose class the mean of a chain's draws finds, the mean over chains; the probe means must watch all coordinates",
    probe = "means", range = { 0, 1 } },
  mean_accuracy_at = { accuracy_at,
    "the same after so much work of a chain: of = \"1e6 rows\", \"30 seconds\" of processor time, \"5000 steps\", a warm-up counted",
    of = "budget", needs = true, check = check_plain_budget, probe = "means", range = { 0, 1 } },
  hamming = { reported("movement/all", 2),
    "sites that a step changes: the mean Hamming distance", probe = "movement" },
  hamming_accepted = { reported("movement/all", 3),
    "sites that an accepted step changes, on average", probe = "movement" },
  jump = { reported("movement/all", 4),
    "expected squared jumping distance: the mean of |x' - x|^2", probe = "movement" },
  gap = { reported("movement/gap", 1),
    "distance |x - a| to the auxiliary variable of the kernel, where it has one: the mean",
    probe = "movement" },
  curvature_mean = { reported("curvature/eigenvalues", 1),
    "eigenvalues of the Hessian along the chains, pooled: their mean", probe = "curvature" },
  curvature_sd = { reported("curvature/eigenvalues", 2),
    "eigenvalues of the Hessian along the chains, pooled: their standard deviation, divisor n", probe = "curvature" },
  curvature_iqr = { reported("curvature/eigenvalues", 3),
    "eigenvalues of the Hessian along the chains, pooled: their interquartile range", probe = "curvature",
    resampled = true },
  log_mmd = { late_discrepancy,
    "log of the mean discrepancy from the reference, over the later half of the run's steps",
    probe = "mmd" },
  log_mmd_at = { discrepancy_at,
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
  rows_drawn = { reported("rows/drawn", 2),
    "rows of data that a step draws at random: the mean", probe = "rows" },
  rows_kept = { reported("rows/kept", 2),
    "rows of data that a step keeps of those it drew, after thinning: the mean", probe = "rows" },
  passes = { function(arm) return arm.passes end,
    "passes over the rows of data that a chain has made: its data terms over the rows", counted = true },
  step_time = { function(arm) return 1e6 * arm.seconds / arm.steps end,
    "processor time of a step of a chain, in microseconds", timed = true },
  relative_time = { function(arm, of)
      local other = m.seen(arm.run:arm(of))
      return arm.seconds / arm.steps / (other.seconds / other.steps)
    end, "processor time of a step, over that of the arm `of`", of = "arm", needs = true, timed = true },
  tv = { distance "tv", "total variation from the exact distribution, where that is known", probe = "distance" },
  kl = { distance "kl", "Kullback-Leibler divergence from the exact distribution", probe = "distance" },
  chi2 = { distance "chi2", "chi-square from the exact distribution: the sum of (share - p)^2 / p", probe = "distance" },
  ks = { distance "ks", "largest Kolmogorov distance of a coordinate from its exact distribution", probe = "distance",
    resampled = true },
  ks_min = { ranked_distance "min",
    "Kolmogorov distance of an arm's kept draws from the exact ones, of the coordinate where it is least; from those of the arm `of`, where given",
    of = "arm", resampled = true },
  ks_median = { ranked_distance "median", "the same, the median of all coordinates", of = "arm", resampled = true },
  ks_max = { ranked_distance "max", "the same, of the coordinate where it is largest", of = "arm", resampled = true },
  tv_plane = { reported("plane/tv", 1), "total variation on the plane that is shown", probe = "plane" },
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
  alike = { function(arm) return number_of(arm, "alike") end,
    "chance that chains of one law differ as much as these at the site where they differ most: a chi-square corrected for autocorrelation, times the number of sites; of a discrete state",
    probe = "diagnostics", counted = true },
  sites_stuck = { function(arm) return number_of(arm, "never") + number_of(arm, "apart") end,
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
  divergent = { function(arm) return total(arm, "divergent") end,
    "steps of all chains whose trajectory gained over 1000 nats of energy or overflowed; above 0, a part of the target is out of reach", counted = true },
  ebfmi = { function(arm) return total(arm, "ebfmi") / #arm.chains end,
    "E-BFMI of trajectories: squared changes of the energy from draw to draw over its squares about the mean; the mean over chains, of at least 100 draws. Below 0.3 momenta change the energy by too little" },
  not_finite = { function(arm) return total(arm, "not_finite") end,
    "steps of all chains that met a log density or gradient that is not a number, and were refused", counted = true },
}
m.figures = figures
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
  if names and of and row.of == "coordinate" then find_coordinate(names, of) end
  return row
end

-- The largest coordinate of each probe's that claims are about, and the claim.
local function asked_of(claims, names)
  local most, by = {}, {}
  for _, claim in ipairs(claims) do
    local row = not claim.measure and figures[claim.stat]
    if row and row.of == "coordinate" and claim.of then
      local k = find_coordinate(names, claim.of)
      if k > (most[row.probe] or 0) then most[row.probe], by[row.probe] = k, claim end
    end
  end
  return most, by
end

local function row_of(rows, name)
  for _, row in ipairs(rows) do
    if row.name == name then return row end
  end
end

-- What claims are about is watched; but the probe cycle only when it is named,
-- since its period is the schedule's. Probes look at the first coordinates only, since each costs at every step:
-- those of the list `probes` (nil: the usual ones) at as many as claims ask for.
function m.watch_claimed(probes, claims, names)
  local known, list = core.probes(), { others = not probes or probes.others }
  local most, by = asked_of(claims, names)
  local there = {}
  for i, one in ipairs(probes or {}) do list[i], there[one.name] = one, true end
  for _, claim in ipairs(claims) do
    local probe = not claim.measure and figures[claim.stat].probe
    local asked = known[probe] and known[probe].asked
    if known[probe] and probe ~= "cycle" and not there[probe] and (asked or not list.others) then
      list[#list + 1], there[probe] = { name = probe, fields = {}, if_fits = not asked }, true
    end
  end
  for _, probe in ipairs(m.sorted_keys(most)) do
    local row, k, at = row_of(known[probe], "coordinates"), most[probe], #list + 1
    for i, one in ipairs(list) do if one.name == probe then at = i end end
    local told = list[at] and list[at].fields.coordinates
    if probe == "diagnostics" then -- looks at all, at these at each step
      k = math.min(k, row.max)
      told = told and math.max(told, k)
    end
    local what = ("a claim is about %s of coordinate %d"):format(by[probe].stat, k)
    if k > row.max then
      m.fail(("%s: probe %s looks at %d at most"):format(what, probe, row.max),
             "declare it among the first of params, or claim its mean or sd")
    elseif told and told < k then
      m.fail(("%s: probe %s looks at the first %d"):format(what, probe, told),
             ("probes = { %s = { coordinates = %d } }"):format(probe, k))
    elseif not told and k > row.default and (list[at] or list.others) then
      local fields = { coordinates = k }
      for name, value in next, list[at] and list[at].fields or {} do fields[name] = value end
      list[at] = { name = probe, fields = fields }
    end
  end
  return (probes or #list > 0) and list or nil
end

-- A number, or nil and why there is none.
function m.figure(arm, name, of)
  local row = m.check_figure(name, of)
  local value = row[1](m.seen(arm), of)
  if value == value then return value end
  return nil, m.reason_of(arm.run, arm, row)
end
