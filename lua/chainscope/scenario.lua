-- Fields of a scenario and of a run: arms, budget, probes, panels.
local m = ...
local core, cs, rows = m.core, m.cs, m.rows

local most = 2 ^ 53
local function whole(help, low, high)
  return { "number", help, whole = true, min = low, max = high or most }
end

rows.run = {
  target = { "target function", "the target, or a function that returns the target. The function is called with the seed when a run is opened, so no data are read before that, and each seed can use its own split of the data", required = "target = cs.target.NAME { ... }" },
  arms = { "table", "kernels to compare, by name; by default one arm `auto`, whose kernels are chosen from the model (cs.kernel.auto)" },
  chains = whole("chains per arm; 4 by default", 1, 2 ^ 20),
  seed = whole("the seed that determines all random numbers; 0 by default", 0),
  budget = { "table", "the amount of work after which an arm ends" },
  start = { "table", "initial states of the chains: a state, or a list of states; with params, the values by name, of which some may be missing. By default, and for missing names, each real coordinate is uniform on (-2, 2) in the space in which chains move, and each discrete site is uniform over its values" },
  workers = whole("number of threads; results do not depend on it", 0, 1024),
  block_lanes = whole("number of chains that are advanced together; results do not depend on it", 0, 4096),
  warmup = { "number", "number of warm-up steps of each chain, for arms without a tuner (a tuner has its own warm-up); a value below 1 is a share of the budget's steps. Warm-up steps are written only with `save_warmup`. The default is 0; in `chainscope run` it is a tenth of the budget's steps, at most 1000", min = 0, max = most },
  independent_arms = { "boolean", "true: each arm draws random numbers of its own, which the seed and the arm's name determine. By default the chains with the same number have the same random numbers in all arms, so that arms differ only by their kernels" },
  keep = whole("draws stored per chain; 4096 by default", 2, 2 ^ 24),
  rewind_bytes = whole("bytes of memory for rewinding; 64 MiB by default", 0, 2 ^ 36),
  strict = { "boolean", "true: a chain stops at the first proposal whose log density or gradient is NaN; by default such proposals are rejected and counted" },
  probes = { "table", "additional probes, by name or with fields: { \"curvature\", trace = { every = 10 } }; with only = true, no other probes are used, except those that the screen and claims need" },
}
rows.scenario = {
  title = { "string", "the name of the scenario", required = "title = \"A random walk\"" },
  shows = { "string", "the effect that the scenario shows" },
  source = { "string", "the paper and the section that the scenario reproduces" },
  tags = { "string", "words by which the gallery finds the scenario, typed as #word: \"teaching multimodal\"" },
  screen = { "table", "list of the panels on the screen. An entry is a name; a name with the quantity and the arm that are shown first, { \"trace\", quantity = \"x.1\", arm = \"small\" }; or a panel that the scenario defines, cs.panel { ... }" },
  panels = { "table", "additional panels that the scenario defines, which are opened by a digit key: { cs.panel { ... } }" },
  speed = { "number", "steps per second at the start; the keys + - = change it; by default there is no limit", min = 0, above = true, max = 1e9 },
  save_warmup = { "boolean", "true: files of draws (`chainscope run --out`) start with the warm-up, as CmdStan's do" },
  predictive = { "table", "comparison of data with replicated data: { data = y, replicated = \"y_rep\", statistic = \"max\" }, or a list of such tables with names; the panel `predictive`, reports and arm:predictive show it" },
  claims = { "table", "statements about the results, which a test checks" },
  stop = { "table", "bounds on figures; the run ends before its budget when every arm meets them: { rhat = 1.01, ess = 400 }" },
  target_changes = { "table", "values of target parameters that were changed on the screen, as stored in a saved run: { beta = 0.3 }" },
  arm_changes = { "table", "changes to the arms that were made on the screen, in order, as stored in a saved run: \"drop walk\"" },
  setting = { "string", "how the setting differs from the setting of the paper: \"60 of 1001 steps, each tenth row\"" },
  printed = { "table", "the values of the setting in the paper; differences from these values are reported with the claims" },
  full = { "table", "changes for the full setting, which `chainscope replicate` uses. Tests and the screen use the quick setting, without these changes" },
  kfold = { "table", "the rows and the model for `chainscope kfold`, which runs the scenario once per fold of its data, without the rows of the fold: the fields of cs.kfold. A target with log_lik = \"terms\" needs none" },
  sbc = { "table", "functions that simulate data for `chainscope sbc`, which tests whether the kernels draw from the posterior given these data" },
  exercise = { "table string", "a task, judged by `chainscope exercise`: { text =, skeleton =, judge =, hints = }; or the path of the scenario that has it, from the folder of this file" },
  setup = { "function", "a function that is called with the run when the run is opened; it can add events to the run" },
  course = { "table", "the steps of a lesson, which the keys enter and backspace go through: { { say = \"...\" }, { run = 200 }, { ask = \"...\", choose = { \"yes\", \"no\" }, truth = \"accepted\" }, { reveal = \"...\" } }; cs.help \"course_step\" lists the fields of a step" },
  game = { "table", "a game: three arms are correct, one has a planted fault, which the seed selects; `chainscope game` and the screen play it. The target and the arms are left out: game = {}, or game = { fault = \"greedy\" }" },
  stages = { "table", "other targets of a lesson, by name, with which a step of `course` starts over: { wide = { target = ..., start = ... } }; cs.help \"stage\" lists the fields" },
  stage = { "string", "the stage with which the run begins, as stored in a saved run" },
  lesson = { "table", "write the steps of a lesson in `course`, or print with run:at and run:every in setup", refused = "is not supported" },
  tune = { "table", "write arms = { a = { kernel = ..., tuner = cs.tuner.NAME { ... } } }",
           refused = "belongs to an arm" },
}
for name, row in next, rows.run do rows.scenario[name] = row end

