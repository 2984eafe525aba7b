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

-- ---- coordinates with a number ----------------------------------------------

-- Figures of a coordinate and a number, by kind: the field of the number, the text form, and the
-- condition for the number.
local numbered = {
  level = {
    field = "percent", pattern = "^%s*(.-)%s+at%s+([%d.]+)%s*%%?%s*$", text = "%s at %g %%",
    takes = function(x) return x > 0 and x < 100 end,
    said = "a coordinate and a percentage", example = 'for example of = "mu at 97.5 %"',
  },
  lag = {
    field = "lag", pattern = "^%s*(.-)%s+at%s+lag%s+(%d+)%s*$", text = "%s at lag %d",
    takes = function(x) return x >= 0 and x % 1 == 0 end,
    said = "a coordinate and a lag", example = 'for example of = "mu", lag = 1, or of = "mu at lag 1"',
  },
  superchains = {
    field = "superchains", pattern = "^%s*(.-)%s+in%s+(%d+)%s+superchains%s*$", text = "%s in %d superchains", optional = true,
    worst = "in %d superchains", of_worst = "^%s*in%s+(%d+)%s+superchains%s*$", -- without a coordinate
    takes = function(x) return x >= 2 and x % 1 == 0 end,
    said = "a number of superchains, at least 2", example = 'for example of = "mu", superchains = 16, or of = "mu in 16 superchains"',
  },
}

-- Returns the coordinate (a name, a number or a function) and the number, of a text or a table
-- { of = coordinate, FIELD = number }. The coordinate is nil for the worst one.
local function read_numbered(row, of)
  local form = numbered[row.of]
  local what, x = of, nil
  if type(of) == "table" then what, x = of.of, of[form.field] end
  if x == nil and type(what) == "string" then
    local name, text = what:match(form.pattern)
    local number = form.of_worst and what:match(form.of_worst)
    if number then what, x = nil, tonumber(number)
    elseif name then what, x = tonumber(name) or name, tonumber(text) end
  end
  local missing = x == nil and not form.optional
  if missing or what == nil and not form.worst or x ~= nil and (type(x) ~= "number" or not form.takes(x)) then
    m.fail(("figure %s needs %s, not '%s'"):format(row.name, form.said, type(of) == "table" and tostring(x) or m.function_name(of)), form.example)
  end
  return what, x
end

-- Returns the argument of a claim's figure: `of`, with the number that the claim has in a field of
-- its own.
function m.of_claim(claim)
  local row = not claim.measure and figures[claim.stat]
  local form = row and numbered[row.of]
  for _, one in next, numbered do
    if claim[one.field] ~= nil and one ~= form then
      m.fail(("figure %s takes no %s"):format(claim.stat, one.field), "leave out the field `" .. one.field .. "`")
    end
  end
  if not form or claim[form.field] == nil then return claim.of end
  if claim.of == nil and not form.worst then m.fail("figure " .. claim.stat .. " needs " .. form.said, form.example) end
  return { of = claim.of, [form.field] = claim[form.field] }
end

-- Returns the coordinate of a figure's argument: a number, a name or a function; nil if the figure
-- is not one of a coordinate.
function m.coordinate_of(row, of)
  if of == nil then return nil end
  if row.of == "coordinate" then return of end
  return numbered[row.of] and (read_numbered(row, of)) or nil
end

-- Returns the argument in words: "mu at 90 %", or the line of a function. `name` (or nil) replaces
-- the coordinate or the function.
function m.argument_name(row, of, name)
  if of == nil then return nil end
  local form = row and numbered[row.of]
  if not form then return name or m.function_name(of) end
  local what, x = read_numbered(row, of)
  if what == nil then return x and form.worst:format(x) end
  name = name or m.function_name(what)
  return x and form.text:format(name, x) or name
end

