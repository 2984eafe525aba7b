-- chainscope: the words in which a scenario is written. The C core is handed
-- in by the program; a stock Lua finds it as chainscope.core.
local core = ...
if type(core) ~= "table" then core = require "chainscope.core" end

local cs, Run, Arm, Chain = {}, core.run_methods, {}, {}
local floor, huge = math.floor, math.huge

-- ---- small help ----------------------------------------------------------

local function sorted_keys(t)
  local keys = {}
  for k in next, t do keys[#keys + 1] = tostring(k) end
  table.sort(keys)
  return keys
end

local function suggest(name, list)
  local near = core.nearest(tostring(name), list)
  if near then return "did you mean '" .. near .. "'?" end
  return "there is: " .. table.concat(list, ", ")
end

-- A table that can be read and called, not changed.
local function sealed(t, call)
  return setmetatable({}, {
    __index = t, __call = call, __metatable = false,
    __newindex = function() core.fail("the module chainscope cannot be changed") end,
    __pairs = function() return next, t, nil end,
  })
end

-- Every field of t has a row {kind, required} in `fields`, of the right kind.
local function check_fields(what, t, fields)
  if type(t) ~= "table" then
    core.fail(what .. " wants a table", "write " .. what .. " { ... }")
  end
  for name, value in next, t do
    local row = fields[name]
    if not row then
      core.fail(what .. " has no field '" .. tostring(name) .. "'",
                suggest(name, sorted_keys(fields)))
    end
    local kind, ok = core.kind(value), false
    for one in row[1]:gmatch("%a+") do ok = ok or one == kind end
    if not ok then
      core.fail(("%s: field '%s' is a %s"):format(what, name, kind),
                "give a " .. row[1])
    end
  end
  for name, row in next, fields do
    if row[2] and t[name] == nil then
      core.fail(what .. " needs the field '" .. name .. "'", row[2])
    end
  end
  return t
end

-- A family (targets, kernels, schedules): cs.kernel.mala { ... }.
local function family(word, list, make, call)
  local names, makers = sorted_keys(list), {}
  for name in next, list do
    makers[name] = core.located(function(fields)
      if fields ~= nil and type(fields) ~= "table" then
        core.fail(word .. "." .. name .. " wants a table")
      end
      return make(name, fields or {})
    end)
  end
  setmetatable(makers, { __index = function(_, name)
    core.fail(("there is no %s '%s'"):format(word, tostring(name)),
              suggest(name, names))
  end })
  return sealed(makers, call and core.located(function(_, t) return call(t) end))
end

-- ---- spaces --------------------------------------------------------------

local function whole(what, n, low)
  if type(n) ~= "number" or n ~= floor(n) or n < low or n > 2 ^ 30 then
    core.fail(what .. " must be a whole number of at least " .. low)
  end
  return floor(n)
end

cs.real = core.located(function(n)
  return { kind = "real", dim = whole("the dimension", n, 1), low = 0, values = 0 }
end)
cs.binary = core.located(function(n)
  return { kind = "binary", dim = whole("the dimension", n, 1), low = 0, values = 2 }
end)
cs.categorical = core.located(function(n, values)
  return { kind = "categorical", dim = whole("the dimension", n, 1), low = 0,
           values = whole("the number of values", values, 2) }
end)
cs.ordinal = core.located(function(n, low, high)
  low = whole("the lowest value", low, -2 ^ 30)
  high = whole("the highest value", high, low + 1)
  return { kind = "ordinal", dim = whole("the dimension", n, 1), low = low,
           values = high - low + 1 }
end)

-- ---- targets, schedules, kernels -----------------------------------------

local function check_space(space)
  return check_fields("a space", space, {
    kind = { "string", "cs.real(2), say" }, dim = { "number", "the dimension" },
    low = { "number" }, values = { "number" } })
end

cs.target = family("target", core.targets(), core.target_new, function(t)
  check_fields("target", t, {
    space = { "table", "space = cs.real(2), say" },
    log_density = { "function", "log_density = function(x) return ... end" },
    gradient = { "function" }, name = { "string" }, view = { "table" } })
  check_space(t.space)
  return core.target_lua(t)
end)

cs.schedule = family("schedule", core.schedules(), core.schedule_new,
                     function(f)
  if type(f) ~= "function" then
    core.fail("a schedule of one's own is a function of the step")
  end
  return core.schedule_lua(f)
end)

-- Functions drive parameters as schedules do.
local function with_schedules(fields)
  local out = {}
  for name, value in next, fields do
    local kind = core.kind(value)
    if kind == "function" then
      value = core.schedule_lua(value)
    elseif kind == "target" or kind == "kernel" or kind == "run" then
      core.fail(("field '%s' is a %s"):format(tostring(name), kind),
                "give a number or a schedule")
    end
    out[name] = value
  end
  return out
end

cs.kernel = family("kernel", core.kernels(), function(name, fields)
  return core.kernel_new(name, with_schedules(fields))
end, function(t)
  check_fields("kernel", t, {
    propose = { "function", "propose = function(x, draw, params) ... end" },
    log_q = { "function" }, params = { "table" } })
  return core.kernel_lua(t)
end)

-- ---- scenarios -----------------------------------------------------------

local run_fields = {
  target = { "target", "target = cs.target.NAME { ... }" },
  arms = { "table", "arms = { a = cs.kernel.NAME { ... } }" },
  chains = { "number" }, seed = { "number" }, budget = { "table" },
  start = { "table" }, workers = { "number" }, block_lanes = { "number" },
  keep = { "number" }, rewind_bytes = { "number" }, probes = { "table" },
}
local scenario_fields = {
  title = { "string", "title = \"what it is\"" }, shows = { "string" },
  source = { "string" }, screen = { "table" }, claims = { "table" },
  lesson = { "table" }, setup = { "function" }, tune = { "table" },
}
for name, row in next, run_fields do scenario_fields[name] = row end

local budget_fields = { steps = { "number" }, gradients = { "number" },
                        log_densities = { "number" }, seconds = { "number" } }
local claim_fields = {
  arm = { "string number", "arm = the name of an arm" },
  stat = { "string", "stat = \"acceptance\", say" },
  at_least = { "number" }, at_most = { "number" }, near = { "number" },
  within = { "number" }, paper = { "string" }, note = { "string" },
}
local panels = { "trace", "energy", "acceptance", "visits", "map", "state",
                 "summary", "moments", "schedule", "diagnostics", "distance",
                 "help", "events" }
local seeds_most = 2 ^ 53

local function known_panels(list)
  for _, name in ipairs(list) do
    local found = false
    for _, panel in ipairs(panels) do found = found or panel == name end
    if not found then
      core.fail("there is no panel '" .. tostring(name) .. "'",
                suggest(name, panels))
    end
  end
end

-- The arms as a list of {name, kernel, chains}: named ones by name.
local function arm_list(arms)
  local list = {}
  local function add(name, arm)
    if core.kind(arm) == "kernel" then arm = { kernel = arm } end
    check_fields("an arm", arm, { kernel = { "kernel", "kernel = cs.kernel.NAME { ... }" },
                                  chains = { "number" }, name = { "string" } })
    list[#list + 1] = { name = arm.name or name or arm.kernel.name,
                        kernel = arm.kernel, chains = arm.chains }
  end
  for _, arm in ipairs(arms) do add(nil, arm) end
  local numbered = #list
  local seen = {}
  for i, arm in ipairs(list) do
    if seen[arm.name] then arm.name = arm.name .. "." .. i end
    seen[arm.name] = true
  end
  for _, name in ipairs(sorted_keys(arms)) do
    if type(rawget(arms, name)) ~= "nil" then add(name, arms[name]) end
  end
  if #list == 0 then
    core.fail("a run needs an arm", "arms = { a = cs.kernel.NAME { ... } }")
  end
  return list, numbered
end

local function probe_list(probes)
  if not probes then return nil end
  local known, list = core.probes(), {}
  local function add(name, fields)
    if not known[name] then
      core.fail("there is no probe '" .. tostring(name) .. "'",
                suggest(name, sorted_keys(known)))
    end
    list[#list + 1] = { name = name, fields = fields }
  end
  for _, name in ipairs(probes) do add(name, {}) end
  for _, name in ipairs(sorted_keys(probes)) do
    if rawget(probes, name) ~= nil then add(name, probes[name]) end
  end
  return list
end

local function check_run(what, t, fields)
  check_fields(what, t, fields)
  if t.budget then check_fields("budget", t.budget, budget_fields) end
  if t.seed and (t.seed < 0 or t.seed ~= floor(t.seed) or t.seed > seeds_most) then
    core.fail("seed must be a whole number from 0 to 2^53")
  end
  if t.chains then whole("chains", t.chains, 1) end
  return arm_list(t.arms)
end

local function check_claims(claims, arms)
  local names = {}
  for i, arm in ipairs(arms) do names[i] = arm.name end
  for _, claim in ipairs(claims) do
    check_fields("a claim", claim, claim_fields)
    local found = type(claim.arm) == "number" and arms[claim.arm]
    for _, name in ipairs(names) do found = found or name == claim.arm end
    if not found then
      core.fail("a claim is about an arm '" .. tostring(claim.arm) ..
                "' that is not there", suggest(claim.arm, names))
    end
  end
end

cs.scenario = core.located(function(t)
  local arms = check_run("scenario", t, scenario_fields)
  if t.screen then known_panels(t.screen) end
  if t.claims then check_claims(t.claims, arms) end
  return t
end)

-- ---- runs ----------------------------------------------------------------

local function arm_index(run, which)
  local n, names = run.arms, {}
  if type(which) == "number" then return which end
  for i = 1, n do
    names[i] = core.arm_info(run, i).name
    if names[i] == which then return i end
  end
  core.fail("there is no arm '" .. tostring(which) .. "'",
            suggest(which, names))
end

-- "arm.param=value", or "seed=3" of the run itself.
local function apply_to_spec(spec, set)
  local name, value = set:match("^([%a_]+)=(.*)$")
  if not name then return false end
  local number = tonumber(value) or core.fail(set .. ": not a number")
  if name == "steps" then
    spec.budget = { steps = number }
  elseif name == "seed" or name == "chains" or name == "workers" then
    spec[name] = number
  else
    core.fail("cannot set '" .. name .. "'",
      "set steps, seed, chains, workers or ARM.PARAMETER")
  end
  return true
end

local function apply_to_run(run, set)
  local arm, param, value = set:match("^(.+)%.([%w_]+)=(.*)$")
  if not arm then
    core.fail("cannot read '" .. set .. "'", "write ARM.PARAMETER=VALUE")
  end
  local number = tonumber(value) or core.fail(set .. ": not a number")
  run:arm(tonumber(arm) or arm):set(param, number)
end

local function open(t, sets)
  local arms = check_run("open", t, scenario_fields)
  local spec, later = {}, {}
  for name in next, run_fields do spec[name] = t[name] end
  for _, set in ipairs(sets or {}) do
    if not apply_to_spec(spec, set) then later[#later + 1] = set end
  end
  spec.arms, spec.probes = arms, probe_list(t.probes)
  if spec.start and type(spec.start[1]) == "number" then
    spec.start = { spec.start }
  end
  local run = core.run_new(spec)
  for _, set in ipairs(later) do apply_to_run(run, set) end
  if t.setup then t.setup(run) end
  return run
end

cs.open = core.located(function(t)
  if type(t) == "table" and t.title == nil then
    local copy = { title = "" }
    for k, v in next, t do copy[k] = v end
    t = copy
  end
  return open(t)
end)

-- Events lie in the run's memory: { every = n } or { at = step }, and what to
-- call. Those up to the step `fired` have happened: after a rewind or a resume
-- they come again, or not, as they would in an undisturbed run.
local function events_of(run)
  local memory = core.run_memory(run)
  memory.events = memory.events or {}
  memory.fired = memory.fired or run.steps
  return memory.events, memory
end

local function next_due(e, after)
  if e.every then return (floor(after / e.every) + 1) * e.every end
  return e.at > after and e.at or huge
end

-- The steps until the next event: huge when there is none.
local function ahead_of(run)
  local events, memory = events_of(run)
  local due = huge
  for _, e in ipairs(events) do
    due = math.min(due, next_due(e, memory.fired))
  end
  return math.max(due - run.steps, 0)
end

-- Calls what is due by now.
local function fire(run)
  local events, memory = events_of(run)
  local from, steps = memory.fired, run.steps
  memory.fired = steps
  for _, e in ipairs(events) do
    if next_due(e, from) <= steps then e.call(run) end
  end
end

-- The run was put at another step; the events up to `fired` have happened.
local function placed(run, fired)
  local _, memory = events_of(run)
  memory.fired = fired
end

function Run:step(n)
  n = n or 1
  local done = 0
  while done < n do
    fire(self)
    local part = floor(math.min(n - done, ahead_of(self)))
    local made = core.run_advance(self, part)
    done = done + made
    if made < part then break end
  end
  fire(self)
  return done
end

function Run:every(n, f)
  whole("the number of steps", n, 1)
  local events = events_of(self)
  events[#events + 1] = { every = n, call = f }
end

function Run:at(step, f)
  whole("the step", step, 1)
  local events, memory = events_of(self)
  if step <= memory.fired then
    core.fail("step " .. step .. " has passed already")
  end
  events[#events + 1] = { at = step, call = f }
end

function Run:rewind(n)
  self:rewind_to(math.max(self.steps - whole("the steps back", n, 0), 0))
end

-- What happened at that very step is undone too, and happens again.
function Run:rewind_to(step)
  core.run_rewind(self, step)
  placed(self, step - 1)
end

function Run:fault() return core.run_fault(self) end
-- What was changed and when, as text; a fresh run that replays it is this one.
function Run:journal() return core.run_journal(self) end
function Run:replay(text) core.run_replay(self, text) end
function Run:coordinates() return core.run_coordinates(self) end

function Run:report(key)
  local all = core.run_report(self)
  if key == nil then return all end
  return all[key] or all["arm/0/" .. key]
end

function Run:arm(which)
  return setmetatable({ run = self, index = arm_index(self, which) }, Arm)
end

Arm.__index = function(arm, key)
  return rawget(Arm, key) or core.arm_info(arm.run, arm.index)[key]
end
function Arm:set(param, value)
  if type(value) == "function" then value = core.schedule_lua(value) end
  core.run_set(self.run, self.index, param, value)
end
function Arm:use(kernel) core.run_set_kernel(self.run, self.index, kernel) end
function Arm:chain(i)
  core.chain_tally(self.run, self.index, i)
  return setmetatable({ arm = self, index = i }, Chain)
end
function Arm:report(key)
  return core.run_report(self.run)["arm/" .. (self.index - 1) .. "/" .. key]
end

Chain.__index = Chain
local function of_chain(f)
  return function(chain, ...)
    return f(chain.arm.run, chain.arm.index, chain.index, ...)
  end
end
Chain.info = of_chain(core.chain_info)
Chain.state = of_chain(core.chain_state)
Chain.tally = of_chain(core.chain_tally)
Chain.draws = of_chain(core.chain_draws)
Chain.set_state = of_chain(core.run_set_state)

-- ---- figures -------------------------------------------------------------

local stats = {}

function stats.acceptance(arm)
  local steps, accepted = 0, 0
  for i = 1, arm.chains do
    local t = arm:chain(i):tally()
    steps, accepted = steps + t.steps, accepted + t.accepted
  end
  return accepted / steps
end

function stats.moved(arm)
  local steps, moved = 0, 0
  for i = 1, arm.chains do
    local t = arm:chain(i):tally()
    steps, moved = steps + t.steps, moved + t.moved
  end
  return moved / steps
end

-- How many modes at least one chain has visited; and per chain on average.
function stats.modes_visited(arm)
  local seen, n = {}, 0
  for _, row in ipairs(arm:report("modes/visits") or {}) do
    if type(row) ~= "table" then row = { row } end
    for m, visits in ipairs(row) do
      if visits > 0 and not seen[m] then seen[m], n = true, n + 1 end
    end
  end
  return n
end

-- Of the table of the probe diagnostics (columns: session/snapshot.h): the
-- worst of the log density and the first coordinates.
local function of_diagnostics(column, worse)
  return function(arm)
    local worst = 0 / 0
    for _, row in ipairs(arm:report("diagnostics/table") or {}) do
      local x = row[column]
      if x == x and (worst ~= worst or worse(x, worst)) then worst = x end
    end
    return worst
  end
end
local function more(a, b) return a > b end
local function less(a, b) return a < b end
stats.rhat = of_diagnostics(3, more)
stats.ess_bulk = of_diagnostics(4, less)
stats.ess_tail = of_diagnostics(5, less)
stats.mcse = of_diagnostics(6, more)
stats.ess = of_diagnostics(7, less)

-- Of the probe distance: the largest of what has this name ("ks" of all
-- coordinates).
local function of_distance(name)
  return function(arm)
    local worst, values = 0 / 0, arm:report("distance/values")
    local i = 0
    for word in (arm:report("distance/names") or ""):gmatch("%S+") do
      i = i + 1
      if word:match("^%a+") == name and not (values[i] <= worst) then
        worst = values[i]
      end
    end
    return worst
  end
end
stats.tv, stats.kl, stats.ks = of_distance "tv", of_distance "kl", of_distance "ks"

-- One number of a report, and NaN without it.
local function of_report(key, column)
  return function(arm) return (arm:report(key) or {})[column] or 0 / 0 end
end
stats.tv_modes, stats.tv_plane = of_report("modes/tv", 1), of_report("plane/tv", 1)
stats.mean_error = of_report("moments/error", 1)
stats.sd_error = of_report("moments/error", 3)

-- arm, and one of the names in `stats`
function cs.stat(run, arm, name)
  local f = stats[name] or core.fail("there is no figure '" .. tostring(name) .. "'",
                                     suggest(name, sorted_keys(stats)))
  return f(run:arm(arm))
end

-- What each claim promised, measured, and whether it holds.
function cs.judge(run, claims)
  local out = {}
  for i, claim in ipairs(claims) do
    local value = cs.stat(run, claim.arm, claim.stat)
    local holds = value == value
    if claim.at_least then holds = holds and value >= claim.at_least end
    if claim.at_most then holds = holds and value <= claim.at_most end
    if claim.near then
      holds = holds and math.abs(value - claim.near) <= (claim.within or 0)
    end
    out[i] = { claim = claim, value = value, holds = holds }
  end
  return out
end

function Run:summary()
  local lines = { ("%d steps, seed %d"):format(self.steps, self.seed),
    ("%-16s %-14s %6s %9s %9s %12s %12s"):format("arm", "kernel", "chains",
      "accepted", "moved", "densities", "gradients") }
  for i = 1, self.arms do
    local arm = self:arm(i)
    lines[#lines + 1] = ("%-16s %-14s %6d %9.4f %9.4f %12d %12d"):format(
      arm.name, arm.kernel, arm.chains, stats.acceptance(arm),
      stats.moved(arm), arm.log_densities, arm.gradients)
  end
  local fault = self:fault()
  if fault then lines[#lines + 1] = fault end
  return table.concat(lines, "\n")
end

-- What the program asks of the module, by another door than the script's.
core.words = { open = open, placed = placed, core = core, fire = function(run)
  fire(run)
  local ahead = ahead_of(run)
  return ahead < huge and ahead or -1
end }
cs.version = core.version
cs.describe = function()
  return { targets = core.targets(), kernels = core.kernels(),
           schedules = core.schedules(), probes = core.probes() }
end
local module = sealed(cs)
return module, core.words
