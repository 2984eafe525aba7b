-- A set is a setting with which a run is opened, in addition to the scenario. The user gives sets
-- such as "arm.step=0.3"; the program gives options.
local m = ...
local core = m.core
local floor = math.floor

-- Options of the program: "full=1" selects the full setting; "read=1" updates
-- only the probes that are read at the end.
local manners = { ["full=1"] = true, ["read=1"] = true }
function m.is_manner(set) return manners[set] == true end

-- Returns the changes to the arms in order, and the other sets. The changes of a saved run come
-- first. They are followed by the changes in sets of the form "arms#1=drop walk".
function m.arm_changes(t, sets)
  local changes, others = {}, {}
  for i, text in ipairs(t.arm_changes or {}) do changes[i] = text end
  for _, set in ipairs(sets) do
    local text = set:match "^arms#%d+=(.*)$"
    if text then changes[#changes + 1] = text else others[#others + 1] = set end
  end
  return changes, others
end

-- Converts "{{0,1},{2,3}}" to a table; returns nil if the text is not a list of numbers.
local function list_of(text)
  local inside = text:match "^{([%d%s{},.eE+-]*)}$"
  if not inside then return end
  local list = {}
  if inside:find "^%s*{" then
    for row in inside:gmatch "{[^{}]*}" do list[#list + 1] = list_of(row) end
  else
    for number in inside:gmatch "[^%s,]+" do list[#list + 1] = tonumber(number) end
  end
  return list
end

-- Returns the changed values of the target's parameters, and the other sets. The values of a saved
-- run come first. They are followed by the values in sets of the form "target.beta=0.3" (unless an
-- arm is named target).
function m.target_changes(t, sets)
  local values, others = {}, {}
  for name, value in next, t.target_changes or {} do values[name] = value end
  for _, set in ipairs(sets) do
    local name, value = set:match "^target%.([%w_]+)=(.*)$"
    if name and not t.arms.target then values[name] = tonumber(value) or list_of(value) or value
    else others[#others + 1] = set end
  end
  return values, others
end

-- Reads "probes=trace,energy". Exactly these probes are created, as in the saved run that this run
-- continues; the exception is probes that must be requested by name. Returns a table or nil, and
-- the other sets.
function m.exact_probes(sets)
  local exactly, others
  for i, set in ipairs(sets) do
    local names = set:match "^probes=(.*)$"
    if names then
      exactly, others = {}, table.move(sets, 1, #sets, 1, {})
      for name in names:gmatch "[^,]+" do exactly[name] = true end
      table.remove(others, i)
    end
  end
  return exactly, others or sets
end

-- Returns the options of a run that is one of many, and the other sets. Options:
--   part=3/16       the part of the run that this process runs
--   replicate=3     adds 3 to the seed
--   sbc=3           adds 3 to the seed, and simulates the data of that replicate
--   fold=3/10       leaves out the rows of fold 3 of 10 (3/: the scenario's number of folds)
--   equal=1         the total work equals the scenario's, for any number of chains
--   figures=ess     the figures to measure at the end
--   fault=greedy    the fault of a game
local asked_for = { part = tostring, replicate = tonumber, sbc = tonumber, fold = tostring, equal = tonumber, figures = tostring, fault = tostring }
function m.asked_of_run(sets)
  local asked, others = {}, {}
  for _, set in ipairs(sets) do
    local name, value = set:match "^(%l+)=(.*)$"
    local read = name and asked_for[name]
    if read then asked[name] = read(value) or m.fail(set .. " is not a number")
    else others[#others + 1] = set end
  end
  asked.replicate = asked.replicate or asked.sbc
  return asked, others
end

-- Adapts the budget to a number of chains that differs from the scenario's: all chains of an arm
-- together do the work that the scenario's chains would do.
function m.equal_work(t, spec, arms)
  local was, now, budget = t.chains or 4, spec.chains or 4, spec.budget
  for _, arm in ipairs(arms) do
    if arm.chains then
      m.fail(("arm %s sets its own number of chains, so `chains` does not apply to it"):format(arm.name),
             "leave out `chains` in the arm")
    end
  end
  if not budget or was == now then return end
  local out = {}
  for name, value in next, budget do
    if name == "steps" then out.steps = math.max(floor(value * was / now), 1)
    elseif name == "seconds" then out.seconds = value
    elseif name ~= "each" then out[name] = budget.each == "chain" and value * was or value end
  end
  spec.budget = out
end

-- ---- single sets ----------------------------------------------------------------

local function number_of(value)
  return tonumber(value) or
    m.fail("'" .. value .. "' is not a number")
end

-- Applies a field of the run such as "seed=3"; returns false if the set is not a field.
function m.set_field(spec, set)
  local name, value = set:match("^([%a_]+)=(.*)$")
  if not name then return false end
  if m.is_manner(set) then return true end
  if name == "default_warmup" then
    local own, most = value:match "^(%d+),(%d+)$"
    spec.default_warmup, spec.most_warmup = tonumber(own or value) or value, tonumber(most)
    return true
  end
  local counts = m.rows.budget[name]
  local row = counts or m.rows.run[name]
  if not row or row[1] ~= "number" then
    m.fail("cannot set '" .. name .. "'",
           "set steps or another budget, seed, chains, warmup, workers or ARM.PARAMETER")
  end
  local number = m.check_number(name, number_of(value), row)
  if counts then spec.budget = { [name] = number } else spec[name] = number end
  return true
end

-- Splits "param=value".
function m.split_set(set)
  local param, value = set:match "^%s*([%w_.]+)%s*=%s*(.-)%s*$"
  if not param then m.fail("cannot read '" .. set .. "'", "write PARAMETER=VALUE") end
  return param, value
end

local function has_arm(run, name)
  for i = 1, core.run_arms(run) do
    if core.arm_info(run, i).name == name then return true end
  end
  return false
end

-- Applies "arm.param=value" of --set and :set. "arm.param.field=value" sets a field of the
-- schedule of param.
function m.set_parameter(run, set)
  local name, value = set:match "^%s*(%S-)%s*=%s*(.-)%s*$"
  local arm, param = (name or ""):match "^(.+)%.([%w_]+)$"
  if not arm then
    m.fail("cannot read '" .. set .. "'", "write ARM.PARAMETER=VALUE")
  end
  -- the names of parameters, and of arms, may contain dots
  local at, rest = arm, param
  while at and not has_arm(run, at) do
    local of, more = at:match "^(.+)%.([%w_]+)$"
    at, rest = of, of and more .. "." .. rest
  end
  if at then arm, param = at, rest end
  run:arm(tonumber(arm) or arm):set(param, value)
end
