-- Help on every name that a script can use, from the rows that check them.
local m = ...
local core, cs = m.core, m.cs
cs.describe = function()
  return { targets = core.targets(), kernels = core.kernels(),
           schedules = core.schedules(), tuners = core.tuners(), optimisers = core.optimisers(), probes = core.probes(),
           theories = m.theories }
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
  if row.kind == "array" then
    return row.max > 0 and ("1 to %d numbers"):format(row.max) or "numbers"
  end
  if row.kind == "text" or row.kind == "target" then return "a " .. row.kind end
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
  local lines = { ("cs.%s.%s: %s"):format(word, name, type.title), type.help }
  if word == "probe" then
    lines[1] = ("probe %s: %s"):format(name, type.title)
    lines[3] = "  every" .. (type.logp and ", true_logp" or "") .. ": cs.help \"every\" explains"
  end
  if type.scheme then
    lines[#lines + 1] = "  algorithm 1 of Yuan and Wang 2026:"
    for _, part in ipairs(type.scheme) do lines[#lines + 1] = "    " .. part end
  end
  return add_params(lines, type)
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
    lines[#lines + 1] = ("  %-15s %s"):format(name, row.help)
  end
  return table.concat(lines, "\n")
end

-- The words of cs: name, arguments with their types, what it returns, what it
-- is, an example. The annotations are made of them.
m.vocabulary = {
  { "scenario", "fields: chainscope.scenario", "chainscope.scenario", "describes a run, its screen, its lesson and its claims: what a scenario file returns",
    "return cs.scenario { title = \"A walk\", target = cs.target.gaussian { dim = 2 },\n  arms = { walk = cs.kernel.random_walk { step = 1 } }, budget = { steps = 1000 } }" },
  { "open", "fields: chainscope.run_fields", "chainscope.run", "opens a run that a script drives step by step",
    "local run = cs.open { target = cs.target.gaussian { dim = 2 }, arms = { walk = cs.kernel.random_walk {} } }\nrun:step(100)" },
  { "sweep", "fields: chainscope.sweep_fields", "table", "runs what is opened with these fields at each combination of values and measures figures of its arms: rows with the values, the arm, each figure, and figures[NAME].error; printed it is a table. On all cores, for longer runs: chainscope sweep",
    "print(cs.sweep { target = cs.target.gaussian { dim = 2 }, arms = { walk = cs.kernel.random_walk {} },\n  budget = { steps = 1000 }, over = { [\"walk.step\"] = { 0.3, 1, 3 } } })" },
  { "target", "own: chainscope.own_target|chainscope.own_term|chainscope.own_model", "chainscope.target", "a target of your own, from its log density; cs.target.NAME { ... } is one of the built-in ones",
    "cs.target { space = cs.real(2), log_density = function(x) return -(x[1]^2 + x[2]^2) / 2 end }" },
  { "kernel", "own: chainscope.own_kernel|chainscope.own_auxiliary", "chainscope.kernel", "a kernel of your own, from its proposal, or with auxiliary variables from four functions (cs.help \"auxiliary\"); cs.kernel.NAME { ... } is one of the built-in ones",
    "cs.kernel { params = { step = 1 }, propose = function(x, draw, p)\n  return { x[1] + p.step * draw:normal() }\nend }" },
  { "plain", false, "table<string, fun(fields: table?): chainscope.kernel>", "kernels as a textbook writes them, cs.plain.NAME { ... }, of one chain and nothing vectorised, with the random numbers of cs.kernel.NAME: both make the same chain, to rounding. random_walk, metropolis_within_gibbs, mala, hmc (of jitter 0); of bits gibbs, dmala, gwg",
    "arms = { fast = cs.kernel.mala { step = 0.2 }, plain = cs.plain.mala { step = 0.2 } },\nclaims = { { arm = \"fast\", stat = \"apart\", of = \"plain\", at_most = 1e-9 } }" },
  { "schedule", "own: fun(step: integer): number", "chainscope.schedule", "a schedule of your own: a function of the step number, from 1; cs.schedule.NAME { ... } is one of the built-in ones",
    "cs.kernel.random_walk { step = cs.schedule(function(k) return k % 10 == 0 and 5 or 1 end) }" },
  { "tuner", nil, "chainscope.tuner", "cs.tuner.NAME { ... }: sets parameters of an arm's kernel during a warm-up, then freezes them",
    "arms = { a = { kernel = cs.kernel.mala { step = 1 }, tuner = cs.tuner.acceptance {} } }" },
  { "optimiser", nil, "chainscope.optimiser", "cs.optimiser.NAME { ... }: how the numbers of a model go up the gradient of its log likelihood, in the field `learn` of an arm; its rate may follow a schedule, which counts updates",
    "learn = { data = \"images-idx3-ubyte.gz\", updates = 2000, optimiser = cs.optimiser.adam { rate = 1e-3 } }" },
  { "fbp", "fields: table", "table", "focusing belief propagation on a perceptron whose weights are -1 or 1 (Baldassi et al. 2016): messages that settle, no chain. { magnetisation = the mean of each weight, whose sign is its value; steps = { focus, rounds, change, errors, size } after each focus }. Without focus it is belief propagation",
    "local f = cs.fbp { inputs = { { 1, -1, 1 }, { -1, -1, 1 } }, labels = { 1, -1 }, focus = { 0, 0.5, 1, 2 }, replicas = 5 }\nprint(f.steps[4].errors, f.magnetisation[1])" },
  { "theory", "own: chainscope.own_theory", "chainscope.theory", "algorithm 1 of Yuan and Wang 2026 on a few states, from tables of probabilities or functions that return them: gaps, times and acceptance of the auxiliary chain, of Metropolis within Gibbs, of the ideal chain and of Gibbs; what differs from exact; the bounds that hold. cs.theory.NAME { ... } is one of the built-in ones; dmala, dula, edmala and edula are of the samplers of bits and say how fast they come to rest",
    "local t = cs.theory { logp = { 0, 1 }, propose = { { 0, 1 }, { 1, 0 } },\n  second = function(a, b) return a < b and { 0.8, 0.2 } or { 0.5, 0.5 } end }\nprint(t.gap.auxiliary, t.gap.ideal, t.theorem_2.tv)" },
  { "panel", "fields: chainscope.own_panel", "chainscope.panel", "a panel of the scenario's own, for screen or panels: curves, bars, a table, lines, a histogram or a drawing of what a function says of the run, which it reads and cannot change. It is called between steps, a few times a second at most and a quarter of a second long; an error stands in the panel (cs.help \"own_panel\")",
    "screen = { \"trace\", cs.panel { name = \"lead\", unit = \"nats\", curves = function(run)\n  return { lead = run.arms.a.chains[1]:logp() - run.arms.b.chains[1]:logp() }\nend } }" },
  { "math", nil, nil, "functions that a log density may use: cs.math.NAME(...)", "cs.math.log(cs.math.where(cs.math.lt(0, x), x, 1))" },
  { "lpdf", nil, nil, "log densities of the usual distributions: cs.lpdf.NAME(y, ...)", "cs.lpdf.normal(y, 0, 1)" },
  { "binary", "n: integer", "chainscope.space", "the space of n bits, 0 or 1", "space = cs.binary(10)" },
  { "categorical", "n: integer, values: integer", "chainscope.space", "the space of n sites with so many values each, from 0, without an order", "space = cs.categorical(10, 3)" },
  { "ordinal", "n: integer, low: integer, high: integer", "chainscope.space", "the space of n whole numbers from low to high", "space = cs.ordinal(2, -5, 5)" },
  { "sparse", "fields: chainscope.sparse_fields", "any", "a sparse matrix for cs.math.product", "cs.sparse { rows = 2, cols = 2, i = { 1, 2 }, j = { 1, 2 }, v = { 1.5, 2 } }" },
  { "has_data", "path: string", "boolean", "whether a target would find that file: beside the scenario, among the program's data, or in the folder CHAINSCOPE_DATA (links that lead out of it are not followed)", "cs.has_data \"bnn/compas-train.csv.gz\"" },
  { "read_table", "path: string", "table<string, number[]|string[]>, string[]", "the columns of a CSV file beside the scenario or among the data, by name: numbers (what is missing is nan) or texts; and the names in their order. data = { file = ... } is quicker for a million rows",
    "local t = cs.read_table \"schools.csv\"\nprint(#t.y, t.name[1])" },
  { "read_json", "path: string", "any", "the value of a JSON file beside the scenario or among the data: objects and lists are tables; null is nan in a list and nothing in an object",
    "local data = cs.read_json \"schools.json\"\nprint(data.J, data.y[1])" },
  { "read_idx", "path: string, pool?: integer, most?: integer", "number[][]|number[]", "the items of an IDX file, plain or gzipped, of any of its six types of number: of labels the numbers; of images lists of pixels, 0 to 255 where they are bytes, row by row, or with pool = 4 the means of their squares of 4 x 4; the first `most` of them",
    "local images = cs.read_idx(\"digits-idx3-ubyte.gz\", 2)\nprint(#images, #images[1])" },
  { "principal_components", "fields: table", "table", "tables for a regression on the principal components of images or of rows: { table =, held_out_table =, variance =, total = }. A row of the tables has its scores, the first along the direction of largest variance, then its class: 0 for the first of classes, 1 for the next. Means and directions are of the rows to learn from alone",
    "local digits = cs.principal_components { images = \"train-images-idx3-ubyte\", labels = \"train-labels-idx1-ubyte\",\n  classes = { 3, 5 }, components = 50 }\nlocal target = cs.target.logistic_regression { table = digits.table }" },
  { "self_bleu", "sentences: string[], n?: integer", "number", "how alike sentences are: the mean over them of BLEU against all others, of runs of 1 to n words, 4 by default; 1 where all are the same",
    "print(cs.self_bleu { \"the king had a son\", \"the king had a daughter\" })" },
  { "unique_ngrams", "sentences: string[], n?: integer", "number", "of all runs of n words, 2 by default, in all sentences the share of different ones",
    "print(cs.unique_ngrams({ \"a b a b\", \"a b c\" }, 2))" },
  { "plans", "path: string", "table<string, chainscope.kernel|table>", "the arms of another run, from the plans.lua in its folder", "arms = cs.plans \"hills/plans.lua\"" },
  { "network", "fields: { units?: integer[], seed?: integer, file?: string }", "chainscope.network", "a small network of dense layers that classifies or repeats images", "cs.network { units = { 784, 100, 10 }, seed = 1 }" },
  { "help", "name?: string", "string", "what a name means: any word of cs, field, method, figure, kernel, target ...", "print(cs.help \"scenario\")" },
  { "reference", "form?: string", "string", "all help in one, as Markdown; as \"annotations\" what editors read", "print(cs.reference())" },
  { "describe", nil, "table", "what there is: targets, kernels, schedules, tuners, optimisers and probes with their rows", "cs.describe().kernels.mala.title" },
  { "version", false, "string", "the version of the program", "print(cs.version)" },
}

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
    { "data_terms", "integer", "data terms: rows of data, each time one is evaluated, summed over its chains" },
    { "simulations", "integer", "data sets that the target simulated, summed over its chains" },
    { "site_updates", "integer", "numbers of these data sets that were drawn on the way, summed over its chains" },
    { "passes", "number", "passes over the rows of data that a chain has made; not a number without rows" },
    { "expected_rows", "number?", "rows of data that a step draws in the mean; nil where it draws none, or it depends on the state" },
    { "logp_kind", "string", "what log p of its draws is: exact, an estimate by the kernel (of a part of the data, say), or none" },
    { "biased_by_step", "boolean", "whether its kernel has no accept step, so that its draws are off by an amount that falls with the step" },
    { "observed", "table<string, integer>", "log_densities and data_terms that probes with true_logp and chain:logp() had evaluated, beside the arm's own" },
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
    { "log_density", "number?", "its log density, in nats, as arm.logp_kind says; nil where the kernel has none" },
  },
  theory = {
    { "gap", "table<string, number>", "1 less the second eigenvalue: of auxiliary, within, ideal, gibbs" },
    { "absolute_gap", "table<string, number>", "1 less the largest size of an eigenvalue but the first" },
    { "time", "table<string, number>", "integrated autocorrelation time of x (of one's own: of f), in steps: n draws are worth n / time" },
    { "acceptance", "table<string, number>", "share of the proposals that are accepted in the long run" },
    { "matrix", "table<string, number[][]>?", "with matrices = true: the transition matrices" },
    { "pi", "number[]", "the target, a probability a state" },
    { "stationary", "number[]", "what the auxiliary chain comes to: pi, where it is exact" },
    { "bias", "number", "total variation between the two" },
    { "mean_bias", "number", "by how much the mean of x is off" },
    { "imbalance", "number", "the largest |pi_a P_ab - pi_b P_ba|: 0 where it is reversible" },
    { "lost", "number", "how much of omega_1 is left out" },
    { "states", "integer", "how many states there are" },
    { "values", "integer", "how many values omega_1 has" },
    { "second_values", "integer?", "of exchange: how many values one draw has" },
    { "tv", "number?", "largest total variation between omega_2 of the way there and of the way back (of exact chains, as all that follows)" },
    { "kl", "number?", "largest divergence of the two: for each pair the least of one way, the other and their mean" },
    { "kl_mean", "number?", "largest mean of both ways: what propositions 4 and 5 bound" },
    { "excess", "table<string, number>?", "by how much an entry of auxiliary is above that of within, one of within above ideal (excess.within, excess.ideal): not above 0, lemma 1" },
    { "theorem_1", "table<string, number>?", "how many times its bounds by tv and by kl an entry is at least: not below 1" },
    { "theorem_2", "table<string, number>?", "by tv and by kl: gap.auxiliary is at least so many times gap.within" },
    { "proposition_3", "number?", "of exchange with one draw: the same, by sets where one law is not far above the other" },
    { "proposition_4", "table<string, number>?", "of poisson_mh, the same: older, newer, printed (the larger), sharper (as in its proof)" },
    { "proposition_5", "table<string, number>?", "of tuna_mh and tuna_sgld, in the same way" },
    { "proposition_6", "table<string, number>?", "with given = true: first and second bound on absolute_gap.within; least_gap, least_absolute_gap of the step given omega_1" },
    { "size", "number?", "L of the Poisson kernels; C times the largest distance, of tuna_mh and tuna_sgld" },
    { "distance", "number[]?", "of samplers of bits, as all that follows (gap, absolute_gap, time and acceptance are then { chain = }): the largest total variation from pi, over all starts, after 1, 2, 4 ... steps" },
    { "course", "number[]?", "the same from `start` after 0, 1, 2 ... steps" },
    { "minorant", "table?", "logarithms of e, with which distance is at most (1 - e)^steps: printed, as the paper has it; proof, as its proof ends; best, the largest that P has; applies: whether the assumptions hold" },
    { "bias_bound", "number?", "of edula: log of what proposition 5.4 says twice the bias is at most" },
    { "constants", "table<string, number>?", "what the theorems ask of U: lipschitz M, concavity m (not above 0: U is not concave), diameter, least_gradient, log_z" },
  },
  draw = {
    { "[integer]", "number", "a value, in the order of run.coordinates; then own variables of the kernel" },
    { "[string]", "number", "the same by name: draw.mu, draw[\"x.1\"]" },
    { "log_density", "number?", "its log density, in nats, as arm.logp_kind says; nil where the kernel has none" },
    { "log_weight", "number?", "log of what it counts, up to a constant of its chain; nil where all draws of the arm count alike" },
  },
  info = {
    { "accepted", "boolean", "whether the proposal was accepted" },
    { "moved", "boolean", "whether the state changed" },
    { "failed", "boolean", "whether the chain has stopped" },
    { "verdict", "string", "accepted, refused or failed" },
    { "log_density", "number?", "log density of the state now, as arm.logp_kind says; nil where the kernel has none" },
    { "log_density_proposed", "number", "log density of the proposal; where the ratio is estimated, its log prior" },
    { "log_density_change", "number", "that of the proposal less that of the state before the step" },
    { "log_aux", "number?", "the estimate of the rest of the ratio, from the rows that were drawn: log_ratio = log_density_change + log_aux + log_q_back - log_q_forward; nil where the ratio is not estimated" },
    { "log_q_forward", "number", "log q(proposal | state)" },
    { "log_q_back", "number", "log q(state | proposal)" },
    { "log_ratio", "number", "log of the acceptance ratio" },
    { "log_accept", "number", "log of the acceptance probability" },
    { "log_uniform", "number", "log of the uniform number it is held against: accepted if that is smaller; with accept = \"barker\" or a function another random number, of which the same is true" },
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
    { "every", "n, f", "calls f(run) each n steps; the numbers, texts and tables that f captures are a part of the run's state: saved and rewound with it" },
    { "at", "step, f", "calls f(run) at that step" },
    { "stop_when", "rule, every", "ends the run, as a budget does: where f(run) says why, looked at each `every` steps; or by figures of every arm, { rhat = 1.01, ess = 400 }" },
    { "rewind", "n", "back by n steps: exactly as it was" },
    { "rewind_to", "step", "back to that step" },
    { "summary", "", "a table of all arms, as a text" },
    { "set", "text", "a parameter of an arm, as --set has it: run:set \"small.step=0.3\"; of its schedule a field, \"small.step.max=3\", or all, \"small.step=cosine max=3 min=1\"" },
    { "bias", "", "how far the draws of each kernel without an accept step are off, estimated by as many steps at half its step: a list of { arm, param, half, mean = { name, bias, error }, sd = ... } that prints as lines; means in sds, sds as a share" },
    { "claims", "", "the scenario's claims, judged now, as a text" },
    { "judge", "claims", "the claims, the scenario's own by default, judged now: a list of { claim, value, error, answer, reason ... }" },
    { "decided", "claims", "whether every claim, the scenario's own by default, is decided though the budget is not spent: its figure does not depend on how long the run is (acceptance, mean, ess_per_work, ...) or only grows, and lies on the side that is claimed by more than its error at 99.9 %. A run may end there" },
    { "report", "key", "what the probes say" },
    { "journal", "", "what was changed and when, as a text" },
    { "replay", "text", "a fresh run becomes the one that the journal is of" },
    { "save", "", "where the run stands, as a text of bytes; draws already made are not in it" },
    { "load", "bytes", "a run of the same description stands where the saved one stood, and goes on bit for bit" },
    { "fork", "", "another run, of the same description, that stands where this one stands; not of a run with events" },
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
    { "read", "x", "the state x as people read it: of masked words the sentence; nil where a target has no such text" },
  },
  arm = {
    { "set", "param, value", "a number or a schedule, from the next step on; arm:set \"step=0.3\" too; \"step.max\" is a field of the schedule" },
    { "use", "kernel", "another kernel from the next step on" },
    { "chain", "i", "the chain of that number" },
    { "report", "key", "what a probe says of this arm, or its kernel: of bins kernel/bin_low, kernel/bin_high, kernel/bin_weight, kernel/bin_visits, kernel/log_density" },
    { "plan", "", "what moves it now, as fields: cs.kernel.NAME(arm:plan()) is it again" },
    { "metric", "", "what its kernel takes for the covariance: variances, or rows of a matrix, with the `centre` that its tuner found; nil: 1s" },
    { "learned", "", "what it has learned: { update =, updates =, way = { { update, energy of data, of chains } ... }, judged = { { update =, log_z =, error =, kish =, train =, train_error =, test =, test_error = } ... }, independent =, independent_error =, seconds =, step_seconds = }; nil: it does not learn" },
    { "trials", "", "what its tuner has tried, a list of { phase, steps, acceptance, taken, step ... }" },
    { "resample", "n, seed", "chain:resample of the kept draws of all chains, each of which counts as many as it has" },
    { "figure", "name, of", "one figure: cs.help \"figures\"; nil and why if it is not known" },
  },
  network = {
    { "train", "what", "learns from images and labels, else to repeat what it is shown; the loss of the last epoch" },
    { "classify", "what", "how many images it takes for each class, a list; and with labels the share that is right" },
    { "reconstruct", "what", "how like its outputs are to the images it is shown, corrupted or not: mse, psnr, ssim, lift" },
    { "text", "digits", "all of it as a text, for cs.network { file = ... }" },
    { "units", "", "its inputs, hidden units and outputs, a list" },
  },
  -- What propose is given, `draw`: all randomness of a kernel of your own.
  numbers = {
    { "uniform", "purpose", "a uniform number on (0, 1); of the purpose \"proposal\" or \"site\" those that kernels in C draw for that" },
    { "normal", "", "a standard normal number" },
    { "below", "n", "a whole number from 1 to n, all alike" },
    { "exponential", "", "a standard exponential number" },
    { "poisson", "mean", "a Poisson number" },
    { "single_normal", "", "a standard normal number of single precision, as random walks in C have; a step draws normals of one precision" },
    { "row", "", "a row in proportion to its bound, of a kernel with rows = \"range\" or \"change\"; and a uniform number to keep it by" },
    { "simulate", "x", "an exact draw of data at x, a list; of a target that lacks a factor" },
    { "sweep", "x, data, times", "data moved by sweeps that leave their law at x invariant, a list" },
  },
  -- What the functions of a kernel may ask, each counted as work of the kernel.
  asked = {
    { "log_density", "x", "log p at the state x, in nats" },
    { "gradient", "x", "its gradient, a list, and log p" },
    { "log_prior", "x", "what of log p is exact: of a sum over rows its prior, of a model that lacks a factor log prior and log f of the data observed, else 0; not counted" },
    { "prior_gradient", "x", "its gradient, a list" },
    { "term", "x, row", "the term of one row, counted from 1: a data term" },
    { "terms", "x, rows", "the terms of a list of rows, a list" },
    { "slope", "x, rows, weights", "the gradient of the sum of weight times term, a list" },
    { "rows", "", "how many rows there are" },
    { "bound", "row", "the width M of a row's bound, and its low end: of rows = \"range\" low <= term <= low + M, of \"change\" |term(x) - term(y)| <= M distance(x, y); without a row the sum of all widths" },
    { "distance", "x, y", "that distance" },
    { "log_factor", "x, data", "log f(x, data) of a model that lacks a factor" },
    { "observed", "", "the data observed, a list" },
  },
  chain = {
    { "info", "", "the parts of the last step: proposal, log_density, log_density_proposed, log_density_change, log_q_forward, log_q_back, log_ratio, log_uniform, verdict, own variables of the kernel ..." },
    { "state", "", "the state, a list of the coordinates that chains move in, its parameters by name, and its log_density" },
    { "logp", "", "log p of the state by the target, in nats: the kernel's, where that is exact; else it is evaluated, beside the arm's own work" },
    { "shown", "", "what is recorded of the state, a list in the order of run.coordinates, by name too" },
    { "set_state", "x", "puts the chain there: coordinates, or parameters by name" },
    { "tally", "", "steps, accepted, moved, divergent, not_finite, rolling, the acceptance of late, and of trajectories ebfmi, after 100 of them" },
    { "draws", "", "the kept draws, rows in the order of run.coordinates, then own variables of the kernel, each with its log_density, its log_weight where draws have one, and by name; and the steps between them" },
    { "resample", "n, seed", "n draws that count alike, of the kept ones: one of weight w comes floor or ceil of n w / sum w times; as many as the weights leave by default, with the run's seed" },
    { "held_out", "first, last", "how the mean prediction of its kept draws, by their weights, does on the rows held out: rmse, or accuracy, and log_score; of those from first to last, else of all; nil where the target predicts nothing" },
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

local function of_fields(name)
  local lines = { "fields of " .. name }
  for _, row in ipairs(m.fields[name]) do
    lines[#lines + 1] = ("  %-20s %s"):format(row[1], row[3])
  end
  return table.concat(lines, "\n")
end

-- A word of cs: what is called with what, an example.
local function of_word(row)
  local name, args = row[1], row[2]
  local names = {}
  for one in (args or ""):gmatch "([%a_]+)%??: " do names[#names + 1] = one end
  local head = "cs." .. name
  if args then
    head = head .. (names[1] == "fields" and " { ... }" or "(" .. table.concat(names, ", ") .. ")")
  end
  return ("%s: %s\n  for example: %s"):format(head, row[4], (row[5]:gsub("\n", "\n    ")))
end

local function of_family(word, types)
  local lines = { ("built in: cs.%s.NAME"):format(word) }
  for _, name in ipairs(m.sorted_keys(types)) do
    lines[#lines + 1] = ("  %-20s %s"):format(name, types[name].title)
  end
  return table.concat(lines, "\n")
end

-- ---- topics --------------------------------------------------------------

-- Tables that scripts write, with the word that takes them.
m.tables = {
  { "scenario", "cs.scenario and cs.open" }, { "target", "cs.target" }, { "term", "cs.target, of a sum over rows" },
  { "kernel", "cs.kernel" }, { "auxiliary", "cs.kernel, of algorithm 1 of Yuan and Wang 2026" }, { "model", "cs.target, of data whose factor is unknown" }, { "stan", "cs.target, a compiled Stan model" }, { "process", "cs.target, a model in a process of its own" }, { "arm", "an arm" }, { "learn", "learn, of an arm" }, { "images", "data and test, of learn" }, { "judge", "judge, of learn" }, { "budget", "budget" }, { "full", "full" }, { "claim", "a claim" }, { "stop", "stop, and of run:stop_when" },
  { "sbc", "sbc" }, { "sweep", "cs.sweep, beside those of cs.open" },
  { "probe", "a probe in probes" }, { "panel", "a panel in screen" }, { "own_panel", "cs.panel" }, { "picture", "picture" }, { "region", "region" }, { "sparse", "cs.sparse" },
  { "theory", "cs.theory" },
}
-- Objects that scripts are given: methods, fields or both.
m.objects = { "theory", "run", "arm", "chain", "target", "network", "numbers", "asked", "state", "draw", "info" }

local function families()
  return { kernel = core.kernels(), target = core.targets(), schedule = core.schedules(),
           tuner = core.tuners(), optimiser = core.optimisers(), probe = core.probes(), theory = m.theories }
end

-- A field or a method is explained where it stands, in as many places as there are.
local function add_parts(add)
  local function note(name, text) add(name, function() return text end) end
  for _, of in ipairs(m.tables) do
    for _, field in ipairs(m.sorted_keys(m.rows[of[1]])) do
      local row = m.rows[of[1]][field]
      note(field, ("%s, a field of %s: %s"):format(field, of[2], row.refused and row.refused or row[2]))
    end
  end
  for _, object in ipairs(m.objects) do
    for _, row in ipairs(m.methods[object] or {}) do
      note(row[1], ("%s:%s(%s): %s"):format(object, row[1], row[2], row[3]))
    end
    for _, row in ipairs(m.fields[object] or {}) do
      if row[1]:match "^[%a_]+$" then
        note(row[1], ("%s.%s: %s"):format(object, row[1], row[3]))
      end
    end
  end
  for _, name in ipairs(m.sorted_keys(m.figures)) do
    note(name, ("%s, a figure of an arm: %s"):format(name, m.figures[name].help))
  end
end

local function topics()
  m.read_all()
  local list = { figures = of_figures }
  local function add(name, f)
    local before = list[name]
    list[name] = before and function() return before() .. "\n\n" .. f() end or f
  end
  for _, row in ipairs(m.vocabulary) do
    add(row[1], function() return of_word(row) end)
  end
  for _, word in ipairs(m.sorted_keys(m.functions)) do
    local rows, home = m.functions[word], word == "params" and "cs" or "cs." .. word
    add(word, function() return of_functions(home, rows) end)
    for _, row in ipairs(rows) do
      add(row[1], function() return ("%s.%s(%s)\n  %s"):format(home, row[1], row[2], row[3]) end)
    end
  end
  for _, of in ipairs(m.tables) do
    add(of[1], function() return of_rows(of[1], m.rows[of[1]]) end)
  end
  for _, name in ipairs(m.objects) do
    if m.methods[name] then add(name, function() return of_methods(name) end) end
    if m.fields[name] then add(name, function() return of_fields(name) end) end
  end
  for _, call in ipairs { "new", "train", "classify", "reconstruct" } do
    add("network", function() return of_network(call) end)
  end
  add("principal_components", function()
    return add_params({ "cs.principal_components { ... }: its fields" }, core.principal_rows)
  end)
  add("fbp", function() return add_params({ "cs.fbp { ... }: its fields" }, core.fbp_rows) end)
  for word, list_of in next, families() do
    add(word, function() return of_family(word, list_of) end)
    for name, type in next, list_of do
      add(name, function() return of_type(word, name, type) end)
    end
  end
  list.probes, list.panels = list.probe, function()
    return "panels, for screen = { ... }:\n  " .. table.concat(core.panels, ", ")
  end
  add_parts(add)
  return list
end

-- The name of what is asked about by itself: cs.help(cs.target).
local function name_of(what)
  for name, value in next, cs do
    if rawequal(value, what) then return name end
  end
  return core.kind(what)
end

-- cs.help "mala", cs.help "scenario", cs.help(cs.target), cs.help(): a text.
cs.help = core.located(function(what)
  local list = topics()
  if what == nil then
    return "cs.help NAME, where NAME is one of\n  " ..
      table.concat(m.sorted_keys(list), ", ")
  end
  local name = type(what) == "string" and what:gsub("^cs%.", ""):match "[^.:]+$" or name_of(what)
  local f = list[name] or
    m.fail("there is no help on '" .. tostring(name) .. "'",
           m.suggest(tostring(name), m.sorted_keys(list)))
  return f()
end)

-- ---- the reference ---------------------------------------------------------

local function cell(text) return (text:gsub("|", "\\|"):gsub("\n", " ")) end

-- A table of Markdown: rows of cells.
local function grid(out, head, rows)
  if not rows[1] then return end
  out("| " .. table.concat(head, " | ") .. " |")
  out("|" .. (" --- |"):rep(#head))
  for _, row in ipairs(rows) do
    for i, text in ipairs(row) do row[i] = cell(text) end
    out("| " .. table.concat(row, " | ") .. " |")
  end
  out ""
end

local function example_of(word, name, type)
  local fields = {}
  if type.around then fields[1] = "kernel = cs.kernel.random_walk {}" end
  for _, row in ipairs(type) do
    if row.kind == "choice" then
      fields[#fields + 1] = ("%s = %q"):format(row.name, row.choices[row.default + 1])
    elseif row.kind == "bool" then
      fields[#fields + 1] = ("%s = %s"):format(row.name, row.default ~= 0)
    elseif row.kind == "real" or row.kind == "int" then
      local value = row.default
      if value ~= value or value == math.huge or value == -math.huge then value = 1 end
      fields[#fields + 1] = ("%s = %.6g"):format(row.name, value)
    end
    if #fields == 3 then break end
  end
  return ("cs.%s.%s { %s }"):format(word, name, table.concat(fields, ", "))
end

local function fields_grid(out, rows)
  local list = {}
  for _, field in ipairs(m.sorted_keys(rows)) do
    local row = rows[field]
    if not row.refused then
      local kind = row[1] == "number" and m.range_text(row) or row[1]:gsub(" ", " or ")
      list[#list + 1] = { "`" .. field .. "`", kind .. (row.required and "; required" or ""), row[2] }
    end
  end
  grid(out, { "field", "value", "meaning" }, list)
end

local function words_part(out)
  out "## The words of `cs`\n"
  for _, row in ipairs(m.vocabulary) do
    out(("### `cs.%s`\n\n%s\n\n```lua\n%s\n```\n"):format(row[1], row[4], row[5]))
  end
end

local function objects_part(out)
  out "## Objects\n"
  for _, name in ipairs(m.objects) do
    out("### " .. name .. "\n")
    local list = {}
    for _, row in ipairs(m.methods[name] or {}) do
      list[#list + 1] = { ("`%s:%s(%s)`"):format(name, row[1], row[2]), row[3] }
    end
    grid(out, { "method", "meaning" }, list)
    list = {}
    for _, row in ipairs(m.fields[name] or {}) do
      list[#list + 1] = { "`" .. row[1] .. "`", (row[2]:gsub("chainscope%.", "")), row[3] }
    end
    grid(out, { "field", "type", "meaning" }, list)
  end
end

local function types_part(out, word, types)
  out(("## %ss\n"):format(word:sub(1, 1):upper() .. word:sub(2)))
  for _, name in ipairs(m.sorted_keys(types)) do
    local type, list = types[name], {}
    out(("### `%s`: %s\n\n%s"):format(name, type.title, type.help))
    if (type.ref or "") ~= "" then out("\n" .. type.ref .. ".") end
    if word ~= "probe" then out(("\n```lua\n%s\n```"):format(example_of(word, name, type))) end
    out ""
    for _, row in ipairs(type) do
      list[#list + 1] = { "`" .. row.name .. "`", kind_text(row) .. default_text(row), row.help }
    end
    grid(out, { "field", "value", "meaning" }, list)
  end
end

local function functions_part(out)
  for _, word in ipairs(m.sorted_keys(m.functions)) do
    local home, list = word == "params" and "cs" or "cs." .. word, {}
    out(word == "params" and "## Parameters with bounds, for `params`\n" or "## `" .. home .. "`\n")
    for _, row in ipairs(m.functions[word]) do
      list[#list + 1] = { ("`%s.%s(%s)`"):format(home, row[1], row[2]), row[3] }
    end
    grid(out, { "call", "meaning" }, list)
  end
end

-- All of it: as Markdown, or as annotations for editors.
cs.reference = core.located(function(form)
  m.read_all()
  if form == "annotations" then return m.words.annotations() end
  if form ~= nil then
    m.fail(("there is no reference as %q"):format(tostring(form)), 'none (Markdown) or "annotations"')
  end
  local lines = {}
  local function out(text) lines[#lines + 1] = text end
  out(("# Reference of the Lua of Chainscope %s\n"):format(cs.version))
  out "Made from the rows that check what a script writes. `local cs = require \"chainscope\"` comes first.\n"
  words_part(out)
  out "## Tables\n"
  for _, of in ipairs(m.tables) do
    out(("### Fields of %s\n"):format(of[2]))
    fields_grid(out, m.rows[of[1]])
  end
  objects_part(out)
  out "## Figures\n\nOf an arm: `arm:figure(name, of)`, and `stat` in claims.\n"
  local list = {}
  for _, name in ipairs(m.sorted_keys(m.figures)) do list[#list + 1] = { "`" .. name .. "`", m.figures[name].help } end
  grid(out, { "figure", "meaning" }, list)
  for _, word in ipairs { "kernel", "target", "schedule", "tuner", "optimiser", "theory", "probe" } do
    types_part(out, word, families()[word])
  end
  functions_part(out)
  out("## Panels\n\n`" .. table.concat(core.panels, "`, `") .. "`: `chainscope manual` says what each shows.\n")
  return table.concat(lines, "\n")
end)
