-- A run of a scenario's table: what the table and the sets say is checked and
-- put together, and the core makes it.
local m = ...
local core, cs = m.core, m.cs
local floor = math.floor

-- f(...), its errors said to be of `where` unless they say where they are.
local function blame(where, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  local known = type(result) ~= "string" or result:find("^[^\n]-:%d+: ") or
    result:find("^%-%-set ")
  error(known and result or where .. result, 0)
end

m.blame = blame

-- ---- what the table says -------------------------------------------------------

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

-- ---- warm-up -------------------------------------------------------------------

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
      arm.tuner, arm.brought = cs.tuner[name] { steps = steps }, not warmup
    end
  end
end

-- Tuners and the warm-up of a run whose budget was `written` in the scenario.
local function set_warmup(spec, arms, written)
  bring_tuners(arms, spec.warmup, written, spec.budget)
  local steps, all = warmup_steps(spec.warmup, spec.budget, spec.default_warmup), spec.budget and spec.budget.steps
  if all and steps >= all then
    m.fail(("a warm-up of %d steps leaves no draws of %d steps"):format(steps, all),
           "make it shorter, or the budget longer")
  end
  -- A tuner without explicit steps leaves half of the run's steps for draws. A resumed run
  -- keeps the warm-up that it had.
  local fresh = not tonumber(spec.default_warmup)
  spec.most_warmup = spec.most_warmup or fresh and all and math.max(all // 2, 1) or 0
  spec.warmup = steps
end

-- ---- what the sets say ---------------------------------------------------------

-- Of a run that is opened with these.
local function seed_of(t, sets)
  local seed = rawget(t, "seed") or 0
  for _, set in ipairs(sets) do seed = tonumber(set:match "^seed=(.*)$") or seed end
  return seed
end

-- The scenario as it is to be made, the sets that are left, and what is asked of
-- the run beside them: a replicate has a seed of its own, one of a calibration
-- (`drawn`) its own data.
local function scenario_of(what, t, sets)
  local asked, others = m.asked_of_run(sets)
  local seed = type(t) == "table" and seed_of(t, others)
  if asked.sbc then t, asked.drawn = m.calibrated(what, t, seed, asked.sbc) end
  if asked.replicate then
    seed = seed + asked.replicate
    others[#others + 1] = ("seed=%d"):format(seed)
  end
  return m.made(what, t, m.rows.scenario, m.is_opened(sets, "full=1"), seed), others, asked
end

-- Takes the changes to arms, target and probes out of the sets: the changes to
-- arms, the probes that are exactly to be there, the sets that are left.
local function changes_of(t, sets)
  local exactly, changes, values
  exactly, sets = m.exact_probes(sets)
  changes, sets = m.arm_changes(t, sets)
  values, sets = m.target_changes(t, sets)
  if next(values) then t.target = m.changed_target(t.target, values) end
  return changes, exactly, sets
end

-- Puts what is a field of the run into `spec`; the sets that are left, of its arms.
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
  local described, given = t, table.move(sets, 1, #sets, 1, {})
  local full, is_read = m.is_opened(sets, "full=1"), m.is_opened(sets, "read=1")
  local asked, changes, exactly
  t, sets, asked = scenario_of(what, t, sets)
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
  if read then -- nobody goes back, and only figures look at draws that are kept
    spec.rewind_bytes = spec.rewind_bytes or 1
    spec.keep = spec.keep or not (t.claims or t.stop or wanted or asked.sbc) and 2 or nil
  end
  local other = spec.budget ~= written
  spec.budget = m.budget_of(spec.budget, arms, spec.chains)
  if spec.start then spec.start = m.starts(t) end
  local claims, left_out
  if t.claims then claims, left_out = m.claims_of(t, full) end
  spec.part, spec.together = asked.part, whole_for(t, claims)
  local run = core.run_new(spec)
  local memory = core.run_memory(run)
  memory.events, memory.late, memory.fired, memory.target = {}, {}, 0, t.target
  memory.described, memory.sets = described, given
  memory.panels = #own > 0 and not is_read and own or nil
  memory.claims, memory.other = not core.run_is_part(run) and claims or nil, other
  memory.seeds, memory.left_out, memory.quick = seeds, left_out, t.full ~= nil and not full
  memory.wanted, memory.sbc, memory.budget = wanted, asked.drawn, spec.budget
  if claims then
    m.note_setting(run, t, { steps = spec.budget and spec.budget.steps, chains = core.arm_info(run, 1).chains, seeds = seeds,
                             rows = core.run_rows(run), target = spec.target, full = full })
  end
  for _, set in ipairs(of_arms) do
    blame("--set " .. set .. ": ", m.set_parameter, run, set)
  end
  if memory.claims then m.follow_claims(run) end
  -- The points of a sweep are compared at equal work.
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
