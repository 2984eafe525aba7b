-- Opens a run. This file checks the scenario's table and combines it with the sets (settings, see
-- sets.lua); the core creates the run.
local m = ...
local core, cs = m.core, m.cs
local floor = math.floor

-- Calls f(...). If f fails and the error message names no place, adds `where` to the start of
-- the message.
local function blame(where, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  local known = type(result) ~= "string" or result:find("^[^\n]-:%d+: ") or
    result:find("^%-%-set ")
  error(known and result or where .. result, 0)
end

m.blame = blame

-- ---- fields of the scenario ----------------------------------------------------

-- Returns the fields of a run from the scenario. By default, uses the quick setting; if
-- `full`, uses the setting of `replicate`.
local function fields_of(t, full)
  local spec = {}
  for name in next, m.rows.run do spec[name] = t[name] end
  for name, value in next, full and t.full or {} do
    if name ~= "target" and name ~= "setting" and name ~= "learn" then spec[name] = value end
  end
  return spec
end

-- Returns the reason why the run cannot be divided into parts, or nil if it can be divided. The
-- reason names what reads all chains during the run.
local function whole_for(t, claims)
  if t.setup then return "its setup may read all chains" end
  if t.stop then return "its stop reads all chains" end
  for _, claim in ipairs(claims or {}) do
    if claim.each then return "a claim reads all chains during the run" end
  end
end

-- ---- warm-up -------------------------------------------------------------------

-- Returns the default warm-up: a tenth of the budget if it counts only steps, else 0.
local function usual_warmup(budget)
  for name in next, budget or {} do
    if name ~= "steps" and name ~= "each" then return 0 end
  end
  return math.min((budget and budget.steps or 0) // 10, 1000)
end

-- Returns the number of warm-up steps of arms without a tuner. A warm-up below 1 is a share of the
-- budget. `default` is set by `chainscope run`, and is normally "usual". For a resumed run, it is
-- the number of warm-up steps before the run was resumed, when the budget may have been different.
local function warmup_steps(warmup, budget, default)
  local share = warmup and warmup > 0 and warmup < 1
  if default == "usual" and not warmup then return usual_warmup(budget) end
  if tonumber(default) and (share or not warmup) then return default end
  if not share then return floor(warmup or 0) end
  local all = budget and budget.steps
  if not all then
    m.fail(("warmup = %g is a share of the budget's steps, but the budget has no steps"):format(warmup),
           "give the number of warm-up steps, warmup = 1000")
  end
  return floor(warmup * all)
end

-- If an arm has neither a tuner nor a metric, gives it the default tuner of its kernel. A cycle or a
-- mixture with members that have a default tuner gets the tuner of their steps and metrics. If
-- `warmup` is given, it is the number of steps of the tuner; 0 means no tuner. Uses the scenario's
-- budget. Therefore a run keeps its tuners if it is resumed with another budget.
local function bring_tuners(arms, warmup, written, budget)
  local all = written and written.steps
  local usual = all and math.min(1000, all // 2) or 1000
  local steps = warmup and warmup_steps(warmup, all and written or budget) or usual
  for _, arm in ipairs(arms) do
    local name = core.kernel_tuner(arm.kernel)
    local member = arm.kernel.name:find "^%l+%(" and m.member_tuner(arm.kernel)
    if (name or member) and steps > 0 and not (arm.tuner or arm.metric or arm.untuned) then
      arm.tuner = name and cs.tuner[name] { steps = steps } or cs.tuner.window_adaptation { steps = steps, parameter = member }
      arm.brought = not warmup
    end
  end
end

-- Sets the tuners and the warm-up of a run; `written` is the budget in the scenario.
local function set_warmup(spec, arms, written)
  bring_tuners(arms, spec.warmup, written, spec.budget)
  local steps, all = warmup_steps(spec.warmup, spec.budget, spec.default_warmup), spec.budget and spec.budget.steps
  if all and steps >= all then
    m.fail(("a warm-up of %d steps leaves no draws in a budget of %d steps"):format(steps, all),
           "shorten the warm-up, or increase the budget")
  end
  -- If a tuner has no explicit number of steps, half of the run's steps remain for draws. A
  -- resumed run keeps its warm-up.
  local fresh = not tonumber(spec.default_warmup)
  spec.most_warmup = spec.most_warmup or fresh and all and math.max(all // 2, 1) or 0
  spec.warmup = steps
end

-- ---- sets ---------------------------------------------------------------------

-- Returns the seed of a run that is opened with these sets.
local function seed_of(t, sets)
  local seed = rawget(t, "seed") or 0
  for _, set in ipairs(sets) do seed = tonumber(set:match "^seed=(.*)$") or seed end
  return seed
end

-- Returns the scenario to open, the remaining sets, and the options of this run. Each replicate has
-- a seed of its own. In a calibration, each replicate also has data of its own; `drawn` describes
-- these data.
local function scenario_of(what, t, sets)
  local asked, others = m.asked_of_run(sets)
  local seed = type(t) == "table" and seed_of(t, others)
  if asked.sbc then t, asked.drawn = m.calibrated(what, t, seed, asked.sbc) end
  if asked.fold then t, asked.left_out = m.folded(what, t, asked.fold) end
  if asked.replicate then
    seed = seed + asked.replicate
    others[#others + 1] = ("seed=%d"):format(seed)
  end
  local plays = type(t) == "table" and rawget(t, "game") ~= nil
  if asked.fault and not plays then m.fail("cannot set 'fault'", "only a game has a fault") end
  if plays then t = m.game_made(t, seed, asked.fault, others) end
  local made = m.made(what, t, m.rows.scenario, m.is_in("full=1", sets), seed)
  return made, others, asked, plays and m.game_drawn(t) or nil
end

-- Removes from the sets the changes of arms, of the target and of probes. Returns the changes of
-- arms, the exact list of probes, and the remaining sets.
local function changes_of(t, sets)
  local exactly, changes, values
  exactly, sets = m.exact_probes(sets)
  changes, sets = m.arm_changes(t, sets)
  values, sets = m.target_changes(t, sets)
  if next(values) then t.target = m.changed_target(t.target, values) end
  return changes, exactly, sets
end

-- Copies sets to `spec` if they are fields of the run. Returns the remaining sets, which
-- are parameters of arms.
local function take_fields(spec, sets)
  local others = {}
  for _, set in ipairs(sets) do
    if not blame("--set " .. set .. ": ", m.set_field, spec, set) then
      others[#others + 1] = set
    end
  end
  return others
end

-- ---- opening -------------------------------------------------------------------

local function open(what, t, sets)
  local stage
  if type(t) == "table" and (t.stages or t.stage) then t, sets, stage = m.staged(t, sets) end
  local described, given = t, table.move(sets, 1, #sets, 1, {})
  local full, is_read = m.is_in("full=1", sets), m.is_in("read=1", sets)
  local asked, changes, exactly, drawn
  t, sets, asked, drawn = scenario_of(what, t, sets)
  changes, exactly, sets = changes_of(t, sets)
  local wanted = asked.figures and m.read_figures(asked.figures)
  local arms, probes, read, own = m.check_run(what, t, m.rows.scenario, is_read, changes, wanted)
  local spec = fields_of(t, full)
  local written, seeds = spec.budget, spec.seeds or 1
  local of_arms = take_fields(spec, sets)
  if full and t.full and t.full.learn then m.learn_fully(arms, t.full.learn) end
  if asked.equal then m.equal_work(t, spec, arms) end
  set_warmup(spec, arms, written)
  if exactly then
    probes = probes or { others = true }
    probes.exactly = exactly
  end
  spec.arms, spec.probes, spec.setup = arms, probes, t.setup
  if read then -- no rewind is needed, and only figures read stored draws
    spec.rewind_bytes = spec.rewind_bytes or 1
    spec.keep = spec.keep or not (t.claims or t.stop or t.predictive or wanted or asked.sbc or asked.fold) and 2 or nil
  end
  local other = spec.budget ~= written
  spec.budget = m.budget_of(spec.budget, arms, spec.chains)
  if spec.start then spec.start = m.starts(t) end
  local claims, left_out
  if t.claims then claims, left_out = m.claims_of(t, full) end
  spec.part, spec.together = asked.part, whole_for(t, claims)
  if rawget(m, "place_kernel") or rawget(m, "place_conditional") then -- else no kernel has members
    for _, arm in ipairs(arms) do arm.kernel = m.place_kernel("arm " .. arm.name, arm.kernel, t.target) end
  end
  for _, arm in ipairs(arms) do arm.stream = spec.independent_arms and arm.first_name or nil end
  local checks = t.predictive and m.predictive_checks(t)
  local run = core.run_new(spec)
  local memory = core.run_memory(run)
  memory.events, memory.late, memory.fired, memory.target = {}, {}, 0, t.target
  memory.described, memory.sets = described, given
  memory.panels = #own > 0 and not is_read and own or nil
  memory.course, memory.screen, memory.game, memory.stage = t.course, t.screen, drawn, stage
  memory.starts = spec.start and #spec.start or 0
  memory.claims, memory.other = not core.run_is_part(run) and claims or nil, other
  memory.seeds, memory.left_out, memory.quick = seeds, left_out, t.full ~= nil and not full
  memory.predictive = checks
  if asked.fold then core.run_keep_quantities(run) end
  if checks then
    core.run_keep_quantities(run)
    core.run_data_lines(run, m.predictive_lines(checks))
  end
  memory.wanted, memory.sbc, memory.budget, memory.fold = wanted, asked.drawn, spec.budget, asked.left_out
  if claims then
    m.note_setting(run, t, { steps = spec.budget and spec.budget.steps, chains = core.arm_info(run, 1).chains, seeds = seeds,
                             rows = core.run_rows(run), target = spec.target, full = full })
  end
  for _, set in ipairs(of_arms) do
    blame("--set " .. set .. ": ", m.set_parameter, run, set)
  end
  if memory.claims then m.follow_claims(run) end
  -- The points of a sweep are compared at equal work, so stop rules do not apply.
  if t.stop and not wanted then run:stop_when(t.stop) end
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
  core.run_keep_quantities(m.words.last)
  return m.words.last
end)

-- Opens the run that a scenario's table describes. If the script returned nothing, returns
-- the run that the script opened. The program calls this function.
function m.words.open(t, sets)
  if type(t) ~= "table" then
    core.fail("the file returned a " .. core.kind(t), "end it with return cs.scenario { ... }")
  end
  return blame(m.places[t] or "", open, "scenario", t, sets)
end
function m.words.adopt(_, sets)
  local run = m.words.last
  m.words.last = nil
  if not run then
    core.fail("the file returned no scenario", "end it with return cs.scenario { ... }")
  end
  for _, set in ipairs(sets) do
    if not set:find "^default_warmup=" and set ~= "read=1" then -- these two are ignored
      core.fail("'" .. set .. "' cannot be set: this script calls cs.open",
                "use return cs.scenario { ... } instead")
    end
  end
  return run
end

-- Handles a request of the session: "course REQUEST" (lesson.lua, game.lua), or one of results.lua. The
-- session sends "course start" after every opening. A scenario without a course answers it
-- without either file.
function m.words.results(run, what)
  local course = what:match "^course (.*)$"
  if course and core.run_memory(run).game then return m.game(run, course) end
  if course == "start" and not core.run_memory(run).course and not rawget(m, "lesson") then return "" end
  if course then return m.lesson(run, course) end
  return m.results(run, what)
end
