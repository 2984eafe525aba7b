-- Figures of an arm that a claim can be held against: the list is the core's
-- (figure/figures.def); here is what their questions are checked by.
local m = ...
local core = m.core

-- name -> { name, title, unit, help, probe (what saw it), of (what `of` names), needs
-- (it must be given), good (1: more is better, -1: less), range, ... }
local figures = core.figures()
for _, row in next, figures do
  row.timed = row.spread == "seeds" -- chains do not tell its error, only seeds do
  row.counted = row.spread == "count" -- a count of this run, not an estimate
  -- A median, a maximum, a count of what is different, whose error leaving out one
  -- group of chains does not tell.
  row.resampled = row.spread == "bootstrap"
end
m.figures = figures

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

-- ---- budgets ---------------------------------------------------------------

-- "2e6 rows", "30 seconds from hmc": how much, of what, the arm whose mean is right.
local units = { rows = "terms", seconds = "seconds", steps = "steps" }

local function read_budget(of)
  local much, what, rest = tostring(of):match "^%s*(%S+)%s+(%a+)(.*)$"
  local name = rest and rest:match "^%s+from%s+(.-)%s*$"
  much = tonumber(much)
  if not much or not (much > 0) or not units[what] or (rest:find "%S" and not name) then
    m.fail("'" .. tostring(of) .. "' says no budget",
           'of = "1e6 rows", "30 seconds" or "5000 steps" of a chain; from an arm: "1e6 rows from hmc"')
  end
  return { work = much, unit = units[what], arm = name }
end

local function check_budget(row, of, arms)
  local name = read_budget(of).arm
  if name and row.plain then
    m.fail("what is held out says what is right: no arm does", 'of = "1e6 rows", say')
  elseif name and arms and not arms[name] then
    m.fail("there is no arm '" .. name .. "'", "after from stands the name of an arm")
  end
end

-- ---- questions -------------------------------------------------------------

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
           row.of == "budget" and 'of = "1e6 rows", say' or "of = 1, say")
  elseif of ~= nil and counted[row.of] and type(of) ~= "number" then
    m.fail(("a %s is a number, not '%s'"):format(row.of, tostring(of)), "of = 1, say")
  elseif of ~= nil and row.of == "budget" then
    check_budget(row, of, arms)
  elseif row.of == "arm" and of ~= nil and arms and not arms[of] then
    m.fail("there is no arm '" .. tostring(of) .. "'", "of is the name of an arm")
  elseif type(of) == "number" then
    m.check_number("of", of, { whole = true, min = 1, max = 2 ^ 30 })
  end
  if names and of and row.of == "coordinate" then m.find_coordinate(names, of) end
  return row
end

-- What `of` names, as the core takes it: a number, or a budget with that of an arm.
function m.resolve(row, run, of)
  if of == nil then return nil end
  if row.of == "coordinate" then return of == 0 and 0 or m.find_coordinate(run.coordinates, of) end
  if row.of == "arm" then return run:arm(of).index end
  if row.of ~= "budget" then return of end
  local budget = read_budget(of)
  budget.arm = budget.arm and run:arm(budget.arm).index
  return budget
end

-- What the figures of an arm, as it is now, are found from.
function m.seen(arm, groups) return core.facts(arm.run, arm.index, groups) end

-- A number, or nil and why there is none.
function m.figure(arm, name, of)
  local row = m.check_figure(name, of)
  local value = core.figure(m.seen(arm), name, m.resolve(row, arm.run, of))
  if value == value then return value end
  return nil, m.reason_of(arm.run, arm, row)
end
