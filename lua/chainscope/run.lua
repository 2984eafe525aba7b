-- Runs: opening, moving, looking, events.
local m = ...
local core, cs = m.core, m.cs
local Run = core.run_methods
local Arm, Chain = { __metatable = "arm" }, { __metatable = "chain" }
local Info, List = { __metatable = "info" }, { __metatable = "list" }
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
    if name ~= "target" then spec[name] = value end
  end
  return spec
end

local function is_full(sets)
  for _, set in ipairs(sets) do
    if set == "full=1" then return true end
  end
  return false
end

-- "seed=3": a field of the run itself.
local function apply_to_spec(spec, set)
  local name, value = set:match("^([%a_]+)=(.*)$")
  if not name then return false end
  if set == "full=1" then return true end
  local row = name == "steps" and m.rows.budget.steps or m.rows.run[name]
  if not row or row[1] ~= "number" then
    m.fail("cannot set '" .. name .. "'",
           "set steps, seed, chains, workers or ARM.PARAMETER")
  end
  local number = m.check_number(name, number_of(value), row)
  if name == "steps" then spec.budget = { steps = number } else spec[name] = number end
  return true
end

-- "arm.param=value"
local function apply_to_run(run, set)
  local arm, param, value = set:match("^(.+)%.([%w_]+)=(.*)$")
  if not arm then
    m.fail("cannot read '" .. set .. "'", "write ARM.PARAMETER=VALUE")
  end
  run:arm(tonumber(arm) or arm):set(param, tonumber(value) or value)
end

