-- Rules that end a run before its budget is spent. A rule consists of bounds on
-- figures, or is a function.
local m = ...
local core = m.core

-- The figures that rules may use, with the sign of the comparison. A growing figure must exceed its
-- bound; every other figure must fall below its bound.
local signs = {}
for name, row in next, m.figures do
  if row.stops then signs[name] = row.grows and ">" or "<" end
end

m.rows.stop = {
  every = { "number", "number of steps between tests of the rule; by default, it is tested at steps 100, 200 ..., then at intervals of a tenth of the current step",
            whole = true, min = 1, max = 2 ^ 53 },
  arm = { "string", "the arm that must meet the bounds; by default every arm" },
}
for name, sign in next, signs do
  m.rows.stop[name] = { "number", ("stop when the figure %s is %s this value"):format(name, sign == ">" and "above" or "below") }
end

local function bounds_of(rule)
  local list = {}
  for _, name in ipairs(m.sorted_keys(rule)) do
    if signs[name] then list[#list + 1] = { name = name, sign = signs[name], bound = rule[name] } end
  end
  return list
end

-- Checks a rule of a scenario or a script. Returns the figures that it reads, in the form of
-- claims.
function m.check_stop(rule, arms)
  m.check("stop", rule, m.rows.stop)
  local list = bounds_of(rule)
  if #list == 0 then
    m.fail("a stop rule needs a figure", "write stop = { rhat = 1.01, ess = 400 }")
  end
  local known = rule.arm == nil
  for _, arm in ipairs(arms or {}) do known = known or arm.name == rule.arm end
  if arms and not known then m.fail("there is no arm '" .. rule.arm .. "'", "write arm = \"NAME\", the name of an arm") end
  local claims = {}
  for i, one in ipairs(list) do claims[i] = { stat = one.name } end
  return claims
end

local function is_met(one, x)
  if not x then return false end
  if one.sign == "<" then return x < one.bound end
  return x > one.bound
end

-- Returns the reason why the rule is met, with the values of the arm that is nearest to the bound.
-- Returns nil if the rule is not met.
local function reason(run, rule, list)
  local said = {}
  for i, one in ipairs(list) do
    local worst
    for k = 1, #run.arms do
      local arm = run.arms[k]
      if rule.arm == nil or arm.name == rule.arm then
        local x = m.figure(arm, one.name)
        if not is_met(one, x) then return nil end
        local worse = worst and (one.sign == "<" and x > worst or one.sign == ">" and x < worst)
        if not worst or worse then worst = x end
      end
    end
    if not worst then return nil end
    said[i] = ("%s %.6g %s %.6g"):format(one.name, worst, one.sign, one.bound)
  end
  return table.concat(said, ", ")
end

-- Returns the next step at which a rule is tested. This step does not depend on how the steps are
-- divided between calls.
function m.next_look(every, after)
  if every then return (after // every + 1) * every end
  local step = 100
  while step <= after do step = step + math.max(100, step // 1000 * 100) end
  return step
end

-- Returns an event that tests a rule, and the event's function. A rule that has ended the run can
-- end it again only after the run has gone back to an earlier step.
local function looker(event, why)
  local ended
  function event.get() return ended or 0 end
  function event.put(step) ended = step > 0 and step or nil end
  function event.fits(step) return type(step) == "number" and step >= 0 end
  return event, function(run)
    if ended and run.steps < ended then ended = nil end
    local said = not ended and why(run)
    if not said then return false end
    ended = run.steps
    core.run_end_here(run, type(said) == "string" and said or "its rule is met")
    return true
  end
end

function m.stop_when(run, rule, every)
  if type(rule) == "function" then
    if every ~= nil then m.check_number("every", every, m.rows.stop.every) end
    return looker({ look = true, each = every, of = rule }, rule)
  elseif type(rule) ~= "table" then
    m.fail("a stop rule cannot be a " .. core.kind(rule), "write run:stop_when { rhat = 1.01, ess = 400 }, or a function")
  end
  local arms = {}
  for i = 1, #run.arms do arms[i] = { name = run.arms[i].name } end
  m.check_stop(rule, arms)
  local list = bounds_of(rule)
  return looker({ look = true, each = every or rule.every }, function(r) return reason(r, rule, list) end)
end
