-- Type annotations for editors (LuaLS), generated from the rows that check and describe scripts:
-- `chainscope manual --annotations`. The build writes them to chainscope/meta.lua.
local m = ...
local core, cs = m.core, m.cs

local kinds = { real = "number", int = "integer", bool = "boolean", array = "number[]|number[][]",
                text = "string", target = "chainscope.target" }

local function quoted(choices)
  local list = {}
  for i, choice in ipairs(choices) do list[i] = ('"%s"'):format(choice) end
  return table.concat(list, "|")
end

local function of_type(out, word, name, type)
  local class = ("chainscope.%s.%s"):format(word, name)
  out("---%s", type.title)
  out("---@class (exact) %s", class)
  if type.around then out("---@field kernel chainscope.kernel the kernel that it wraps") end
  if type.composed then out("---@field [integer] chainscope.kernel its members, in order") end
  if type.auto then
    out("---@field fixed? string[]|table<string, any> parameters that keep their values of `start`, or their values by name")
    out("---@field [string] chainscope.kernel the kernel of a parameter")
  end
  if word == "kernel" and not type.auto then
    out("---@field on? string|integer|table the parameters or coordinates that a member of a cycle or a mixture moves")
    out("---@field times? integer the steps of a member in one step of the whole")
    out("---@field name? string the name of a member")
    out("---@field metric? table the covariance of the coordinates of a member")
  end
  for _, row in ipairs(type) do
    local kind = row.kind == "choice" and quoted(row.choices) or kinds[row.kind]
    local number = row.kind ~= "choice" and row.kind ~= "array"
    if word == "kernel" and row.kind == "array" then
      kind = "number[]"
    elseif word == "kernel" and number then
      kind = kind .. "|number[]|chainscope.schedule|fun(step: integer): number"
    end
    out("---@field %s%s %s %s", row.name, row.required and "" or "?", kind, row.help)
  end
  out("")
  return class
end

local function family(out, word, types)
  local classes = {}
  for _, name in ipairs(m.sorted_keys(types)) do
    classes[name] = of_type(out, word, name, types[name])
  end
  out("---@class chainscope.%s_family", word)
  local own = word == "schedule" and "fun(step: integer): number" or "chainscope.own_" .. word
  if word ~= "tuner" and word ~= "optimiser" then out("---@overload fun(own: %s): chainscope.%s", own, word) end
  for _, more in ipairs(({ target = { "term", "model", "stan", "process" }, kernel = { "auxiliary", "mapped" } })[word] or {}) do
    out("---@overload fun(own: chainscope.own_%s): chainscope.%s", more, word)
  end
  for _, name in ipairs(m.sorted_keys(types)) do
    out("---@field %s fun(fields%s: %s): chainscope.%s", name, types[name].around and "" or "?",
        classes[name], word)
  end
  out("")
end