-- f(...), its errors said to be of `where` unless they say where they are.
local function blame(where, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  local known = type(result) ~= "string" or result:find("^[^\n]-:%d+: ") or
    result:find("^%-%-set ")
  error(known and result or where .. result, 0)
end

local function open(what, t, sets)
  local full = is_full(sets)
  t = m.made(what, t, m.rows.scenario, full)
  local arms, probes = m.check_run(what, t, m.rows.scenario)
  local spec = fields_of(t, full)
  local later, budget, seeds = {}, spec.budget, spec.seeds or 1
  for _, set in ipairs(sets) do
    if not blame("--set " .. set .. ": ", apply_to_spec, spec, set) then
      later[#later + 1] = set
    end
  end
  spec.arms, spec.probes = arms, probes
  if spec.start then spec.start = m.starts(t) end
  local run = core.run_new(spec)
  local memory = core.run_memory(run)
  memory.events, memory.fired, memory.target = {}, 0, t.target
  memory.claims, memory.other = t.claims and m.claims_of(t, full), spec.budget ~= budget
  memory.seeds = seeds
  for _, set in ipairs(later) do
    blame("--set " .. set .. ": ", apply_to_run, run, set)
  end
  if memory.claims then m.follow_claims(run) end
  if t.setup then t.setup(run) end
  return run
end

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
  elseif #sets > 0 then
    core.fail("'" .. sets[1] .. "' cannot be set: this script opens its run itself",
              "return cs.scenario { ... } instead")
  end
  return run
end

-- ---- events --------------------------------------------------------------

-- Events lie in the run's memory: { every = n } or { at = step }, and what to
-- call. Those up to the step `fired` have happened: after a rewind or a resume
-- they come again, or not, as they would in an undisturbed run.
local function next_due(e, after)
  if e.every then return (floor(after / e.every) + 1) * e.every end
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

-- Calls what is due by now.
local function fire(run)
  local memory, steps = core.run_memory(run), run.steps
  local from = memory.fired
  memory.fired = steps
  core.run_random(run)
  for _, e in ipairs { table.unpack(memory.events) } do
    if next_due(e, from) <= steps then e.call(run) end
  end
end

-- The run was put at another step; the events up to `fired` have happened.
local function placed(run, fired)
  core.run_memory(run).fired = fired
end

m.words.placed = placed
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

-- ---- moving --------------------------------------------------------------

function Run:step(n)
  n = check_step("the number of steps", n or 1, { whole = true, min = 0, max = 2 ^ 53 })
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

function Run:fault() return core.run_fault(self) end
-- What was changed and when, as text; a fresh run that replays it is this one.
function Run:journal() return core.run_journal(self) end
function Run:replay(text)
  if type(text) ~= "string" then
    m.fail("a journal is a text, not a " .. core.kind(text), "run:replay(other:journal())")
  end
  core.run_replay(self, text)
end
function Run:note() return core.run_note(self) end
function Run:coordinates() return core.run_coordinates(self) end

-- What all probes say, or the entry `key` ("arm/0/energy/..." or, of the
-- first arm, "energy/...").
function Run:report(key)
  local all = core.run_report(self)
  if key == nil then return all end
  return all[key] or all["arm/0/" .. key]
end

local function arm_index(run, which)
  local n, names = run.arms, {}
  if type(which) == "number" then return which end
  for i = 1, n do
    names[i] = core.arm_info(run, i).name
    if names[i] == which then return i end
  end
  m.fail("there is no arm '" .. tostring(which) .. "'", m.suggest(which, names))
end

function Run:arm(which)
  local arm = setmetatable({ run = self, index = arm_index(self, which) }, Arm)
  core.arm_info(self, arm.index)
  return arm
end

local function unknown(what, name, ...)
  local names = {}
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
  if info[key] == nil then unknown("an arm", key, Arm, info) end
  return info[key]
end
Arm.__tostring = function(arm)
  return ("arm %s: %s, %d chains"):format(arm.name, arm.kernel, arm.chains)
end

-- The number of a choice: its place among the names, from 0.
local function choice_of(arm, param, value)
  local kernel = arm.kernel:match "%((.+)%)$" or arm.kernel -- what another goes around
  for _, row in ipairs(core.kernels()[kernel] or {}) do
    for i, choice in ipairs(row.name == param and row.choices or {}) do
      if choice == value then return i - 1 end
    end
    if row.name == param and #row.choices > 0 then
      m.fail(param .. " has no choice '" .. value .. "'", m.suggest(value, row.choices))
    end
  end
  return value
end

-- A number, the name of a choice, a schedule or what makes one.
function Arm:set(param, value)
  if type(param) ~= "string" then
    m.fail("a parameter has a name, not a " .. core.kind(param), "arm:set(\"step\", 0.3)")
  end
  if type(value) == "string" then value = choice_of(self, param, value) end
  value = m.as_schedule(param, value)
  local kind = core.kind(value)
  if kind ~= "number" and kind ~= "schedule" then
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
  return core.run_report(self.run)["arm/" .. (self.index - 1) .. "/" .. key]
end
-- What moves it now, as fields: cs.kernel.NAME(arm:plan()) is it again.
function Arm:plan()
  local plan = core.arm_plan(self.run, self.index)
  for _, value in next, plan do
    if type(value) == "table" then setmetatable(value, List) end
  end
  return plan
end
function Arm:trials() return core.arm_trials(self.run, self.index) end
function Arm:figure(name, of) return cs.figure(self.run, self.index, name, of) end

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
Chain.draws = of_chain(core.chain_draws)
local set_state = of_chain(core.run_set_state)
function Chain:set_state(x)
  if type(x) ~= "table" then
    m.fail("a state is a " .. core.kind(x), "give a list of coordinates")
  end
  set_state(self, m.free(core.run_memory(self.arm.run).target, x))
end

-- Lists of numbers and the parts of a step are plain tables that print well.
List.__tostring = function(list)
  local text = {}
  for i, x in ipairs(list) do text[i] = ("%.6g"):format(x) end
  return "{ " .. table.concat(text, ", ") .. " }"
end
local as_list = function(t) return setmetatable(t, List) end

local chain_state, chain_info = of_chain(core.chain_state), of_chain(core.chain_info)
local chain_shown = of_chain(core.chain_shown)
function Chain:state()
  local x, u = chain_state(self)
  return as_list(x), u
end

function Chain:shown() return as_list(chain_shown(self)) end

function Chain:info()
  local info = chain_info(self)
  if info.proposal then as_list(info.proposal) end
  info.verdict = info.failed and "failed" or info.accepted and "accepted" or "refused"
  return setmetatable(info, Info)
end

Info.__tostring = function(i)
  local function line(name, ...) return ("%-15s"):format(name) .. string.format(...) end
  return table.concat({
    line("proposal", "%s", tostring(i.proposal or "none")),
    line("log density", "%.6g, change %+.6g", i.u_proposal, i.u_change),
    line("log q", "forward %.6g, back %.6g", i.log_q_forward, i.log_q_back),
    line("log ratio", "%.6g", i.log_ratio),
    line("log uniform", "%.6g", i.log_u),
    line("verdict", "%s", i.verdict) }, "\n")
end

-- What `chainscope run` prints in the end.
function Run:summary() return core.run_summary(self) end

-- What became of the claims; nil where there are none.
function Run:claims()
  return core.run_memory(self).claims and m.claims_in_lines(self)
end
function m.words.claims(run, again)
  return core.run_memory(run).claims and m.claims_in_words(run, again)
end

-- ---- for the console -----------------------------------------------------

-- A value as one reads it: a plain table shows what is in it.
function m.words.show(value)
  if type(value) ~= "table" or getmetatable(value) then return tostring(value) end
  local lines = {}
  for i, x in ipairs(value) do
    if i > 20 then break end
    lines[i] = tostring(x)
  end
  if #lines > 0 then
    return "{ " .. table.concat(lines, ", ") .. (#value > 20 and ", ... }" or " }")
  end
  for _, key in ipairs(m.sorted_keys(value)) do
    lines[#lines + 1] = key .. " = " .. tostring(value[key])
  end
  return #lines > 0 and table.concat(lines, "\n") or "{}"
end
