-- Changes to the arms and the target of an open scenario. Each change of the arms is a string in
-- the form of the command `arm`: "add NAME KERNEL", "clone NAME OLD", "drop NAME", "rename NAME
-- NEW". A reopened run applies the changes again.
local m = ...

local function find(list, name)
  local names = {}
  for i, arm in ipairs(list) do
    names[i] = arm.name
    if arm.name == name then return i end
  end
  m.fail("there is no arm '" .. name .. "'", m.suggest(name, names))
end

-- Creates a kernel from Lua code, written as in a scenario.
local function kernel_of(text)
  local kernel = m.core.evaluate(text, m.cs)
  if m.core.kind(kernel) ~= "kernel" then
    m.fail(text .. " is a " .. m.core.kind(kernel) .. ", not a kernel", "write arm add random_walk step=0.3")
  end
  return kernel
end

-- Adds an arm to the list. The name of the arm must be unused.
local function put(list, arm, name)
  local seen = {}
  for _, one in ipairs(list) do seen[one.name] = true end
  m.add_arm(list, seen, arm, name)
end

local change = {}

function change.add(list, name, text) put(list, { kernel = kernel_of(text) }, name) end

function change.clone(list, name, old)
  local copy = {}
  for key, value in next, list[find(list, old)] do copy[key] = value end
  copy.name = name
  put(list, { kernel = copy.kernel }, name)
  list[#list] = copy
end

function change.drop(list, name)
  if #list == 1 then m.fail("the last arm cannot be dropped", "add another arm first") end
  table.remove(list, find(list, name))
end

function change.rename(list, name, new)
  local i = find(list, name)
  local arm = list[i]
  put(list, { kernel = arm.kernel }, new)
  list[#list], arm.name = nil, new
end

-- Implements "only NAMES", where NAMES is a list of arms separated by commas. All other
-- arms are removed. A parameter, as in "arm.step", may be given in place of its arm.
function change.only(list, names)
  local wanted, known = {}, {}
  for i = 1, #list do known[list[i].name] = true end
  for name in names:gmatch "[^,]+" do
    local arm = name
    while arm and not known[arm] do arm = arm:match "^(.*)%.[%w_]+$" end
    wanted[list[find(list, arm or name:match "^(.*)%.[%w_]+$" or name)].name] = true
  end
  for i = #list, 1, -1 do
    if not wanted[list[i].name] then table.remove(list, i) end
  end
end

local fields = { claims = { "arm", "less_than", "ratio_to" }, screen = { "arm" } }

-- True if all arms named by a claim or a panel exist.
local function is_whole(entry, of, names)
  if type(entry) ~= "table" then return true end
  for _, field in ipairs(fields[of]) do
    local name = entry[field]
    if type(name) == "string" and not names[name] or type(name) == "number" then return false end
  end
  return true
end

-- Returns the list of arms after the changes. If claims or panels name an arm that no longer
-- exists, they are removed from t, a table that belongs to the caller.
function m.changed_arms(t, list, changes)
  for _, text in ipairs(changes) do
    local kind, name, rest = text:match "^(%l+) (%S+) ?(.*)$"
    if not change[kind or ""] then m.fail("'" .. text .. "' is not a change of an arm") end
    change[kind](list, name, rest)
  end
  local names = {}
  for _, arm in ipairs(list) do names[arm.name] = true end
  for of in next, fields do
    local kept = {}
    for _, entry in ipairs(t[of] or {}) do
      if is_whole(entry, of, names) then kept[#kept + 1] = entry end
    end
    if t[of] then t[of] = #kept > 0 and kept or nil end
  end
  return list
end

-- Returns a copy of the target with other values of some parameters, such as { beta = 0.3 }.
function m.changed_target(target, values)
  local from = m.made_from[target]
  if not from then
    m.fail("a target defined by the scenario has no parameters that can be set", "change the scenario's file")
  end
  local fields = {}
  for name, value in next, from[2] do fields[name] = value end
  for name, value in next, values do fields[name] = value end
  return m.cs.target[from[1]](fields)
end