-- Checks a coordinate, or a function of the draws.
local function check_coordinate(of, names)
  if of == nil then return end
  if m.is_function(of, names) then
    m.check_function(of, "expression", names)
    return
  elseif type(of) == "number" then
    m.check_number("of", of, { whole = true, min = 1, max = 2 ^ 30 - 1 })
  end
  if names then m.find_coordinate(names, of) end
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
           numbered[row.of] and numbered[row.of].example or "for example of = 1")
  elseif of ~= nil and counted[row.of] and type(of) ~= "number" then
    m.fail(("a %s must be a number, not '%s'"):format(row.of, tostring(of)), "for example of = 1")
  elseif of ~= nil and row.of == "condition" then
    m.check_function(of, "condition", names)
  elseif of ~= nil and (row.of == "coordinate" or numbered[row.of]) then
    check_coordinate(m.coordinate_of(row, of), names)
  elseif of ~= nil and row.of == "budget" then
    check_budget(row, of, arms)
  elseif row.of == "arm" and of ~= nil and arms and not arms[of] then
    m.fail("there is no arm '" .. tostring(of) .. "'", "write of = the name of an arm")
  elseif type(of) == "number" then
    m.check_number("of", of, { whole = true, min = 1, max = 2 ^ 30 })
  end
  return row
end

-- If the figure's argument gives no number of superchains, it is the number of the scenario's
-- starts, which chains use in turn. Returns a sentence if there are fewer than two starts.
function m.lacks_superchains(row, of, starts)
  if row.of ~= "superchains" or of ~= nil and select(2, read_numbered(row, of)) or starts >= 2 then return nil end
  return "rhat_nested needs a number of superchains, as `start` is not a list of several states: write superchains = 16"
end

-- Converts `of` to the form used by the core. This is a number, a number and a level, or a budget
-- with the index of the arm in the budget. Functions are added to `facts`, those of the whole arm;
-- NaN if the arm has no draws.
function m.resolve(row, run, of, facts)
  local worst = row.of and numbered[row.of] and numbered[row.of].worst
  if of == nil and not worst then return nil end
  if row.of == "arm" then return run:arm(of).index end
  if row.of == "condition" then return m.derive(facts, run, of, "condition") or 0 / 0 end
  if row.of == "coordinate" or numbered[row.of] then
    local what, x = of, nil
    if numbered[row.of] and of ~= nil then what, x = read_numbered(row, of) end
    local k
    if what == nil then
      k = nil -- the worst coordinate
    elseif m.is_function(what, run.coordinates) then
      k = m.derive(facts, run, what, "expression") or 0 / 0
    else
      k = m.find_coordinate(run.coordinates, what)
    end
    if not numbered[row.of] then return k end
    if row.of == "level" then x = x / 100 end
    return { k = k, level = x or core.run_memory(run).starts or 0 }
  end
  if row.of ~= "budget" then return of end
  local budget = read_budget(of)
  budget.arm = budget.arm and run:arm(budget.arm).index
  return budget
end

-- Returns the current data from which the figures of an arm are computed.
function m.seen(arm, groups) return core.facts(arm.run, arm.index, groups) end

-- If all draws of quantity k are equal, returns their value.
function m.is_constant(facts, k)
  local low = core.figure(facts, "quantile", { k = k, level = 0 })
  return low == core.figure(facts, "quantile", { k = k, level = 1 }) and low or nil
end

-- Returns whether quantity k is infinite or NaN in some draws; nil if this is not known.
function m.is_broken(arm, k)
  local report, facts = core.run_report_one(arm.run, arm.index, "diagnostics"), m.seen(arm)
  if not report or not report.n or report.n[1] == 0 then return nil end
  for level = 0, 1 do
    local edge = core.figure(facts, "quantile", { k = k, level = level })
    if edge - edge ~= 0 then return true end
  end
  return false
end

-- Returns the figure of an arm, or nil and the reason why it is not known.
function m.figure(arm, name, of)
  local row, facts = m.check_figure(name, of), m.seen(arm)
  local value = core.figure(facts, name, m.resolve(row, arm.run, of, facts))
  if value == value then return value end
  return nil, m.reason_of(arm.run, arm, row, of)
end
