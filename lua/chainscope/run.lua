-- Methods of a run: events, steps, reports.
local m = ...
local core = m.core
local Run, Fields = core.run_methods, core.run_fields
local floor, huge = math.floor, math.huge

-- ---- events --------------------------------------------------------------

-- Events are stored in the run's memory. An event is { every = n } or { at = step }, and the
-- function to call. An event with { look = true } is a rule that may end the run (stop.lua). All
-- events up to the step `fired` have happened. After a rewind or a resume, the later events happen
-- again, as in an undisturbed run.
local function next_due(e, after)
  if e.every then return (floor(after / e.every) + 1) * e.every end
  if e.look then return m.next_look(e.each, after) end
  return e.at > after and e.at or huge
end

local function next_of(memory, after)
  local due = huge
  for _, e in ipairs(memory.events) do due = math.min(due, next_due(e, after)) end
  return due
end

-- Returns the steps until the next event; math.huge if there are no more events.
local function ahead_of(run)
  local memory = core.run_memory(run)
  return math.max(next_of(memory, memory.fired) - run.steps, 0)
end

-- Calls the functions of events that are due. Returns whether a rule ends the run at this step, and
-- whether any function was called. With `of_session` the program and not a script advances the run;
-- captured values are then checked for changes.
local function fire(run, of_session)
  local memory, steps = core.run_memory(run), run.steps
  local from = memory.fired
  memory.fired = math.max(from, steps) -- after a rewind, the events up to `from` have already happened
  core.run_random(run)
  local ends, called = false, false
  memory.firing = true
  if of_session then m.look_for_changes(run, memory, next_of(memory, from) <= steps) end
  for _, e in ipairs { table.unpack(memory.events) } do
    if next_due(e, from) <= steps then
      called = true
      if e.call(run) and e.look then ends = true end
    end
  end
  memory.firing = false
  if not of_session then m.keep(run, called) end
  if called and of_session then m.forget_changes(memory) end
  return ends, called
end

-- Records that the run is now at another step, and that the events up to the
-- step `fired` have happened.
local function placed(run, fired, loaded)
  local memory = core.run_memory(run)
  if loaded then memory.since = fired end
  memory.fired = math.max(fired, memory.since or 0)
end

m.words.placed = placed
-- Prepares a run that was read from files, without a scenario.
function m.words.read(run, target)
  local memory = core.run_memory(run)
  memory.events, memory.late, memory.fired, memory.target = {}, {}, 0, target
  memory.read, memory.predictive = true, m.recorded_checks(core.run_data_lines(run), target.coordinates)
end
-- Calls the functions of events that are due. Returns the number of steps until the next event,
-- and whether an event happened.
function m.words.fire(run)
  local _, called = fire(run, true)
  local ahead = ahead_of(run)
  return ahead < huge and ahead or -1, called
end