local special = {
  target = "chainscope.target", kernel = "chainscope.kernel", tuner = "chainscope.tuner", optimiser = "chainscope.optimiser", ["function"] = "function",
  table = "table", string = "string", boolean = "boolean",
}
local precise = {
  ["scenario.arms"] = "table<string|integer, chainscope.kernel|chainscope.arm_fields>",
  ["scenario.budget"] = "chainscope.budget", ["scenario.full"] = "chainscope.full",
  ["full.budget"] = "chainscope.budget", ["full.learn"] = "chainscope.learn", ["arm_fields.learn"] = "chainscope.learn",
  ["learn.data"] = "string|chainscope.images|number[][]", ["learn.test"] = "string|chainscope.images|number[][]", ["learn.judge"] = "chainscope.judge", ["claim.only"] = "\"full\"|\"quick\"", ["scenario.claims"] = "chainscope.claim[]",
  ["scenario.target"] = "chainscope.target|fun(seed: integer): chainscope.target",
  ["full.target"] = "chainscope.target|fun(seed: integer): chainscope.target",
  ["scenario.exercise"] = "string|chainscope.exercise", ["exercise.judge"] = "chainscope.exercise_judge",
  ["exercise.hints"] = "string[]", ["exercise_judge.laws"] = "string[]", ["exercise_judge.claims"] = "chainscope.exercise_claim[]",
  ["exercise_judge.kernel"] = "fun(answers: table, mine: chainscope.kernel?): chainscope.kernel", ["exercise_judge.proposal"] = "\"given\"",
  ["exercise_judge.tests"] = "table[]", ["exercise_judge.slips"] = "table[]", ["exercise_judge.answers"] = "table<string, chainscope.exercise_answer>",
  ["exercise_judge.arms"] = "table<string, chainscope.kernel|chainscope.arm_fields>",
  ["scenario.setup"] = "fun(run: chainscope.run)", ["scenario.start"] = "number[]|number[][]|table<string, any>|table<string, any>[]",
  ["own_target.picture"] = "chainscope.picture", ["own_term.picture"] = "chainscope.picture",
  ["own_target.space"] = "chainscope.space", ["own_target.view"] = "(string|number)[]",
  ["own_target.modes"] = "number[][]", ["own_target.mode_shares"] = "number[]",
  ["own_term.modes"] = "number[][]", ["own_term.mode_shares"] = "number[]",
  ["own_model.modes"] = "number[][]", ["own_model.mode_shares"] = "number[]",
  ["own_target.log_density"] = "fun(x: any): any", ["own_target.sample"] = "fun(draw: chainscope.numbers): any", ["own_term.sample"] = "fun(draw: chainscope.numbers): any", ["own_target.generated"] = "fun(p: any, rng: any): table<string, any>",
  ["panel.of"] = "string|(string|number)[]", ["own_panel.head"] = "string[]",
  ["own_panel.curves"] = "string|fun(run: chainscope.run): table<string, number>",
  ["own_panel.bars"] = "string|fun(run: chainscope.run): table", ["own_panel.table"] = "fun(run: chainscope.run): table",
  ["own_panel.line"] = "fun(run: chainscope.run): table", ["own_panel.histogram"] = "fun(run: chainscope.run): table",
  ["claim.measure"] = "fun(arm: chainscope.arm): number, number?, integer?",
  ["own_term.space"] = "chainscope.space", ["own_term.view"] = "(string|number)[]",
  ["own_term.data"] = "string|table<string, string|string[]|number[]|number[][]>",
  ["own_term.prior"] = "fun(x: any): any",
  ["own_term.region"] = "chainscope.region", ["region.box"] = "(number|number[])[]",
  ["own_term.bound"] = "fun(row: table<string, any>): number, number",
  ["own_term.lipschitz"] = "fun(row: table<string, any>): number",
  ["own_term.term"] = "fun(x: any, row: table<string, any>): any",
  ["own_target.gradient"] = "fun(x: number[]): number[]",
  ["own_kernel.propose"] = "fun(x: number[], draw: chainscope.numbers, params: table<string, number>, target: chainscope.asked): number[]",
  ["own_kernel.log_q"] = "fun(from: number[], to: number[], params: table<string, number>, target: chainscope.asked): number",
  ["own_kernel.params"] = "table<string, number>", ["own_auxiliary.params"] = "table<string, number>", ["own_mapped.params"] = "table<string, number>",
  ["own_auxiliary.omega1"] = "fun(x: number[], draw: chainscope.numbers, params: table<string, number>, target: chainscope.asked): any",
  ["own_auxiliary.propose"] = "fun(x: number[], omega1: any, draw: chainscope.numbers, params: table<string, number>, target: chainscope.asked): number[]",
  ["own_auxiliary.omega2"] = "fun(x: number[], y: number[], omega1: any, draw: chainscope.numbers, params: table<string, number>, target: chainscope.asked): any",
  ["own_auxiliary.log_ratio"] = "fun(x: number[], y: number[], omega1: any, omega2: any, params: table<string, number>, target: chainscope.asked): number",
  ["own_auxiliary.log_q"] = "fun(from: number[], to: number[], omega1: any, params: table<string, number>, target: chainscope.asked): number",
  ["own_auxiliary.accept"] = "\"metropolis\"|\"barker\"|fun(r: number): number",
  ["own_mapped.omega1"] = "fun(x: number[], draw: chainscope.numbers, params: table<string, number>, target: chainscope.asked): number[]",
  ["own_mapped.map"] = "fun(x: number[], omega1: number[], params: table<string, number>, target: chainscope.asked): number[], number[]",
  ["own_mapped.log_ratio"] = "fun(x: number[], y: number[], omega1: number[], omega2: number[], params: table<string, number>, target: chainscope.asked): number",
  ["own_mapped.accept"] = "\"metropolis\"|\"barker\"|fun(r: number): number",
  ["own_model.space"] = "chainscope.space", ["own_model.view"] = "(string|number)[]", ["own_model.picture"] = "chainscope.picture",
  ["own_model.data"] = "number[]", ["own_model.prior"] = "fun(theta: number[]): number",
  ["own_model.log_factor"] = "fun(theta: number[], y: number[]): number", ["own_model.log_z"] = "fun(theta: number[]): number",
  ["own_model.simulate"] = "fun(theta: number[], draw: chainscope.numbers): number[]",
  ["own_model.sweep"] = "fun(theta: number[], y: number[], draw: chainscope.numbers): number[]",
  ["own_theory.logp"] = "number[]", ["own_theory.f"] = "number[]",
  ["own_theory.first"] = "number[][]|fun(a: integer): number[]",
  ["own_theory.propose"] = "table|fun(a: integer, k: integer): number[]",
  ["own_theory.second"] = "table|fun(a: integer, b: integer, k: integer): number[]",
  ["own_theory.drawn"] = "table|fun(a: integer, b: integer, k: integer): number[]",
}

