-- Help on every name that a script can use, from the rows that check them.
local m = ...
local core, cs = m.core, m.cs
cs.describe = function()
  return { targets = core.targets(), kernels = core.kernels(),
           schedules = core.schedules(), tuners = core.tuners(), probes = core.probes() }
end

-- ---- rows of the core ----------------------------------------------------

local function default_text(row)
  if row.required then return "; required" end
  if row.kind == "choice" then return "; " .. row.choices[row.default + 1] .. " by default" end
  if row.kind == "bool" then return "; " .. tostring(row.default ~= 0) .. " by default" end
  if row.kind == "real" or row.kind == "int" then
    return ("; %.6g by default"):format(row.default)
  end
  return ""
end

local function kind_text(row)
  if row.kind == "choice" then return table.concat(row.choices, " or ") end
  if row.kind == "bool" then return "true or false" end
  if row.kind == "array" then return "numbers" end
  if row.kind == "text" then return "a text" end
  local low, high = row.min, row.max
  return m.range_text { whole = row.kind == "int", min = low, max = high }
end

local function add_params(lines, params)
  for _, row in ipairs(params) do
    lines[#lines + 1] = ("  %-14s %s%s"):format(row.name, kind_text(row), default_text(row))
    lines[#lines + 1] = ("  %-14s %s"):format("", row.help)
  end
  return table.concat(lines, "\n")
end

local function of_type(word, name, type)
  return add_params({ ("cs.%s.%s: %s"):format(word, name, type.title), type.help }, type)
end

-- What cs.network and its methods take.
local function of_network(call)
  local head = call == "new" and "cs.network { ... }" or "network:" .. call .. " { arm = ..., ... }"
  return add_params({ head .. ": its fields" }, core.network_rows[call])
end

-- ---- rows of the tables --------------------------------------------------

local function of_rows(name, rows)
  local lines = { "the fields of " .. name }
  for _, field in ipairs(m.sorted_keys(rows)) do
    local row = rows[field]
    if not row.refused then
      local kind = row[1] == "number" and m.range_text(row) or row[1]:gsub(" ", " or ")
      lines[#lines + 1] = ("  %-14s %s%s"):format(field, kind,
        row.required and "; required" or "")
      lines[#lines + 1] = ("  %-14s %s"):format("", row[2])
    end
  end
  return table.concat(lines, "\n")
end

local function of_figures()
  local lines = { "figures: arm:figure(name, of), and in claims" }
  for _, name in ipairs(m.sorted_keys(m.figures)) do
    local row = m.figures[name]
    lines[#lines + 1] = ("  %-15s %s"):format(name, row[2])
  end
  return table.concat(lines, "\n")
end

-- Fields: name, kind, what it is. The annotations say the same.
m.fields = {
  run = {
    { "steps", "integer", "steps made so far" },
    { "seed", "integer", "all randomness follows from it" },
    { "seconds", "number", "wall time spent at work" },
    { "oldest", "integer", "the oldest step that rewind reaches" },
    { "finished", "boolean", "whether the budget is spent" },
    { "arms", "chainscope.arms", "the arms, a list, known by name too: run.arms[1], run.arms.small; #run.arms" },
    { "coordinates", "string[]", "the names of the coordinates that are recorded, a list" },
  },
  arm = {
    { "run", "chainscope.run", "the run it is of" },
    { "index", "integer", "its place among the arms, from 1" },
    { "name", "string", "its name" },
    { "kernel", "string", "the name of its kernel" },
    { "params", "table<string, number>", "the kernel's parameters, by name" },
    { "chains", "chainscope.chain[]", "its chains, a list: arm.chains[1]; #arm.chains" },
    { "group", "integer", "how many chains belong together, 1 unless the kernel couples them" },
    { "steps", "integer", "steps of each chain, a warm-up's left out" },
    { "log_densities", "integer", "log densities, summed over its chains" },
    { "gradients", "integer", "gradients, summed over its chains" },
    { "site_differences", "integer", "differences at a site, summed over its chains" },
    { "data_terms", "integer", "terms of rows of data, summed over its chains" },
    { "seconds", "number", "processor time of its chains" },
    { "finished", "boolean", "whether its budget is spent" },
    { "warm_up", "integer", "steps of its tuner's warm-up" },
    { "tuned", "number", "the share of the warm-up that is done, 0 to 1" },
  },
  chain = {
    { "arm", "chainscope.arm", "the arm it is of" },
    { "index", "integer", "its place among the arm's chains, from 1" },
  },
  state = {
    { "[integer]", "number", "a coordinate that chains move in, from 1; whole where the space is" },
    { "[string]", "any", "of params: a parameter in its shape; else what run.coordinates names" },
    { "log_density", "number", "its log density, in nats" },
  },
  draw = {
    { "[integer]", "number", "a value, in the order of run.coordinates; then own variables of the kernel" },
    { "[string]", "number", "the same by name: draw.mu, draw[\"x.1\"]" },
    { "log_density", "number", "its log density, in nats" },
  },
  info = {
    { "accepted", "boolean", "whether the proposal was accepted" },
    { "moved", "boolean", "whether the state changed" },
    { "failed", "boolean", "whether the chain has stopped" },
    { "verdict", "string", "accepted, refused or failed" },
    { "log_density", "number", "log density of the state now" },
    { "log_density_proposed", "number", "log density of the proposal" },
    { "log_density_change", "number", "that of the proposal less that of the state before the step" },
    { "log_q_forward", "number", "log q(proposal | state)" },
    { "log_q_back", "number", "log q(state | proposal)" },
    { "log_ratio", "number", "log of the acceptance ratio" },
    { "log_accept", "number", "log of the acceptance probability" },
    { "log_uniform", "number", "log of the uniform number it is held against: accepted if that is smaller" },
    { "proposal", "chainscope.state?", "the proposed state" },
    { "own", "table<string, number[]>?", "the kernel's own variables, by name" },
    { "own_proposal", "table<string, number[]>?", "those proposed" },
  },
}

-- Methods: name, arguments, what it does. The annotations say the same.
m.methods = {
  run = {
    { "step", "n", "n more steps of every chain; 1 by default" },
    { "arm", "which", "the arm of that number or name" },
    { "every", "n, f", "calls f(run) each n steps" },
    { "at", "step, f", "calls f(run) at that step" },
    { "rewind", "n", "back by n steps: exactly as it was" },
    { "rewind_to", "step", "back to that step" },
    { "summary", "", "a table of all arms, as a text" },
    { "set", "text", "a parameter of an arm, as --set has it: run:set \"small.step=0.3\"" },
    { "claims", "", "the scenario's claims, judged now, as a text" },
    { "judge", "claims", "the claims, the scenario's own by default, judged now: a list of { claim, value, error, answer, reason ... }" },
    { "report", "key", "what the probes say" },
    { "journal", "", "what was changed and when, as a text" },
    { "replay", "text", "a fresh run becomes the one that the journal is of" },
    { "fault", "", "the first fault not yet told, or nil" },
    { "note", "", "what one should know of the target, or nil" },
  },
  target = {
    { "log_density", "x", "log density at the point x, a list of coordinates or values by name, in nats" },
    { "gradient", "x", "its gradient, a list" },
    { "differences", "x, i", "by what the log density changes if coordinate i takes each of its values, a list" },
    { "hessian", "x", "its second derivatives, a list of rows; and how they were found" },
    { "hessian_times", "x, v", "the Hessian at x times v, a list; and how" },
    { "eigenvalues", "x", "of the Hessian, ascending: flat and sharp; and how" },
  },
  arm = {
    { "set", "param, value", "a number or a schedule, from the next step on; arm:set \"step=0.3\" too" },
    { "use", "kernel", "another kernel from the next step on" },
    { "chain", "i", "the chain of that number" },
    { "report", "key", "what a probe says of this arm" },
    { "plan", "", "what moves it now, as fields: cs.kernel.NAME(arm:plan()) is it again" },
    { "trials", "", "what its tuner has tried, a list of { phase, steps, acceptance, taken, step ... }" },
    { "figure", "name, of", "one figure: cs.help \"figures\"; nil and why if it is not known" },
  },
  network = {
    { "train", "what", "learns from images and labels, else to repeat what it is shown; the loss of the last epoch" },
    { "classify", "what", "how many images it takes for each class, a list; and with labels the share that is right" },
    { "reconstruct", "what", "how like its outputs are to the images it is shown, spoiled or not: mse, psnr, ssim, lift" },
    { "text", "digits", "all of it as a text, for cs.network { file = ... }" },
    { "units", "", "its inputs, hidden units and outputs, a list" },
  },
  chain = {
    { "info", "", "the parts of the last step: proposal, log_density, log_density_proposed, log_density_change, log_q_forward, log_q_back, log_ratio, log_uniform, verdict, own variables of the kernel ..." },
    { "state", "", "the state, a list of the coordinates that chains move in, its parameters by name, and its log_density" },
    { "shown", "", "what is recorded of the state, a list in the order of run.coordinates, by name too" },
    { "set_state", "x", "puts the chain there: coordinates, or parameters by name" },
    { "tally", "", "steps, accepted, moved, divergent, not_finite, and rolling, the acceptance of late" },
    { "draws", "", "the kept draws, rows in the order of run.coordinates, then own variables of the kernel, each with its log_density and by name; and the steps between them" },
  },
}

local function of_methods(name)
  local lines = { "methods of " .. name }
  for _, row in ipairs(m.methods[name]) do
    lines[#lines + 1] = ("  %s:%s(%s)"):format(name, row[1], row[2])
    lines[#lines + 1] = "                 " .. row[3]
  end
  return table.concat(lines, "\n")
end

-- Functions: rows of name, arguments, what it does.
local function of_functions(word, rows)
  local lines = { word .. (word == "cs" and ": parameters, of cs.target { params = ... }" or
    ": functions of numbers, vectors, matrices; of a state too") }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = ("  %s(%s)"):format(row[1], row[2])
    lines[#lines + 1] = "                 " .. row[3]
  end
  return table.concat(lines, "\n")
end

-- ---- topics --------------------------------------------------------------

local function topics()
  m.read_all()
  local list = { figures = of_figures }
  local function add(name, f)
    local before = list[name]
    list[name] = before and function() return before() .. "\n\n" .. f() end or f
  end
  for _, word in ipairs(m.sorted_keys(m.functions)) do
    local rows, home = m.functions[word], word == "params" and "cs" or "cs." .. word
    add(word, function() return of_functions(home, rows) end)
    for _, row in ipairs(rows) do
      add(row[1], function() return ("%s.%s(%s)\n  %s"):format(home, row[1], row[2], row[3]) end)
    end
  end
  for _, name in ipairs { "scenario", "target", "term", "kernel", "budget", "full", "arm", "claim", "panel", "sparse" } do
    add(name, function() return of_rows(name, m.rows[name]) end)
  end
  for _, name in ipairs { "run", "arm", "chain", "target", "network" } do
    add(name, function() return of_methods(name) end)
  end
  for _, call in ipairs { "new", "train", "classify", "reconstruct" } do
    add("network", function() return of_network(call) end)
  end
  for word, list_of in next, { kernel = core.kernels(), target = core.targets(),
                               schedule = core.schedules(), tuner = core.tuners() } do
    for name, type in next, list_of do
      add(name, function() return of_type(word, name, type) end)
    end
  end
  return list
end

-- cs.help "mala", cs.help "scenario", cs.help(): a text.
cs.help = core.located(function(name)
  local list = topics()
  if name == nil then
    return "cs.help NAME, where NAME is one of\n  " ..
      table.concat(m.sorted_keys(list), ", ")
  end
  local f = list[name] or
    m.fail("there is no help on '" .. tostring(name) .. "'",
           m.suggest(name, m.sorted_keys(list)))
  return f()
end)