rows.probe = {
  every = whole("records every n-th step; the default is 1, or more for states with many coordinates", 1),
  true_logp = { "boolean", "true: record log p of the target. If the kernel has no exact log p, log p is evaluated at the recorded steps; this is not counted as work of the arm (arm.observed)" },
}
rows.budget = {
  steps = whole("steps per chain", 1),
  gradients = whole("gradient evaluations, summed over an arm's chains", 1),
  log_densities = whole("log density evaluations, summed over an arm's chains", 1),
  data_terms = whole("data terms, summed over an arm's chains: rows of data, counted at each evaluation", 1),
  each = { "string", "the unit of the counts: \"arm\", summed over the chains of an arm (the default), or \"chain\"" },
  seconds = { "number", "wall time of the whole run", min = 0, above = true, max = 1e9 },
}
rows.full = {
  target = { rows.run.target[1], rows.run.target[2] },
  budget = rows.run.budget,
  chains = rows.run.chains,
  learn = { "table", "changed fields of `learn`, in every arm that learns: { updates = 2000 }" },
  seeds = whole("number of runs with successive seeds; the spread of their results gives the error; 1 by default", 1, 1000),
  setting = { "string", "the text of the field `setting` for the full setting" },
}
rows.arm = {
  kernel = { "kernel", "the kernel of the arm's chains", required = "kernel = cs.kernel.NAME { ... }" },
  tuner = { "tuner boolean", "the tuner that sets the kernel's parameters during warm-up; false: no tuner. The default for nuts is window_adaptation with `warmup` steps (by default 1000), at most half of the steps of the run" },
  metric = { "table", "the covariance of the target, for the kernel: variances, { 1, 4 }, or rows of a matrix, { { 1, 0.5 }, { 0.5, 4 } }; centre = { 0, 2 } gives the mean, around which the kernel independence proposes. By default all variances are 1, or the tuner estimates them" },
  learn = { "table", "data, and how the target learns from them while the chains run. Each arm that learns has its own copy of the target, and its draws start after learning" },
  chains = rows.run.chains,
  name = { "string", "the name of the arm" },
}

-- ---- arms ----------------------------------------------------------------

local function arm_of(key, arm)
  if core.kind(arm) == "kernel" then return { kernel = arm } end
  if type(arm) ~= "table" then
    m.fail(("arm %s is a %s"):format(tostring(key), core.kind(arm)),
           rows.arm.kernel.required)
  end
  return m.check("an arm", arm, rows.arm)
end

local function centre_of(metric)
  local centre = metric.centre
  if centre == nil then return end
  local good = type(centre) == "table" and #centre == #metric
  for _, x in ipairs(good and centre or {}) do good = good and type(x) == "number" end
  if not good then
    m.fail("metric: `centre` must be a list of one number per coordinate", "for example centre = { 0, 2 }, or leave out `centre`")
  end
  return centre
end

