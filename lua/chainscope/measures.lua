-- What figures are made of: an arm or a sample of its chains, what probes report of
-- them, and numbers made of these.
local m = ...
local core = m.core
local log = math.log
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

local function coordinate(arm, of)
  return of == 0 and 0 or m.find_coordinate(arm.run.coordinates, of)
end

-- A probe watches the first coordinates, so many as it is told.
local function unwatched(probe, of, n)
  m.fail(("coordinate %s is not watched: probe %s looks at the first %d"):format(of, probe, n),
         ("probes = { %s = { coordinates = %d } }"):format(probe, of))
end

-- Of the table of the probe diagnostics, a row for the log density and for each
-- coordinate, the columns are:
local columns = { mean = 1, sd = 2, rhat = 3, bulk = 4, tail = 5, mcse = 6, ess = 7 }

-- With `alike` of the same draws as those of all others.
local function diagnosis(arm, k, alike)
  local sample = arm.sample
  return core.run_diagnosis(arm.run, arm.index, k, sample, sample and sample.groups, alike)
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
    local row = k and diagnosis(arm, k, at ~= nil)
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
    if core.run_logp_kind(arm.run, arm.index) ~= "exact" then return nan end
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
    local row = at and diagnosis(arm, at, true)
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

m.measures = {
  share = share, total = total, visits = visits, visited = visited, median = median,
  mean = mean, shares = shares, compare = compare, diagnosed = diagnosed,
  of_logp = of_logp, distance = distance, reported = reported,
  discrepancy_at = discrepancy_at, late_discrepancy = late_discrepancy,
  number_of = number_of, moment = moment, of_tours = of_tours,
  errors_of_mean = errors_of_mean, check_budget = check_budget, error_at = error_at,
  accuracy_at = accuracy_at, check_plain_budget = check_plain_budget,
  ranked_distance = ranked_distance, size_per = size_per, averaged = averaged,
  mean_of = mean_of, sd_of = sd_of,
}
