-- Methods of a run's arms and of their chains. A handle stores the run and an index, and requests
-- all data from the core.
local m = ...
local core = m.core
local Arm, Chain = { __metatable = "arm" }, { __metatable = "chain" }
local Info, List = { __metatable = "info" }, { __metatable = "list" }
local floor = math.floor

-- ---- handles -------------------------------------------------------------

-- Creates a read-only list. Each entry has an index, and may also have a name. Calling the list or
-- using it as a number is an error.
function m.handles(what, n, get, named)
  local function refuse()
    m.fail(what .. " is a list, not a number or a method",
           ("write #%s for its length, %s[1] for the first entry"):format(what, what))
  end
  return setmetatable({}, {
    __len = function() return n end,
    __index = function(_, key)
      if math.type(key) == "integer" then return key >= 1 and key <= n and get(key) or nil end
      return named(key)
    end,
    __tostring = function()
      local text = {}
      for i = 1, n do text[i] = tostring(get(i)) end
      return table.concat(text, "\n")
    end,
    __call = refuse, __add = refuse, __sub = refuse, __mul = refuse, __div = refuse, __idiv = refuse,
    __mod = refuse, __unm = refuse, __lt = refuse, __le = refuse, __concat = refuse,
    __newindex = function() m.fail(what .. " cannot be changed") end,
    __metatable = "list", __sealed = true,
  })
end