-- Returns the numbers of a metric in one list, the kind of the metric, and its centre.
function m.metric_of(metric)
  if metric == nil then return end
  local numbers, dense = {}, type(metric[1]) == "table"
  for i = 1, #metric do
    local row = dense and metric[i] or { metric[i] }
    if type(row) ~= "table" or (dense and #row ~= #metric) then
      m.fail(("metric: row %d does not belong to a square matrix"):format(i),
             "give variances, or a square matrix")
    end
    for _, x in ipairs(row) do
      if type(x) ~= "number" then
        m.fail(("metric: entry %d is a %s"):format(i, core.kind(x)), "give numbers")
      end
      numbers[#numbers + 1] = x
    end
  end
  if #numbers == 0 then m.fail("metric is empty", "leave it out") end
  return { kind = dense and "dense" or "diagonal", numbers = numbers, centre = centre_of(metric) }
end

function m.add_arm(list, seen, arm, name)
  if not name:find("^[%w_][%w_.-]*$") or #name > 40 then
    m.fail("'" .. name .. "' is not a valid name for an arm",
           "use up to 40 letters, digits, '_', '.' and '-'")
  end
  if seen[name] then m.fail("two arms have the name '" .. name .. "'") end
  seen[name] = true
  if arm.tuner == true then m.fail("an arm's tuner is true", "tuner = cs.tuner.NAME { ... }") end
  list[#list + 1] = { name = name, first_name = name, kernel = arm.kernel, tuner = arm.tuner or nil, chains = arm.chains,
                      metric = m.metric_of(arm.metric), untuned = arm.tuner == false,
                      learn = arm.learn ~= nil and m.learn_of(arm.learn) or nil }
end

local function parts_of(arm)
  if type(arm) ~= "table" then return arm end
  return rawget(arm, "kernel"), rawget(arm, "tuner") or nil
end

-- Returns the field `arms` of a scenario; by default one arm whose kernel is chosen from the model.
function m.arms_of(t) return t.arms or { auto = cs.kernel.auto {} } end

-- Returns arms as a list of {name, kernel, tuner, chains}: first the list entries, then the named
-- ones in order of creation.
function m.arm_list(arms)
  local list, seen = {}, {}
  for i, arm in ipairs(arms) do
    arm = arm_of(i, arm)
    local name = arm.name or arm.kernel.name:gsub("%(.*", "") -- the name of a wrapper without its inner kernel
    if not arm.name and seen[name] then name = name .. "." .. i end
    m.add_arm(list, seen, arm, name)
  end
  local numbered = #list
  for _, key in ipairs(m.keys_as_made(arms, parts_of)) do
    local arm = rawget(arms, key)
    if arm ~= nil then
      arm = arm_of(key, arm)
      m.add_arm(list, seen, arm, arm.name or key)
    elseif not (math.tointeger(key) and tonumber(key) <= numbered) then
      m.fail("arms: entry " .. key .. " has no name", "write name = kernel")
    end
  end
  if #list == 0 then m.fail("a run needs an arm", "write arms = { a = cs.kernel.NAME { ... } }, or leave out `arms`") end
  return list
end

-- ---- probes, panels ------------------------------------------------------

-- Replaces the names of coordinates in the fields of the probe `plane`, x = "mu.1", by indices.
local function plane_fields(fields, target)
  local out = {}
  for name, value in next, fields do
    if (name == "x" or name == "y") and type(value) == "string" then
      value = m.find_coordinate(target.coordinates, value)
    end
    out[name] = value
  end
  return out
end

local function has(list, name)
  for _, one in ipairs(list) do
    if one.name == name then return true end
  end
  return false
end

local function probe_list(probes, target)
  local view = m.views[target]
  if not probes then
    return view and { { name = "plane", fields = view }, others = true }
  end
  if probes.others ~= nil then m.fail_if_renamed("probes", "probes", "others") end
  local known, list = core.probes(), {}
  local names = m.sorted_keys(known)
  local function add(name, fields)
    if type(name) ~= "string" or not known[name] then
      m.fail("there is no probe '" .. tostring(name) .. "'", m.suggest(name, names))
    end
    if type(fields) ~= "table" then
      m.fail("probe " .. name .. " expects a table", name .. " = { every = 10 }")
    end
    for field, row in next, rows.probe do
      local value = fields[field]
      if value ~= nil and type(value) ~= row[1] then
        m.fail(("probe %s: field '%s' is a %s"):format(name, field, type(value)), "give a " .. row[1])
      end
    end
    if fields.every then m.check_number("every", fields.every, rows.probe.every) end
    if fields.true_logp and not known[name].logp then
      m.fail("probe " .. name .. " does not record log p", "leave out true_logp; energy, trace and diagnostics have it")
    end
    if name == "plane" then
      fields = next(fields) == nil and view or plane_fields(fields, target)
    end
    list[#list + 1] = { name = name, fields = fields }
  end
  for _, name in ipairs(probes) do add(name, {}) end
  for _, name in ipairs(m.sorted_keys(probes)) do
    if name ~= "only" and rawget(probes, name) ~= nil then add(name, probes[name]) end
  end
  if type(probes.only or true) ~= "boolean" then
    m.fail("probes: 'only' is a " .. type(probes.only), "only = true")
  end
  list.others = not probes.only
  if list.others and view and not has(list, "plane") then add("plane", {}) end
  return list
end

-- Returns the panels defined by the scenario. The file own_panels.lua is not loaded if the scenario
-- defines no panels.
local function own_panels(t)
  if t.panels or rawget(m, "own_panels") then return m.own_panels(t) end
  return {}
end

local function check_panels(list, arms, own)
  local seen, names = {}, table.move(core.panels, 1, #core.panels, 1, {})
  for _, one in ipairs(own) do names[#names + 1] = one.name end
  m.check_list("screen", list, function(panel)
    local name = type(panel) == "table" and panel[1] or panel
    if not m.is_in(name, names) then
      m.fail("there is no panel '" .. tostring(name) .. "'", m.suggest(name, names))
    elseif seen[name] then
      m.fail("panel '" .. name .. "' is listed twice", "list it once; the key o shows its next quantity")
    end
    seen[name] = true
    if type(panel) == "table" and not own[name] then m.check_panel(panel, arms) end
  end)
end

-- Adds to `probes` the probes that the panels in t.screen need.
local function shown_probes(t, probes)
  local more = probes and not probes.others
  for _, panel in ipairs(t.screen) do more = more or type(panel) == "table" end
  return more and m.watch_shown(probes, t.screen, t.target.coordinates, t.probes) or probes
end

-- True if functions of the scenario may read the run. Functions of targets, kernels and schedules
-- cannot read it, since they have no access to the run.
local function looks_by_itself(t)
  local looks = t.setup ~= nil
  for _, claim in ipairs(t.claims or {}) do looks = looks or claim.measure ~= nil end
  return looks
end

-- Returns the probes in `probes` (nil: the default probes) that a run without a screen needs for
-- the summary or for claims, and those that the scenario names.
local function read_probes(probes, t, wanted)
  local read, list = core.summary_reads(t.target), {}
  if t.predictive then read.diagnostics = true end
  for key, one in next, t.probes or {} do
    if key ~= "only" then read[type(key) == "string" and key or one] = true end
  end
  local function add(list)
    for _, one in ipairs(list or {}) do read[m.figures[one.stat].probe or "diagnostics"] = true end
  end
  add(t.claims)
  add(wanted)
  add(t.stop and m.check_stop(t.stop))
  for _, one in ipairs(probes or {}) do
    if read[one.name] then list[#list + 1] = one end
  end
  list.others = not probes or probes.others
  list.read = read
  return list
end

-- ---- scenarios -----------------------------------------------------------

function m.is_made(target) return core.kind(target) == "target" end

-- Returns a copy of t whose target is created for this setting and seed.
function m.made(what, t, fields, full, seed)
  m.check(what, t, fields)
  local copy, target = {}, t.target
  if full and t.full and t.full.target then target = t.full.target end
  if not m.is_made(target) then target = target(seed) end
  if not m.is_made(target) then
    m.fail("target is a function that returned a " .. core.kind(target), "return cs.target.NAME { ... }")
  end
  for name, value in next, t do copy[name] = value end
  copy.target = target
  return copy
end

-- Returns the start states as lists of the coordinates in which chains move. Start states that are
-- given by name are converted; the coordinates of missing names are NaN, and each chain draws them.
function m.starts(t)
  local start = t.start
  if type(start[1]) ~= "table" then start = { start } end
  local list = {}
  for i, one in ipairs(start) do
    for _, x in next, type(one) == "table" and one or {} do
      if x ~= x then m.fail("`start` must contain only numbers") end
    end
    list[i] = m.point("start", t.target, one, true)
  end
  return list
end

-- Returns a function that gives the lowest and the highest value of coordinate i, or nil if it is
-- a real number.
local function ranges_of(target)
  local made, facts = m.parameter_list(target), core.target_kind(target)
  return function(i)
    for _, one in ipairs(made or {}) do
      local d = one.declared
      if i >= one.first and i < one.first + d.dim then
        if d.kind ~= "real" then return d.low, d.low + d.values - 1 end
        return nil
      end
    end
    if facts.values > 0 then return facts.low, facts.low + facts.values - 1 end
  end
end

local function check_start(t)
  local dim, ranges = t.target.dim, ranges_of(t.target)
  local function state(x)
    if type(x) ~= "table" or #x ~= dim then
      m.fail(("`start` must contain states of %d coordinates"):format(dim))
    end
    for i = 1, dim do
      if type(x[i]) ~= "number" or x[i] == x[i] and x[i] - x[i] ~= 0 then
        m.fail("`start` must contain only numbers")
      end
      local low, high = ranges(i)
      if low and x[i] == x[i] and (x[i] < low or x[i] > high or x[i] % 1 ~= 0) then
        m.fail(("start: %s is %.9g"):format(t.target.coordinates[i] or "x." .. i, x[i]),
               ("give whole numbers from %d to %d"):format(low, high))
      end
    end
  end
  if type(t.start[1]) == "table" then m.check_list("start", t.start, function() end) end
  m.check_list("start", m.starts(t), state)
end

-- Returns the budget of an arm in the core's form, in which counts are totals
-- over the arm's chains.
function m.budget_of(t, arms, chains)
  if not t or t.each ~= "chain" then return t end
  local n, out = arms[1].chains or chains or 4, {}
  for _, arm in ipairs(arms) do
    if (arm.chains or chains or 4) ~= n then
      m.fail("budget: each = \"chain\" needs arms with equal numbers of chains",
             "give every arm the same number of chains, or count steps")
    end
  end
  for name, value in next, t do
    if name == "steps" or name == "seconds" then out[name] = value
    elseif name ~= "each" then out[name] = value * n end
  end
  return out
end

local function check_budget(t)
  m.check("budget", t, rows.budget)
  if t.each and t.each ~= "chain" and t.each ~= "arm" then
    m.fail("budget: unknown value each = '" .. t.each .. "'", m.suggest(t.each, { "arm", "chain" }))
  end
  if next(t) == nil then
    m.fail("the budget is empty", "for example budget = { steps = 10000 }")
  end
end

local function check_full(t)
  m.check("full", t, rows.full)
  if t.budget then check_budget(t.budget) end
  if next(t) == nil then
    m.fail("`full` changes nothing", "for example full = { budget = { steps = 1e6 } }")
  end
end

-- Checks the scenario t. Returns the arms as a list, the probes, whether nothing else reads the
-- run, and the scenario's own panels. With `read`, the probes are only those that are read at the
-- end; otherwise they include those of the screen. Some checks are delayed until the target is
-- created. With `changes` to the arms, t belongs to the caller. `wanted` contains further figures
-- to measure at the end, in the form of claims.
function m.check_run(what, t, fields, read, changes, wanted)
  m.check(what, t, fields)
  if t.budget then check_budget(t.budget) end
  if t.full then check_full(t.full) end
  if t.sbc then m.check_sbc(t.sbc) end
  if t.kfold then m.check_folds(t.kfold) end
  if t.exercise then m.check_exercise(t.exercise) end
  local made = m.is_made(t.target)
  if made and type(t.screen) == "table" then m.record_raced(t) end
  local arms, probes = m.arm_list(m.arms_of(t)), made and probe_list(t.probes, t.target) or nil
  if changes and #changes > 0 then arms = m.changed_arms(t, arms, changes) end
  if t.start and made then check_start(t) end
  for _, arm in ipairs(made and arms or {}) do
    if arm.kernel.name == "auto" then m.choose_kernels(arms, t) end
  end
  local own = own_panels(t)
  if t.screen then
    check_panels(t.screen, arms, own)
    if made then probes = shown_probes(t, probes) end
  end
  if #own > 0 and made then probes = m.watch_claimed(probes, m.panel_figures(own), t.target.coordinates) end
  if t.stages then m.check_stages(t) end
  if t.course then
    local steps = m.course_of(t, arms, function(list, of) check_panels(list, of, own) end)
    if made then probes = m.watch_claimed(probes, m.course_figures(steps, t.stages and m.stage_of(t)), t.target.coordinates) end
  end
  if t.printed then m.check_printed(t, arms) end
  if t.claims then
    m.check_claims(t, arms)
    if made then probes = m.watch_claimed(probes, t.claims, t.target.coordinates) end
  end
  if t.stop then
    local figures = m.check_stop(t.stop, arms)
    if made then probes = m.watch_claimed(probes, figures, t.target.coordinates) end
  end
  if wanted and made then probes = m.watch_claimed(probes, wanted, t.target.coordinates) end
  if t.predictive and made then m.predictive_checks(t) end
  read = read and made and not looks_by_itself(t)
  return arms, read and read_probes(probes, t, wanted) or probes, read, own
end

-- The place of each scenario in the script, for errors that are found later.
m.places = setmetatable({}, { __mode = "k" })

cs.scenario = core.located(function(t)
  if type(t) == "table" and rawget(t, "game") ~= nil then t = m.game_scenario(t) end
  m.check_run("scenario", t, rows.scenario)
  m.places[t] = core.place()
  return t
end)
