-- Runs: opening, moving, looking, events.
local m = ...
local core, cs = m.core, m.cs
local Run = core.run_methods
local Arm, Chain = { __metatable = "arm" }, { __metatable = "chain" }
local Info, List = { __metatable = "info" }, { __metatable = "list" }
local Fields = core.run_fields
local floor, huge = math.floor, math.huge

-- ---- opening -------------------------------------------------------------

local function number_of(value)
  return tonumber(value) or
    m.fail("'" .. value .. "' is not a number")
end

-- The fields of a run as the scenario has them, quick; or, in full, as
-- `replicate` wants them.
local function fields_of(t, full)
  local spec = {}
  for name in next, m.rows.run do spec[name] = t[name] end
  for name, value in next, full and t.full or {} do
    if name ~= "target" and name ~= "setting" and name ~= "learn" then spec[name] = value end
  end
  return spec
end

-- Why no part of a run can be made alone: what looks at all its chains on the way.
local function whole_for(t, claims)
  if t.setup then return "its setup may look at all chains" end
  if t.stop then return "its stop looks at all chains" end
  for _, claim in ipairs(claims or {}) do
    if claim.each then return "a claim looks at all chains on the way" end
  end
end

-- "seed=3": a field of the run itself.
local function apply_to_spec(spec, set)
  local name, value = set:match("^([%a_]+)=(.*)$")
  if not name then return false end
  if m.is_manner(set) then return true end
  if name == "default_warmup" then
    spec.default_warmup = tonumber(value) or value
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

-- "param=value"
local function split_set(set)
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

-- "arm.param=value", as --set and :set have it; "arm.param.field=value" of the
-- schedule that drives it.
local function apply_to_run(run, set)
  local name, value = set:match "^%s*(%S-)%s*=%s*(.-)%s*$"
  local arm, param = (name or ""):match "^(.+)%.([%w_]+)$"
  if not arm then
    m.fail("cannot read '" .. set .. "'", "write ARM.PARAMETER=VALUE")
  end
  local of, driven = arm:match "^(.+)%.([%w_]+)$"
  if of and not has_arm(run, arm) and has_arm(run, of) then arm, param = of, driven .. "." .. param end
  run:arm(tonumber(arm) or arm):set(param, value)
end