function m.fail_unknown(what, name, ...)
  local names = {}
  m.fail_if_renamed(what, what:match "%a+$", name)
  for _, t in ipairs { ... } do
    for _, key in ipairs(m.sorted_keys(t)) do
      if not key:find("^__") then names[#names + 1] = key end
    end
  end
  m.fail(what .. " has no '" .. tostring(name) .. "'", m.suggest(name, names))
end

-- ---- arms ----------------------------------------------------------------

function m.arm_of(run, i) return setmetatable({ run = run, index = i }, Arm) end

-- Converts a handle of an arm or a chain of this run to the text "arm 2" or "chain 2 3".
-- Converts such a text back to the handle. Returns nil for other values.
function m.handle_name(x, run)
  local class = core.class_of(x)
  if class == Arm and x.run == run then return ("arm %d"):format(x.index) end
  if class == Chain and x.arm.run == run then return ("chain %d %d"):format(x.arm.index, x.index) end
end
function m.handle_of(run, name)
  local arm, chain = name:match "^%l+ (%d+) ?(%d*)$"
  if not arm or not (name:find "^arm " or name:find "^chain ") then return nil end
  local handle = m.arm_of(run, tonumber(arm))
  if chain == "" then return handle end
  return setmetatable({ arm = handle, index = tonumber(chain) }, Chain)
end

-- Converts a probe's report on an arm to the form for scripts. Keys contain names of
-- quantities instead of indices ("trace/mu/recent"). The axes of the plane are counted from 1,
-- whereas the core counts from 0.
function m.readable(probe, said)
  local out, names = {}, {}
  for name in (probe == "trace" and said.names or ""):gmatch "%S+" do names[#names + 1] = name end
  for key, value in next, said do
    local k, rest = key:match "^(%d+)/(.*)$"
    if names[1] and k then key = names[k + 1] .. "/" .. rest end
    if probe == "plane" and key == "axes" then value = { floor(value[1]) + 1, floor(value[2]) + 1 } end
    out[key] = value
  end
  return out
end

local function said_by(run, arm, probe)
  return m.readable(probe, core.run_report_one(run, arm, probe) or {})
end

Arm.__index = function(arm, key)
  local value = rawget(Arm, key)
  if value ~= nil then return value end
  local info = core.arm_info(arm.run, arm.index)
  if key == "chains" then
    return m.handles("arm.chains", info.chains, function(i) return arm:chain(i) end, function(name)
      m.fail_unknown("a list of chains", name)
    end)
  end
  if info[key] == nil then m.fail_unknown("an arm", key, Arm, info) end
  return info[key]
end

Arm.__tostring = function(arm)
  return ("arm %s: %s, %d chains"):format(arm.name, arm.kernel, #arm.chains)
end

-- Sets a parameter to a number, the name of a choice, a schedule, or a schedule as text ("cosine
-- max=3 min=1"). "step.max" names the field `max` of the schedule of `step`. "step=0.3" gives a
-- name and a value in one string.
function Arm:set(param, value)
  if value == nil and type(param) == "string" then
    param, value = m.split_set(param)
  end
  if type(param) ~= "string" then
    m.fail("the name of a parameter is a " .. core.kind(param), "write arm:set(\"step\", 0.3)")
  end
  value = m.as_schedule(param, value)
  local kind = core.kind(value)
  if kind ~= "number" and kind ~= "schedule" and kind ~= "string" then
    m.fail("'" .. param .. "' is a " .. kind, "give a number or a schedule")
  end
  core.run_set(self.run, self.index, param, value)
end

function Arm:use(kernel)
  if core.kind(kernel) ~= "kernel" then
    m.fail("arm:use needs a kernel, not a " .. core.kind(kernel),
           "write arm:use(cs.kernel.NAME { ... })")
  end
  kernel = m.place_kernel("arm:use", kernel, core.run_memory(self.run).target)
  core.run_set_kernel(self.run, self.index, kernel)
end

function Arm:chain(i)
  core.chain_tally(self.run, self.index, i)
  return setmetatable({ arm = self, index = i }, Chain)
end

function Arm:report(key)
  if type(key) ~= "string" then m.fail("arm:report needs a key", "for example arm:report \"acceptance/chains\"") end
  local probe, rest = key:match "^([^/]+)/(.*)$"
  return probe and said_by(self.run, self.index, probe)[rest]
end

-- Returns the fields of the arm's current kernel: cs.kernel.NAME(arm:plan()) creates an equal
-- kernel.
function Arm:plan()
  local plan = core.arm_plan(self.run, self.index)
  for _, value in next, plan do
    if type(value) == "table" then setmetatable(value, List) end
  end
  return plan
end

-- Returns the covariance that the kernel uses, or nil if all variances are 1. A scenario accepts
-- this form of the covariance in arms = { a = { metric = } }. For a cycle or a mixture returns a
-- table of the covariances of its members, by their names.
function Arm:metric() return core.arm_metric(self.run, self.index) end
function Arm:learned() return m.learned(self) end
function Arm:trials() return core.arm_trials(self.run, self.index) end
-- Returns a figure as a number. If the figure is not known, returns nil and the
-- reason.
function Arm:figure(name, of) return m.figure(self, name, of) end
-- Returns leave-one-out predictive densities from a generated quantity with the
-- log likelihood of each observation.
function Arm:loo(name) return m.loo(self, name) end
function Arm:predictive(name) return m.predictive(self, name) end
-- Returns the sensitivity of each quantity to the power of the prior and of the
-- likelihood.
function Arm:sensitivity(power, prior, likelihood) return m.sensitivity(self, power, prior, likelihood) end
-- ---- chains --------------------------------------------------------------

Chain.__tostring = function(chain) return ("chain %d of %s"):format(chain.index, chain.arm.name) end

Chain.__index = function(chain, key)
  local value = rawget(Chain, key)
  if value == nil then m.fail_unknown("a chain", key, Chain, { arm = 1, index = 1 }) end
  return value
end

local function of_chain(f)
  return function(chain, ...)
    return f(chain.arm.run, chain.arm.index, chain.index, ...)
  end
end
Chain.tally = of_chain(core.chain_tally)
Chain.logp = of_chain(core.chain_logp)
local function target_of(chain) return core.run_memory(chain.arm.run).target end
local set_state = of_chain(core.run_set_state)
function Chain:set_state(x)
  if type(x) ~= "table" then
    m.fail("set_state needs a state, not a " .. core.kind(x), "give a list of coordinates")
  end
  set_state(self, m.point("set_state", target_of(self), x))
end

-- Lists of numbers, and the parts of a step's description, are plain tables
-- that are printed as readable text.
List.__tostring = function(list)
  local text = {}
  for i, x in ipairs(list) do text[i] = ("%.6g"):format(x) end
  return "{ " .. table.concat(text, ", ") .. " }"
end
local chain_state, chain_info = of_chain(core.chain_state), of_chain(core.chain_info)
local chain_shown, chain_draws = of_chain(core.chain_shown), of_chain(core.chain_draws)

-- A state is a list of the coordinates in which chains move. Parameters can also be read from a
-- state by name. A recorded row is a list of values in the order of run.coordinates. Each value can
-- also be read by the name in run.coordinates. Both states and recorded rows have the field
-- log_density.
local function named_by(of, find)
  return {
    __metatable = "list", __tostring = List.__tostring,
    __index = function(list, name)
      if type(name) == "number" then return nil end
      return find(list, name)
    end,
  }
end
core.points(function(...) return m.point(...) end)

local metas = setmetatable({}, { __mode = "k" }) -- for each target the metatables { state =, record = }
local function metas_of(target)
  local found = metas[target]
  if not found then
    local names, place = target.coordinates, {}
    for i, name in ipairs(names) do place[name] = i end
    local function nothing(what, name)
      m.fail_if_renamed(what, what:match "%a+$", name)
      m.fail(("%s has no '%s'"):format(what, tostring(name)), m.suggest(name, names))
    end
    found = {
      state = named_by(target, function(x, name)
        local value = m.value_of(target, x, name, place[name])
        if value == nil then nothing("a state", name) end
        return value
      end),
      record = named_by(target, function(row, name)
        if name == "log_weight" then return nil end -- unweighted draws
        return rawget(row, place[name] or nothing("a draw", name))
      end),
    }
    metas[target] = found
  end
  return found
end

function Chain:state()
  local x, log_density = chain_state(self)
  x.log_density = log_density
  return setmetatable(x, metas_of(target_of(self)).state), log_density
end

function Chain:shown()
  local row = chain_shown(self)
  row.log_density = select(2, chain_state(self))
  return setmetatable(row, metas_of(target_of(self)).record)
end

function Chain:draws(...)
  if select("#", ...) > 0 then
    m.fail("draws takes no argument: it returns all kept draws", "write chain:draws()[i] for one draw")
  end
  local rows, every = chain_draws(self)
  local meta = metas_of(target_of(self)).record
  for _, row in ipairs(rows) do setmetatable(row, meta) end
  return rows, every
end

-- Returns n draws of equal weight, which are resampled from the stored draws. The order of
-- the stored draws is kept.
local function resample(arm, chain, n, seed)
  if n ~= nil and type(n) ~= "number" then
    m.fail("resample needs a number of draws, not a " .. core.kind(n), "write chain:resample(1000)")
  end
  if n then m.check_number("n", n, { whole = true, min = 1, max = 2 ^ 24 }) end
  if seed ~= nil and type(seed) ~= "number" then
    m.fail("a seed must be a number, not a " .. core.kind(seed), "write chain:resample(1000, 7)")
  end
  if seed then m.check_number("seed", seed, { whole = true, min = 0, max = 2 ^ 53 }) end
  local rows = core.run_resample(arm.run, arm.index, chain, n, seed)
  local meta = metas_of(core.run_memory(arm.run).target).record
  for _, row in ipairs(rows) do setmetatable(row, meta) end
  return rows
end

function Chain:resample(n, seed) return resample(self.arm, self.index, n, seed) end
function Arm:resample(n, seed) return resample(self, nil, n, seed) end

-- Returns the scores of a prediction on the held-out data. The prediction is the mean over the
-- stored draws `first` to `last` (default: all stored draws).
function Chain:held_out(first, last)
  for name, x in next, { first = first, last = last } do
    m.check_number(name, x, { whole = true, min = 1, max = 2 ^ 53 })
  end
  return core.chain_held_out(self.arm.run, self.arm.index, self.index, first, last)
end

function Chain:info()
  local info = chain_info(self)
  if info.proposal then
    info.proposal.log_density = info.log_density_proposed
    setmetatable(info.proposal, metas_of(target_of(self)).state)
  end
  info.verdict = info.failed and "failed" or info.accepted and "accepted" or "rejected"
  return setmetatable(info, Info)
end

Info.__index = function(info, name)
  m.fail_if_renamed("info", "info", name)
  return nil
end
Info.__tostring = function(i)
  local function line(name, ...) return ("%-15s"):format(name) .. string.format(...) end
  return table.concat({
    line("proposal", "%s", tostring(i.proposal or "none")),
    line(i.log_aux and "log prior" or "log density", "%.6g, change %+.6g%s", i.log_density_proposed,
      i.log_density_change, i.log_aux and ("; estimate of the rest %+.6g"):format(i.log_aux) or ""),
    line("log q", "forward %.6g, back %.6g", i.log_q_forward, i.log_q_back),
    line("log ratio", "%.6g", i.log_ratio),
    line("log uniform", "%.6g", i.log_uniform),
    line("verdict", "%s", i.verdict) }, "\n")
end