local function add_event(run, event, f)
  if type(f) ~= "function" then
    m.fail("an event must be a function, not a " .. core.kind(f),
           "write run:every(100, function(run) ... end)")
  end
  core.run_changes(run)
  local events = core.run_memory(run).events
  event.call = f
  if not event.get then
    event.of, event.typed = f, not core.function_place(f)
  end
  events[#events + 1] = event
  local memory = core.run_memory(run)
  if not memory.firing and not event.typed then
    memory.added, event.late = true, run.steps > 0
  end
end
m.add_event = add_event

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
    m.fail(("step %d has already passed"):format(step), "give a later step")
  end
  add_event(self, { at = step }, f)
end

-- Adds a rule that ends the run in the same way as a spent budget. The rule applies when f(run)
-- returns a reason, or when figures reach their bounds.
function Run:stop_when(rule, every)
  add_event(self, m.stop_when(self, rule, every))
end

-- ---- steps ---------------------------------------------------------------

function Run:step(n)
  n = check_step("the number of steps", n or 1, { whole = true, min = 0, max = 2 ^ 53 })
  core.run_memory(self).firing = false -- true if an event has failed
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

-- Goes back to a step. Events at that step are also undone, and happen again.
local function rewind_to(run, step)
  m.can_go_back(run)
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

-- ---- reports -------------------------------------------------------------

function Run:set(text)
  if type(text) ~= "string" then
    m.fail("run:set needs a string, not a " .. core.kind(text), "write run:set \"arm.step=0.3\"")
  end
  m.set_parameter(self, text)
end

-- If a function of the script has failed, its error is reported first.
function Run:fault()
  local memory = core.run_memory(self)
  local said = memory.fault
  memory.fault = nil
  return said or core.run_fault(self)
end

-- Returns the changes to the run, with their steps, as text. Replaying it on a new run reproduces
-- this run.
function Run:journal() return core.run_journal(self) end
function Run:replay(text)
  if type(text) ~= "string" then
    m.fail("a journal must be a string, not a " .. core.kind(text), "write run:replay(other:journal())")
  end
  m.keep(self)
  core.run_replay(self, text)
  placed(self, self.steps) -- the journal includes the effects of events
end

-- Returns the state of the run as bytes. A run with the same description can continue from this
-- state.
function Run:save(...)
  if select("#", ...) > 0 then
    m.fail("run:save takes no argument: it returns the state of the run as a string", "run:write \"out\" writes the run to a folder")
  end
  return core.run_save(self)
end
-- Writes the kept draws, the checkpoint, the summary and the manifest to a folder.
function Run:write(folder, options)
  if type(folder) ~= "string" then
    m.fail("run:write needs the name of a folder, not a " .. core.kind(folder), "write run:write \"out\"")
  end
  for key in next, options or {} do
    if key ~= "force" then m.fail("run:write has no option '" .. tostring(key) .. "'", "write { force = true }") end
  end
  m.keep(self)
  core.run_write(self, folder, options ~= nil and options.force)
end
function Run:load(bytes)
  if type(bytes) ~= "string" then
    m.fail("a saved run must be a string, not a " .. core.kind(bytes), "write run:load(other:save())")
  end
  m.keep(self)
  core.run_load(self, bytes)
  placed(self, self.steps, true)
end

-- Returns another run in the same state. Fails for a run with events, because both runs would share
-- the functions of events and the variables that these functions capture.
function Run:fork()
  local memory = core.run_memory(self)
  if not memory.described then m.fail("a run that was read from files cannot be forked") end
  if #memory.events > 0 then
    m.fail("a run with events cannot be forked: both runs would share their functions",
           "fork a run without setup, every, at, stop, and claims with each")
  end
  local other = m.open("open", memory.described, memory.sets)
  other:load(self:save())
  return other
end

function Run:note() return core.run_note(self) end

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
  local arm = m.arm_of(self, arm_index(self, which))
  core.arm_info(self, arm.index)
  return arm
end

-- Return the lists run.arms (run.arms[1], run.arms.small) and run.coordinates (run.coordinates[1]).
function Fields.arms(run)
  return m.handles("run.arms", core.run_arms(run), function(i) return m.arm_of(run, i) end,
                 function(name) return m.arm_of(run, arm_index(run, name)) end)
end

function Fields.coordinates(run)
  local names = core.run_coordinates(run)
  return m.handles("run.coordinates", #names, function(i) return names[i] end,
                 function(name) return (m.find_coordinate(names, name)) end)
end

-- Returns the reports of all probes, with keys "arm/NAME/energy/...". With `key`, returns only
-- this entry; if `key` names no arm, it is that of the first arm.
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
    for rest, value in next, m.readable(one.probe, one.by) do out[head .. rest] = value end
  end
  return out
end

-- Returns the text that `chainscope run` prints at the end.
function Run:summary() return core.run_summary(self) end

-- Estimates the bias of kernels without an accept step; the result can be printed as lines of text.
function Run:bias() return m.bias(self) end

-- Judges the given claims (default: the scenario's); returns a table.
function Run:judge(claims)
  return m.judge(self, claims or core.run_memory(self).claims or {})
end

-- True if the given claims (default: the scenario's) are decided before the budget is spent.
function Run:decided(claims)
  return m.decided(self, claims or core.run_memory(self).claims or {})
end

-- Returns the judged claims as text; nil if there are no claims.
function Run:claims()
  return core.run_memory(self).claims and m.claims_in_lines(self)
end

-- Returns the predictive checks as text; nil if the scenario has none. For draws that were read from
-- files without checks, returns their leave-one-out densities, if they have log likelihoods.
function Run:predictive()
  local memory = core.run_memory(self)
  return memory.predictive and m.predictive_text(self) or memory.read and m.recorded_loo(self, memory.target.coordinates) or nil
end

function m.words.claims(run, again)
  return core.run_memory(run).claims and m.claims_in_words(run, again)
end
