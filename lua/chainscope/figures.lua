-- Figures (measured quantities such as ess) of an arm, which claims can use. The list of figures
-- is in the core (figure/figures.def). This file checks the arguments of figures.
local m = ...
local core = m.core

-- name -> { name, title, unit, help, probe (the probe that records the figure), of (kind of the
-- argument `of`), needs (true: `of` is required), good (1: more is better, -1: less), range, ...
-- }
local figures = core.figures()
for _, row in next, figures do
  row.timed = row.spread == "seeds" -- its error requires runs with several seeds
  row.counted = row.spread == "count" -- a count in this run, not an estimate
  -- True for a median, a maximum or a count of distinct values. The error of such a figure cannot
  -- be computed by leaving out one group of chains.
  row.resampled = row.spread == "bootstrap"
end
m.figures = figures

-- Returns the index of the coordinate that `of` names, by number or by name.
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

-- ---- budgets ---------------------------------------------------------------

-- Units of budgets. A budget has an amount and a unit, as in "2e6 rows". In "30 seconds from hmc"
-- it also names the arm whose mean is the reference value.
local units = { rows = "terms", seconds = "seconds", steps = "steps" }

local function read_budget(of)
  local much, what, rest = tostring(of):match "^%s*(%S+)%s+(%a+)(.*)$"
  local name = rest and rest:match "^%s+from%s+(.-)%s*$"
  much = tonumber(much)
  if not much or not (much > 0) or not units[what] or (rest:find "%S" and not name) then
    m.fail("'" .. tostring(of) .. "' is not a budget",
           'write of = "1e6 rows", "30 seconds" or "5000 steps" per chain; with an arm "1e6 rows from hmc"')
  end
  return { work = much, unit = units[what], arm = name }
end

local function check_budget(row, of, arms)
  local name = read_budget(of).arm
  if name and row.plain then
    m.fail("a figure of held-out data takes no reference arm", 'for example of = "1e6 rows"')
  elseif name and arms and not arms[name] then
    m.fail("there is no arm '" .. name .. "'", "write the name of an arm after `from`")
  end
end

-- ---- levels ----------------------------------------------------------------

-- Reads a coordinate and a percentage: "mu at 97.5 %".
local function read_level(name, of)
  local coordinate, percent = tostring(of):match "^%s*(.-)%s+at%s+([%d.]+)%s*%%?%s*$"
  percent = tonumber(percent)
  if not percent or not (percent > 0 and percent < 100) then
    m.fail(("figure %s needs a coordinate and a percentage, not '%s'"):format(name, tostring(of)), 'for example of = "mu at 97.5 %"')
  end
  return tonumber(coordinate) or coordinate, percent / 100
end

-- ---- questions -------------------------------------------------------------

local counted = { mode = true, position = true, step = true }

-- Checks a figure and the argument of the figure. `names` are the names of the coordinates,
-- and `arms` maps names of arms to indices. `names` is nil if the coordinates are not known,
-- and `arms` is nil if the arms are not known.
function m.check_figure(name, of, names, arms)
  local row = figures[name]
  if not row then
    m.fail("there is no figure '" .. tostring(name) .. "'",
           m.suggest(name, m.sorted_keys(figures)))
  elseif of ~= nil and not row.of then
    m.fail("figure " .. name .. " takes no argument", "leave out the argument `of`")
  elseif of == nil and row.needs then
    m.fail("figure " .. name .. " needs a " .. row.of,
           row.of == "budget" and 'for example of = "1e6 rows"' or
           row.of == "condition" and 'for example of = "mu > 0"' or
           row.of == "level" and 'for example of = "mu at 97.5 %"' or "for example of = 1")
  elseif of ~= nil and counted[row.of] and type(of) ~= "number" then
    m.fail(("a %s must be a number, not '%s'"):format(row.of, tostring(of)), "for example of = 1")
  elseif of ~= nil and row.of == "condition" then
    m.check_condition(of, names)
  elseif of ~= nil and row.of == "level" then
    local coordinate = read_level(name, of)
    if names then m.find_coordinate(names, coordinate) end
  elseif of ~= nil and row.of == "budget" then
    check_budget(row, of, arms)
  elseif row.of == "arm" and of ~= nil and arms and not arms[of] then
    m.fail("there is no arm '" .. tostring(of) .. "'", "write of = the name of an arm")
  elseif type(of) == "number" then
    m.check_number("of", of, { whole = true, min = 1, max = 2 ^ 30 })
  end
  if names and of and row.of == "coordinate" then m.find_coordinate(names, of) end
  return row
end

-- Converts `of` to the form used by the core. This is a number, or a budget
-- with the index of the arm in the budget.
function m.resolve(row, run, of)
  if of == nil then return nil end
  if row.of == "coordinate" then return of == 0 and 0 or m.find_coordinate(run.coordinates, of) end
  if row.of == "arm" then return run:arm(of).index end
  if row.of == "level" then
    local coordinate, level = read_level(row.name, of)
    return { k = coordinate == 0 and 0 or m.find_coordinate(run.coordinates, coordinate), level = level }
  end
  if row.of ~= "budget" then return of end
  local budget = read_budget(of)
  budget.arm = budget.arm and run:arm(budget.arm).index
  return budget
end

-- Returns the current data from which the figures of an arm are computed.
function m.seen(arm, groups) return core.facts(arm.run, arm.index, groups) end

-- Returns the figure of an arm, or nil and the reason why it is not known.
function m.figure(arm, name, of)
  local row = m.check_figure(name, of)
  local value
  if row.of == "condition" then
    value = m.look_condition({ run = arm.run, arm = arm, groups = 1 }, of).whole
  else
    value = core.figure(m.seen(arm), name, m.resolve(row, arm.run, of))
  end
  if value == value then return value end
  return nil, m.reason_of(arm.run, arm, row, of)
end