-- f(...), its errors said to be of `where` unless they say where they are.
local function blame(where, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  local known = type(result) ~= "string" or result:find("^[^\n]-:%d+: ") or
    result:find("^%-%-set ")
  error(known and result or where .. result, 0)
end

m.blame = blame

-- Unless a scenario says it: a tenth of a budget that counts steps alone.
local function usual_warmup(budget)
  for name in next, budget or {} do
    if name ~= "steps" and name ~= "each" then return 0 end
  end
  return math.min((budget and budget.steps or 0) // 10, 1000)
end

-- Steps of the warm-up of arms without a tuner. `default` is what `chainscope
-- run` asks for: the usual, or the steps that a run had which is gone on with;
-- that one's budget, of which a share was taken, was another.
local function warmup_steps(warmup, budget, default)
  local share = warmup and warmup > 0 and warmup < 1
  if default == "usual" and not warmup then return usual_warmup(budget) end
  if tonumber(default) and (share or not warmup) then return default end
  if not share then return floor(warmup or 0) end
  local all = budget and budget.steps
  if not all then
    m.fail(("warmup = %g is a share of the budget's steps, which it does not give"):format(warmup),
           "give the steps of the warm-up, warmup = 1000")
  end
  return floor(warmup * all)
end

-- Kernels that bring a tuner, in arms that have none, and no metric: with the
-- steps of the warm-up, if one is given; 0: none. By the budget as the scenario
-- has it: a run that goes on with another has the same tuners.
local function bring_tuners(arms, warmup, written, budget)
  local all = written and written.steps
  local usual = all and math.min(1000, all // 2) or 1000
  local steps = warmup and warmup_steps(warmup, all and written or budget) or usual
  for _, arm in ipairs(arms) do
    local name = core.kernel_tuner(arm.kernel)
    if name and steps > 0 and not (arm.tuner or arm.metric or arm.untuned) then
      arm.tuner = cs.tuner[name] { steps = steps }
    end
  end
end

local function check_warmup(steps, budget)
  if budget and budget.steps and steps >= budget.steps then
    m.fail(("a warm-up of %d steps leaves no draws of %d steps"):format(steps, budget.steps),
           "make it shorter, or the budget longer")
  end
  return steps
end

-- Of a run that is opened with these.
local function seed_of(t, sets)
  local seed = rawget(t, "seed") or 0
  for _, set in ipairs(sets) do seed = tonumber(set:match "^seed=(.*)$") or seed end
  return seed
end

local function open(what, t, sets)
  local full = m.is_opened(sets, "full=1")
  local asked, replicate
  asked, sets = m.asked_of_run(sets)
  local seed = type(t) == "table" and seed_of(t, sets)
  if asked.sbc then t, replicate = m.calibrated(what, t, seed, asked.sbc) end
  if asked.replicate then
    seed = seed + asked.replicate
    sets[#sets + 1] = ("seed=%d"):format(seed)
  end
  t = m.made(what, t, m.rows.scenario, full, seed)
  local exactly, changes, values
  exactly, sets = m.exact_probes(sets)
  changes, sets = m.arm_changes(t, sets)
  values, sets = m.target_changes(t, sets)
  if next(values) then t.target = m.changed_target(t.target, values) end
  local wanted = asked.figures and m.read_figures(asked.figures)
  local arms, probes, read, own =
    m.check_run(what, t, m.rows.scenario, m.is_opened(sets, "read=1"), changes, wanted)
  local spec = fields_of(t, full)
  local later, budget, seeds = {}, spec.budget, spec.seeds or 1
  for _, set in ipairs(sets) do
    if not blame("--set " .. set .. ": ", apply_to_spec, spec, set) then
      later[#later + 1] = set
    end
  end
  if full and t.full and t.full.learn then m.learn_fully(arms, t.full.learn) end
  if asked.equal then m.equal_work(t, spec, arms) end
  bring_tuners(arms, spec.warmup, budget, spec.budget)
  spec.warmup = check_warmup(warmup_steps(spec.warmup, spec.budget, spec.default_warmup), spec.budget)
  if exactly then
    probes = probes or { others = true }
    probes.exactly = exactly
  end
  spec.arms, spec.probes, spec.setup = arms, probes, t.setup
  if read then -- nobody goes back, and only figures look at draws that are kept
    spec.rewind_bytes = spec.rewind_bytes or 1
    spec.keep = spec.keep or not (t.claims or t.stop or wanted or asked.sbc) and 2 or nil
  end
  local other = spec.budget ~= budget
  spec.budget = m.budget_of(spec.budget, arms, spec.chains)
  if spec.start then spec.start = m.starts(t) end
  local claims = t.claims and m.claims_of(t, full)
  spec.part, spec.together = asked.part, whole_for(t, claims)
  local run = core.run_new(spec)
  local memory = core.run_memory(run)
  memory.events, memory.fired, memory.target = {}, 0, t.target
  memory.panels = #own > 0 and not m.is_opened(sets, "read=1") and own or nil
  memory.claims, memory.other = not core.run_is_part(run) and claims or nil, other
  memory.seeds, memory.setting = seeds, t.setting
  memory.wanted, memory.sbc, memory.budget = wanted, replicate, spec.budget
  if full and t.full then memory.setting = t.full.setting end
  for _, set in ipairs(later) do
    blame("--set " .. set .. ": ", apply_to_run, run, set)
  end
  if memory.claims then m.follow_claims(run) end
  if t.stop then run:stop_when(t.stop) end
  if t.setup then t.setup(run) end
  return run
end

m.open = open

cs.open = core.located(function(t, ...)
  if select("#", ...) > 0 then m.fail("cs.open takes one table") end
  if type(t) == "table" and t.title == nil then
    local copy = { title = "" }
    for k, v in next, t do copy[k] = v end
    t = copy
  end
  m.words.last = open("open", t, {})
  return m.words.last
end)

-- For the program: a run of a scenario's table; and the run that a file left
-- behind which returned nothing.
function m.words.open(t, sets)
  if type(t) ~= "table" then
    core.fail("the file returns a " .. core.kind(t), "end it with return cs.scenario { ... }")
  end
  return blame(m.places[t] or "", open, "scenario", t, sets)
end
function m.words.adopt(_, sets)
  local run = m.words.last
  m.words.last = nil
  if not run then
    core.fail("the file returns no scenario", "end it with return cs.scenario { ... }")
  end
  for _, set in ipairs(sets) do
    if not set:find "^default_warmup=" and set ~= "read=1" then -- it says itself what it wants
      core.fail("'" .. set .. "' cannot be set: this script opens its run itself",
                "return cs.scenario { ... } instead")
    end
  end
  return run
end

-- ---- events --------------------------------------------------------------

-- Events lie in the run's memory: { every = n } or { at = step }, and what to
-- call; { look = true } is a rule that may end the run (stop.lua). Those up to the step `fired` have happened: after a rewind or a resume
-- they come again, or not, as they would in an undisturbed run.
local function next_due(e, after)
  if e.every then return (floor(after / e.every) + 1) * e.every end
  if e.look then return m.next_look(e.each, after) end
  return e.at > after and e.at or huge
end

-- The steps until the next event: huge when there is none.
local function ahead_of(run)
  local memory, due = core.run_memory(run), huge
  for _, e in ipairs(memory.events) do
    due = math.min(due, next_due(e, memory.fired))
  end
  return math.max(due - run.steps, 0)
end

-- Calls what is due by now; whether a rule ends the run here.
local function fire(run)
  local memory, steps = core.run_memory(run), run.steps
  local from = memory.fired
  memory.fired = math.max(from, steps) -- gone back, they have happened ahead
  core.run_random(run)
  local ends = false
  for _, e in ipairs { table.unpack(memory.events) } do
    if next_due(e, from) <= steps and e.call(run) and e.look then ends = true end
  end
  return ends
end

-- The run was put at another step; the events up to `fired` have happened.
local function placed(run, fired)
  core.run_memory(run).fired = fired
end

m.words.placed = placed
-- A run that no scenario has made: its draws are read.
function m.words.read(run, target)
  local memory = core.run_memory(run)
  memory.events, memory.fired, memory.target = {}, 0, target
end
function m.words.fire(run)
  fire(run)
  local ahead = ahead_of(run)
  return ahead < huge and ahead or -1
end

local function add_event(run, event, f)
  if type(f) ~= "function" then
    m.fail("an event is a function, not a " .. core.kind(f),
           "run:every(100, function(run) ... end)")
  end
  core.run_changes(run)
  local events = core.run_memory(run).events
  event.call = f
  events[#events + 1] = event
end

local step_row = { whole = true, min = 1, max = 2 ^ 53 }
local function check_step(what, n, row)
  if type(n) ~= "number" then
    m.fail(what .. " is a " .. core.kind(n), "give " .. m.range_text(row or step_row))
  end
  return m.check_number(what, n, row or step_row)
end

function Run:every(n, f)
  add_event(self, { every = check_step("the number of steps", n) }, f)
end

function Run:at(step, f)
  check_step("the step", step)
  if step <= core.run_memory(self).fired then
    m.fail(("step %d has passed already"):format(step))
  end
  add_event(self, { at = step }, f)
end

-- Ends the run, as a budget does, where f(run) says why or figures are reached.
function Run:stop_when(rule, every)
  add_event(self, m.stop_when(self, rule, every))
end

-- ---- moving --------------------------------------------------------------

function Run:step(n)
  n = check_step("the number of steps", n or 1, { whole = true, min = 0, max = 2 ^ 53 })
  local done = 0
  while done < n do
    if fire(self) then return done end
    local part = floor(math.min(n - done, ahead_of(self)))
    local made = core.run_advance(self, part)
    done = done + made
    if made < part then break end
  end
  fire(self)
  return done
end

-- What happened at that very step is undone too, and happens again.
local function rewind_to(run, step)
  core.run_rewind(run, step)
  placed(run, step - 1)
end

function Run:rewind(n)
  n = check_step("the number of steps back", n, { whole = true, min = 0, max = 2 ^ 53 })
  rewind_to(self, math.max(self.steps - n, 0))
end

function Run:rewind_to(step)
  rewind_to(self, check_step("the step", step, { whole = true, min = 0, max = 2 ^ 53 }))
end

-- ---- looking -------------------------------------------------------------
function Run:set(text)
  if type(text) ~= "string" then
    m.fail("set takes a text, not a " .. core.kind(text), "run:set \"arm.step=0.3\"")
  end
  apply_to_run(self, text)
end
-- What a script's own function said comes first.
function Run:fault()
  local memory = core.run_memory(self)
  local said = memory.fault
  memory.fault = nil
  return said or core.run_fault(self)
end
-- What was changed and when, as text; a fresh run that replays it is this one.
function Run:journal() return core.run_journal(self) end
function Run:replay(text)
  if type(text) ~= "string" then
    m.fail("a journal is a text, not a " .. core.kind(text), "run:replay(other:journal())")
  end
  core.run_replay(self, text)
end
function Run:note() return core.run_note(self) end

-- A list of what there is, by place and some of it by name; whoever calls it or
-- takes it for a number is told what it is.
local function handles(what, n, get, named)
  local function refuse()
    m.fail(what .. " is a list, neither a number nor a method",
           ("#%s is how many there are, %s[1] the first"):format(what, what))
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
    __metatable = "list",
  })
end

local function new_arm(run, i) return setmetatable({ run = run, index = i }, Arm) end

local function arm_index(run, which)
  if type(which) == "number" then return which end
  local names = {}
  for i = 1, core.run_arms(run) do
    names[i] = core.arm_info(run, i).name
    if names[i] == which then return i end
  end
  m.fail("there is no arm '" .. tostring(which) .. "'", m.suggest(which, names))
end

function Run:arm(which)
  local arm = new_arm(self, arm_index(self, which))
  core.arm_info(self, arm.index)
  return arm
end

-- run.arms[1], run.arms.small; run.coordinates[1]
function Fields.arms(run)
  return handles("run.arms", core.run_arms(run), function(i) return new_arm(run, i) end,
                 function(name) return new_arm(run, arm_index(run, name)) end)
end
function Fields.coordinates(run)
  local names = core.run_coordinates(run)
  return handles("run.coordinates", #names, function(i) return names[i] end,
                 function(name) return (m.find_coordinate(names, name)) end)
end

-- What a probe of an arm says, as scripts read it: "trace/mu/recent" and the
-- axes of the plane from 1; the core counts both from 0.
local function readable(probe, said)
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
  return readable(probe, core.run_report_one(run, arm, probe) or {})
end

-- What all probes say: "arm/NAME/energy/..."; or the entry `key`, of the first
-- arm if it names none.
function Run:report(key)
  if key then
    local name, rest = key:match "^arm/([^/]*)/(.*)$"
    return self:arm(name or 1):report(rest or key)
  end
  local said, out = {}, {}
  for from, value in next, core.run_report(self) do
    local head, probe, rest = from:match "^(arm/%d+)/([^/]+)/(.*)$"
    local at = head .. "/" .. probe
    said[at] = said[at] or { arm = tonumber(head:sub(5)) + 1, probe = probe, by = {} }
    said[at].by[rest] = value
  end
  for _, one in next, said do
    local head = ("arm/%s/%s/"):format(core.arm_info(self, one.arm).name, one.probe)
    for rest, value in next, readable(one.probe, one.by) do out[head .. rest] = value end
  end
  return out
end

local function unknown(what, name, ...)
  local names = {}
  m.fail_if_renamed(what, what:match "%a+$", name)
  for _, t in ipairs { ... } do
    for _, key in ipairs(m.sorted_keys(t)) do
      if not key:find("^__") then names[#names + 1] = key end
    end
  end
  m.fail(what .. " has no '" .. tostring(name) .. "'", m.suggest(name, names))
end

Arm.__index = function(arm, key)
  local value = rawget(Arm, key)
  if value ~= nil then return value end
  local info = core.arm_info(arm.run, arm.index)
  if key == "chains" then
    return handles("arm.chains", info.chains, function(i) return arm:chain(i) end, function(name)
      unknown("a list of chains", name)
    end)
  end
  if info[key] == nil then unknown("an arm", key, Arm, info) end
  return info[key]
end
Arm.__tostring = function(arm)
  return ("arm %s: %s, %d chains"):format(arm.name, arm.kernel, #arm.chains)
end

-- A number, the name of a choice, a schedule or what makes one, "cosine max=3 min=1"
-- too; "step.max" is a field of the schedule that drives it; "step=0.3" is both.
function Arm:set(param, value)
  if value == nil and type(param) == "string" then
    param, value = split_set(param)
  end
  if type(param) ~= "string" then
    m.fail("a parameter has a name, not a " .. core.kind(param), "arm:set(\"step\", 0.3)")
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
    m.fail("an arm is moved by a kernel, not by a " .. core.kind(kernel),
           "arm:use(cs.kernel.NAME { ... })")
  end
  core.run_set_kernel(self.run, self.index, kernel)
end
function Arm:chain(i)
  core.chain_tally(self.run, self.index, i)
  return setmetatable({ arm = self, index = i }, Chain)
end
function Arm:report(key)
  if type(key) ~= "string" then m.fail("a report has a key: \"acceptance/chains\", say") end
  local probe, rest = key:match "^([^/]+)/(.*)$"
  return probe and said_by(self.run, self.index, probe)[rest]
end
-- What moves it now, as fields: cs.kernel.NAME(arm:plan()) is it again.
function Arm:plan()
  local plan = core.arm_plan(self.run, self.index)
  for _, value in next, plan do
    if type(value) == "table" then setmetatable(value, List) end
  end
  return plan
end
-- What its kernel takes for the covariance, as arms = { a = { metric = } } has
-- it; nil: 1s.
function Arm:metric() return core.arm_metric(self.run, self.index) end
function Arm:learned() return m.learned(self) end
function Arm:trials() return core.arm_trials(self.run, self.index) end
-- A number; nil and why where it is not known.
function Arm:figure(name, of) return m.figure(self, name, of) end
Chain.__tostring = function(chain) return ("chain %d of %s"):format(chain.index, chain.arm.name) end

Chain.__index = function(chain, key)
  local value = rawget(Chain, key)
  if value == nil then unknown("a chain", key, Chain, { arm = 1, index = 1 }) end
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
    m.fail("a state is a " .. core.kind(x), "give a list of coordinates")
  end
  set_state(self, m.point("set_state", target_of(self), x))
end

-- Lists of numbers and the parts of a step are plain tables that print well.
List.__tostring = function(list)
  local text = {}
  for i, x in ipairs(list) do text[i] = ("%.6g"):format(x) end
  return "{ " .. table.concat(text, ", ") .. " }"
end
local as_list = function(t) return setmetatable(t, List) end

local chain_state, chain_info = of_chain(core.chain_state), of_chain(core.chain_info)
local chain_shown, chain_draws = of_chain(core.chain_shown), of_chain(core.chain_draws)

-- States are lists of the coordinates that chains move in, and know the values
-- of parameters by name; what is shown and recorded stands in the order of
-- run.coordinates, and is known by these names. Either has its log_density.
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

local metas = setmetatable({}, { __mode = "k" }) -- of a target: of states, of records
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
        if name == "log_weight" then return nil end -- they count alike
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
    m.fail("draws takes no argument: it gives all draws that are kept", "chain:draws()[i] is one of them")
  end
  local rows, every = chain_draws(self)
  local meta = metas_of(target_of(self)).record
  for _, row in ipairs(rows) do setmetatable(row, meta) end
  return rows, every
end

-- Of the kept draws n that count alike, in their order.
local function resample(arm, chain, n, seed)
  if n ~= nil and type(n) ~= "number" then
    m.fail("resample gives a number of draws, not a " .. core.kind(n), "chain:resample(1000)")
  end
  if n then m.check_number("n", n, { whole = true, min = 1, max = 2 ^ 24 }) end
  if seed ~= nil and type(seed) ~= "number" then
    m.fail("a seed is a number, not a " .. core.kind(seed), "chain:resample(1000, 7)")
  end
  if seed then m.check_number("seed", seed, { whole = true, min = 0, max = 2 ^ 53 }) end
  local rows = core.run_resample(arm.run, arm.index, chain, n, seed)
  local meta = metas_of(core.run_memory(arm.run).target).record
  for _, row in ipairs(rows) do setmetatable(row, meta) end
  return rows
end
function Chain:resample(n, seed) return resample(self.arm, self.index, n, seed) end
function Arm:resample(n, seed) return resample(self, nil, n, seed) end

-- Of the kept draws first .. last, all by default.
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
  info.verdict = info.failed and "failed" or info.accepted and "accepted" or "refused"
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

-- What `chainscope run` prints in the end.
function Run:summary() return core.run_summary(self) end

-- What became of the scenario's claims, or of those given: a table.
function Run:judge(claims)
  return m.judge(self, claims or core.run_memory(self).claims or {})
end

-- The same as a text; nil where there are none.
function Run:claims()
  return core.run_memory(self).claims and m.claims_in_lines(self)
end
function m.words.claims(run, again)
  return core.run_memory(run).claims and m.claims_in_words(run, again)
end

-- ---- for the console -----------------------------------------------------

-- A value as one reads it: a plain table shows what is in it, and what is in that;
-- of many entries the first twenty, sorted, and how many more there are.
local function shown(value, depth)
  if type(value) == "string" and depth > 0 then return ("%q"):format(value) end
  if type(value) ~= "table" or getmetatable(value) then return tostring(value) end
  if depth > 3 then return "{ ... }" end
  local lines, most, more = {}, 20, 0
  local function add(text)
    if #lines < most then lines[#lines + 1] = text else more = more + 1 end
  end
  for _, x in ipairs(value) do add(#lines < most and shown(x, depth + 1)) end
  if #lines == 0 then
    for _, key in ipairs(m.sorted_keys(value)) do
      add(#lines < most and tostring(key) .. " = " .. shown(value[key], depth + 1))
    end
    if depth == 0 and #lines > 0 then
      if more > 0 then lines[#lines + 1] = "... " .. more .. " more" end
      return table.concat(lines, "\n")
    end
  end
  if #lines == 0 then return "{}" end
  if more > 0 then lines[#lines + 1] = "... " .. more .. " more" end
  return "{ " .. table.concat(lines, ", ") .. " }"
end
function m.words.show(value) return shown(value, 0) end