-- Writes the annotation of a class, with one field per row. If a field of the class `like` has
-- this name too, the type of that field is used. `free` lists the optional fields.
local function of_rows(out, class, rows, like, free)
  like, free = like or class, free or {}
  out("---@class (exact) chainscope.%s", class)
  if class == "panel" then out("---@field [1] %s its name", quoted(core.panels)) end
  for _, name in ipairs(m.sorted_keys(rows)) do
    local row, list = rows[name], {}
    for one in row[1]:gmatch("%a+") do
      list[#list + 1] = one == "number" and (row.whole and "integer" or "number") or special[one]
    end
    local kind = precise[like .. "." .. name] or table.concat(list, "|")
    if like == "scenario" and name == "screen" then kind = ("(%s|string|chainscope.panel)[]"):format(quoted(core.panels)) end
    if like == "scenario" and name == "panels" then kind = "chainscope.panel[]" end
    if not row.refused then
      out("---@field %s%s %s %s", name, row.required and not free[name] and "" or "?", kind, row[2])
    end
  end
  out("")
end

local arguments = {
  n = "integer", step = "integer", i = "integer", which = "integer|string", key = "string",
  first = "integer", last = "integer", f = "fun(run: chainscope.run)", param = "string", kernel = "chainscope.kernel", x = "number[]|table<string, any>",
  v = "number[]", y = "number[]", row = "integer", rows = "integer[]", weights = "number[]", data = "number[]", times = "integer", mean = "number", what = "chainscope.arm|table", digits = "integer",
  name = "string", power = "number", prior = "string", likelihood = "string", of = "integer|string", text = "string", claims = "chainscope.claim[]",
  value = "number|number[]|string|chainscope.schedule|fun(step: integer): number",
}
local optional = { ["run.step.n"] = true, ["run.judge.claims"] = true, ["run.decided.claims"] = true, ["arm.set.value"] = true, ["run.report.key"] = true, ["network.text.digits"] = true, ["arm.figure.of"] = true, ["arm.predictive.name"] = true, ["arm.loo.name"] = true, ["arm.sensitivity.power"] = true, ["arm.sensitivity.prior"] = true, ["arm.sensitivity.likelihood"] = true,
  ["arm.resample.n"] = true, ["arm.resample.seed"] = true, ["chain.resample.n"] = true, ["chain.resample.seed"] = true,
  ["numbers.sweep.times"] = true, ["asked.slope.weights"] = true, ["asked.bound.row"] = true,
  ["chain.held_out.first"] = true, ["chain.held_out.last"] = true }
local results = {
  ["run.arm"] = "chainscope.arm", ["run.step"] = "integer", ["run.summary"] = "string",
  ["run.claims"] = "string?", ["run.predictive"] = "string?", ["run.report"] = "any", ["run.judge"] = "table[]", ["run.decided"] = "boolean",
  ["run.journal"] = "string", ["run.fault"] = "string?", ["run.note"] = "string?",
  ["arm.chain"] = "chainscope.chain", ["arm.report"] = "any", ["arm.figure"] = "number?, string?", ["arm.loo"] = "table<string, any>", ["arm.predictive"] = "table<string, any>", ["arm.sensitivity"] = "table",
  ["arm.plan"] = "table<string, any>", ["arm.trials"] = "table[]",
  ["chain.info"] = "chainscope.info", ["chain.state"] = "chainscope.state, number?", ["chain.logp"] = "number", ["chain.shown"] = "chainscope.draw_row", ["chain.tally"] = "table",
  ["chain.draws"] = "chainscope.draw_row[], integer",
  ["chain.held_out"] = "table<string, number>?",
  ["chain.resample"] = "chainscope.draw_row[]", ["arm.resample"] = "chainscope.draw_row[]",
  ["network.train"] = "number", ["network.classify"] = "integer[], number?",
  ["network.reconstruct"] = "table<string, number>", ["network.text"] = "string",
  ["network.units"] = "integer[]",
  ["numbers.uniform"] = "number", ["numbers.normal"] = "number", ["numbers.below"] = "integer",
  ["numbers.exponential"] = "number", ["numbers.poisson"] = "integer", ["numbers.single_normal"] = "number",
  ["numbers.row"] = "integer, number", ["numbers.simulate"] = "number[]", ["numbers.sweep"] = "number[]",
  ["asked.log_density"] = "number", ["asked.gradient"] = "number[], number", ["asked.log_prior"] = "number",
  ["asked.prior_gradient"] = "number[]", ["asked.term"] = "number", ["asked.terms"] = "number[]", ["asked.slope"] = "number[]",
  ["asked.rows"] = "integer", ["asked.bound"] = "number, number?", ["asked.distance"] = "number",
  ["asked.log_factor"] = "number", ["asked.observed"] = "number[]",
  ["target.log_density"] = "number", ["target.gradient"] = "number[]",
  ["target.differences"] = "number[]", ["target.hessian"] = "number[][], string", ["target.hessian_times"] = "number[], string",
  ["target.eigenvalues"] = "number[], string",
  ["target.read"] = "string?",
}

-- For each function: the arguments that may be omitted.
local lacking = { real = { "rows", "cols" }, positive = { "rows", "cols" }, interval = { "rows", "cols" },
                  log = { "base" } }
local function may_lack(name, arguments)
  for _, one in ipairs(lacking[name] or {}) do
    arguments = arguments:gsub("%f[%a]" .. one .. "%f[%A]", one .. "?")
  end
  return arguments
end

-- Writes the functions of cs.lpdf. A log density accepts numbers, vectors and symbolic values.
local function of_functions(out, word)
  out("---@class chainscope.%s", word)
  for _, row in ipairs(m.functions[word]) do
    out("---@field %s fun(%s): any %s", row[1]:match("^[%w_]+"), may_lack(row[1], row[2]), row[3])
  end
  out("")
end

local function of_fields(out, fields)
  for _, row in ipairs(fields) do out("---@field %s %s %s", row[1], row[2], row[3]) end
end

local function of_methods(out, class)
  out("---@class chainscope.%s", class)
  of_fields(out, m.fields[class] or {})
  out("local %s = {}", class)
  for _, row in ipairs(m.methods[class]) do
    out("---%s", row[3])
    for name in row[2]:gmatch("%a+") do
      out("---@param %s%s %s", name, optional[class .. "." .. row[1] .. "." .. name] and "?" or "",
          arguments[name])
    end
    if results[class .. "." .. row[1]] then out("---@return %s", results[class .. "." .. row[1]]) end
    out("function %s:%s(%s) end", class, row[1], row[2])
  end
  out("")
end

local head = [[
---@meta chainscope
-- Generated by: chainscope manual --annotations

---@class chainscope.target
---@field name string
---@field dim integer
---@field coordinates string[]
---@class chainscope.kernel
---@field name string
---@class chainscope.schedule
---@class chainscope.tuner
---@class chainscope.optimiser
---@class chainscope.space
]]
-- Names in cs: each family of types is a class.
local families = { target = true, kernel = true, schedule = true, tuner = true, optimiser = true, theory = true, math = true, lpdf = true, lcdf = true, lccdf = true }
local function of_words(out)
  local calls = {}
  out("---@class chainscope: chainscope.params")
  for _, row in ipairs(m.vocabulary) do
    local name, args, result = row[1], row[2], row[3]
    if families[name] then
      out("---@field %s chainscope.%s", name, m.functions[name] and name or name .. "_family")
    elseif args == false then
      out("---@field %s %s %s", name, result, row[4])
    else
      calls[#calls + 1] = row
    end
  end
  out("local cs = {}")
  for _, row in ipairs(calls) do
    local names = {}
    for name, kind in (row[2] or ""):gmatch "([%a_]+%??): ([^,{}]*%b{}[^,]*)" do
      out("---@param %s %s", name, kind)
      names[#names + 1] = (name:gsub("%?", ""))
    end
    if not names[1] then
      for name, kind in (row[2] or ""):gmatch "([%a_]+%??): ([^,]+)" do
        out("---@param %s %s", name, kind)
        names[#names + 1] = (name:gsub("%?", ""))
      end
    end
    out("---@return %s # %s", row[3], row[4])
    out("function cs.%s(%s) end", row[1], table.concat(names, ", "))
  end
  out("return cs")
end

-- Returns all annotations as one string.
function m.words.annotations()
  m.read_all()
  local lines = { head }
  local function out(format, ...) lines[#lines + 1] = format:format(...) end
  family(out, "target", core.targets())
  family(out, "kernel", core.kernels())
  family(out, "schedule", core.schedules())
  family(out, "tuner", core.tuners())
  family(out, "optimiser", core.optimisers())
  family(out, "theory", m.theories)
  of_rows(out, "own_target", m.rows.target)
  of_rows(out, "own_term", m.rows.term)
  of_rows(out, "own_model", m.rows.model)
  of_rows(out, "own_stan", m.rows.stan)
  of_rows(out, "own_process", m.rows.process)
  of_rows(out, "own_kernel", m.rows.kernel)
  of_rows(out, "own_auxiliary", m.rows.auxiliary)
  of_rows(out, "own_mapped", m.rows.mapped)
  of_rows(out, "own_theory", m.rows.theory)
  of_rows(out, "arm_fields", m.rows.arm)
  of_rows(out, "learn", m.rows.learn)
  of_rows(out, "images", m.rows.images)
  of_rows(out, "judge", m.rows.judge)
  of_rows(out, "budget", m.rows.budget)
  of_rows(out, "full", m.rows.full)
  of_rows(out, "claim", m.rows.claim)
  of_rows(out, "panel", m.rows.panel)
  of_rows(out, "predictive", m.rows.predictive)
  of_rows(out, "own_panel", m.rows.own_panel)
  for _, name in ipairs { "stage", "course_step", "course_choice", "course_truth", "course_point" } do of_rows(out, name, m.rows[name]) end
  of_rows(out, "exercise", m.rows.exercise)
  of_rows(out, "exercise_judge", m.rows.exercise_judge)
  of_rows(out, "exercise_claim", m.rows.exercise_claim)
  of_rows(out, "exercise_answer", m.rows.exercise_answer)
  of_rows(out, "faulty", m.rows.faulty)
  of_rows(out, "scenario", m.rows.scenario)
  of_rows(out, "run_fields", m.rows.scenario, "scenario", { title = true })
  local sweep = {}
  for _, rows in ipairs { m.rows.scenario, m.rows.sweep } do
    for name, row in next, rows do sweep[name] = row end
  end
  of_rows(out, "sweep_fields", sweep, "scenario", { title = true })
  of_rows(out, "kfold_fields", m.rows.kfold)
  of_rows(out, "sbc", m.rows.sbc)
  of_rows(out, "sparse_fields", m.rows.sparse)
  of_rows(out, "picture", m.rows.picture)
  of_rows(out, "region", m.rows.region)
  for _, word in ipairs(m.sorted_keys(m.functions)) do of_functions(out, word) end
  for _, class in ipairs { "state", "info" } do
    out("---@class chainscope.%s", class)
    of_fields(out, m.fields[class])
    out("")
  end
  out("---@class chainscope.theory")
  of_fields(out, m.fields.theory)
  out("")
  out("---@class chainscope.draw_row")
  of_fields(out, m.fields.draw)
  out("---@class chainscope.arms")
  out("---@field [integer] chainscope.arm by place, from 1")
  out("---@field [string] chainscope.arm by name")
  out("")
  for _, class in ipairs { "numbers", "asked", "run", "arm", "chain", "target", "network" } do of_methods(out, class) end
  of_words(out)
  return table.concat(lines, "\n") .. "\n"
end

-- Returns every function that scripts can call. A test checks that the annotations are complete.
function m.words.names()
  m.read_all()
  local names = {}
  for name in next, cs do names[#names + 1] = name end
  for _, rows in next, m.functions do
    for _, row in ipairs(rows) do names[#names + 1] = "@field " .. row[1]:match("^[%w_]+") .. " fun(" end
  end
  for _, class in ipairs { "run", "arm", "chain" } do
    for _, row in ipairs(m.methods[class]) do names[#names + 1] = class .. ":" .. row[1] end
  end
  return names
end

-- Returns all names in cs with their values. A test checks that help covers them.
function m.words.vocabulary()
  m.read_all()
  local all = {}
  for name, value in next, cs do all[name] = value end
  return all
end

-- Returns the fields, methods and figures that help and the reference explain.
function m.words.help_names()
  m.read_all()
  local names = {}
  local function add(name) names[#names + 1] = name end
  for _, of in ipairs(m.tables) do
    for name, row in next, m.rows[of[1]] do
      if not row.refused then add(name) end
    end
  end
  for _, object in ipairs(m.objects) do
    for _, row in ipairs(m.methods[object] or {}) do add(object .. ":" .. row[1]) end
    for _, row in ipairs(m.fields[object] or {}) do
      if row[1]:match "^[%a_]+$" then add(row[1]) end
    end
  end
  for name in next, m.figures do add(name) end
  return names
end
