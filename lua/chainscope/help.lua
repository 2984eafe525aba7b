-- Help on every name that a script can use, built from the rows that check these names.
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

-- Returns the help on the fields of cs.network or of one of its methods.
local function of_network(call)
  local head = call == "new" and "cs.network { ... }" or "network:" .. call .. " { arm = ..., ... }"
  return add_params({ head .. ": its fields" }, core.network_rows[call])
end

-- ---- rows of the tables --------------------------------------------------

local function of_rows(name, rows)
  local lines = { "fields of " .. name }
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
  local lines = { "figures: arm:figure(name, of), and stat in claims" }
  for _, name in ipairs(m.sorted_keys(m.figures)) do
    local row = m.figures[name]
    lines[#lines + 1] = ("  %-15s %s"):format(name, row.help)
  end
  return table.concat(lines, "\n")
end

-- The names in cs: name, arguments with their types, result type, help text, example. The
-- annotations for editors are built from these rows.
m.vocabulary = {
  { "scenario", "fields: chainscope.scenario", "chainscope.scenario", "describes a run, its screen, its lesson and its claims; a scenario file returns it",
    "return cs.scenario { title = \"A walk\", target = cs.target.gaussian { dim = 2 },\n  arms = { walk = cs.kernel.random_walk { step = 1 } }, budget = { steps = 1000 } }" },
  { "open", "fields: chainscope.run_fields", "chainscope.run", "opens a run that a script drives step by step",
    "local run = cs.open { target = cs.target.gaussian { dim = 2 }, arms = { walk = cs.kernel.random_walk {} } }\nrun:step(100)" },
  { "compare", "models: table", "table", "compares results of arm:loo or cs.kfold by name: rows with the model, the difference of elpd from the best model, the standard error of this difference, and the stacking weight; printing them gives a table",
    "print(cs.compare { narrow = run:arm(1):loo \"log_lik\", wide = other:arm(1):loo \"log_lik\" })" },
  { "kfold", "fields: chainscope.kfold_fields", "table", "exact cross-validation: runs a model once per fold, without the rows of the fold, and returns the log predictive densities of these rows: { elpd =, error =, elpd_mcse = Monte Carlo error, pointwise = { ... }, mcse = { ... }, fold = { fold of each row } }, which prints as a line and can be compared by cs.compare",
    "local y = { 0.3, -1.2, 2.1, 0.7, -0.4, 1.5 }\nprint(cs.kfold { rows = #y, folds = 3, model = function(train, test)\n  local function rows(list) local v = {} for i, k in ipairs(list) do v[i] = y[k] end return cs.math.vector(v) end\n  local inside, outside = rows(train), rows(test)\n  return { arms = { a = cs.kernel.mala { step = 0.5 } }, budget = { steps = 500 }, target = cs.target {\n    params = { mu = cs.real() }, log_density = function(p) return cs.lpdf.normal(inside, p.mu, 1) end,\n    generated = function(p) return { log_lik = cs.lpdf.each.normal(outside, p.mu, 1) } end } }\nend })" },
  { "sweep", "fields: chainscope.sweep_fields", "table", "runs an experiment at each combination of parameter values and measures figures of the arms. Returns rows with the values, the arm, each figure, and figures[NAME].error; printing the result gives a table. Use `chainscope sweep` to run the combinations on all cores",
    "print(cs.sweep { target = cs.target.gaussian { dim = 2 }, arms = { walk = cs.kernel.random_walk {} },\n  budget = { steps = 1000 }, over = { [\"walk.step\"] = { 0.3, 1, 3 } } })" },
  { "target", "own: chainscope.own_target|chainscope.own_term|chainscope.own_model", "chainscope.target", "creates a target from its log density; cs.target.NAME { ... } creates a built-in target",
    "cs.target { space = cs.real(2), log_density = function(x) return -(x[1]^2 + x[2]^2) / 2 end }" },
  { "kernel", "own: chainscope.own_kernel|chainscope.own_auxiliary|chainscope.own_mapped", "chainscope.kernel", "creates a kernel from its proposal or, with auxiliary variables, from four functions (cs.help \"auxiliary\") or a deterministic map (cs.help \"mapped\"); cs.kernel.NAME { ... } creates a built-in kernel",
    "cs.kernel { params = { step = 1 }, propose = function(x, draw, p)\n  return { x[1] + p.step * draw:normal() }\nend }" },
  { "plain", false, "table<string, fun(fields: table?): chainscope.kernel>", "cs.plain.NAME { ... }: kernels written as in a textbook, one chain at a time and without vectorisation. They use the random numbers of cs.kernel.NAME, so both give the same chain, to rounding. Available: random_walk, metropolis_within_gibbs, mala, hmc (with jitter = 0); for bits gibbs, dmala, gwg",
    "arms = { fast = cs.kernel.mala { step = 0.2 }, plain = cs.plain.mala { step = 0.2 } },\nclaims = { { arm = \"fast\", stat = \"apart\", of = \"plain\", at_most = 1e-9 } }" },
  { "faulty", false, "table<string, fun(fields: chainscope.faulty?): table>", "cs.faulty.NAME { seed = n }: a kernel with one planted fault, and a target on which it has an effect. Returns { kernel, target, start, law, wrong, right, values }: `law` is the law by which `chainscope check` finds the fault, `wrong` and `right` describe the error and the correct formula. Faults: batch_ratio, blind_swap, clipped, greedy, inertia, informed_unweighted, kinetic_forgotten, leapfrog_unfinished, looks_back, one_uniform, power_09, ratio_backwards, ratio_forgotten, redrawn, rejections_dropped, stale_pair, step_of_state, tuned_for_ever, unadjusted, wrong_conditional. Correct kernels that look unusual: alternating, barker, falls, in_order, reflected, ring, whole_kicks",
    "local f = cs.faulty.clipped { seed = 3 }\nreturn cs.scenario { title = \"A fault\", target = f.target, start = f.start, arms = { a = f.kernel } }" },
  { "schedule", "own: fun(step: integer): number", "chainscope.schedule", "creates a schedule from a function of the step number, counted from 1; cs.schedule.NAME { ... } creates a built-in schedule",
    "cs.kernel.random_walk { step = cs.schedule(function(k) return k % 10 == 0 and 5 or 1 end) }" },
  { "tuner", nil, "chainscope.tuner", "cs.tuner.NAME { ... }: sets parameters of an arm's kernel during warm-up, then freezes them",
    "arms = { a = { kernel = cs.kernel.mala { step = 1 }, tuner = cs.tuner.acceptance {} } }" },
  { "optimiser", nil, "chainscope.optimiser", "cs.optimiser.NAME { ... }: the rule by which the parameters of a model follow the gradient of its log likelihood, for the field `learn` of an arm. The rate may be a schedule, which counts updates",
    "learn = { data = \"images-idx3-ubyte.gz\", updates = 2000, optimiser = cs.optimiser.adam { rate = 1e-3 } }" },
  { "fbp", "fields: table", "table", "focusing belief propagation on a perceptron with weights -1 or 1 (Baldassi et al. 2016): message passing, not a chain. Returns magnetisation, the mean of each weight (its sign is the value of the weight), and steps = { focus, rounds, change, errors, size } after each value of focus. Without focus the method is ordinary belief propagation",
    "local f = cs.fbp { inputs = { { 1, -1, 1 }, { -1, -1, 1 } }, labels = { 1, -1 }, focus = { 0, 0.5, 1, 2 }, replicas = 5 }\nprint(f.steps[4].errors, f.magnetisation[1])" },
  { "theory", "own: chainscope.own_theory", "chainscope.theory", "algorithm 1 of Yuan and Wang 2026 on a finite state space, from tables of probabilities or functions that return them. Returns spectral gaps, autocorrelation times and acceptance rates of four chains (the auxiliary chain, Metropolis within Gibbs, the ideal chain and Gibbs), deviations from the exact target, and the bounds that hold. cs.theory.NAME { ... } is a built-in case; dmala, dula, edmala and edula give the convergence of samplers of bits",
    "local t = cs.theory { logp = { 0, 1 }, propose = { { 0, 1 }, { 1, 0 } },\n  second = function(a, b) return a < b and { 0.8, 0.2 } or { 0.5, 0.5 } end }\nprint(t.gap.auxiliary, t.gap.ideal, t.theorem_2.tv)" },
  { "panel", "fields: chainscope.own_panel", "chainscope.panel", "creates a panel for the fields screen or panels: curves, bars, a table, lines, a histogram or a drawing of the values that a function returns. The function can read the run and cannot change it. It is called between steps, at most a few times per second, and may take a quarter of a second; an error is shown in the panel (cs.help \"own_panel\")",
    "screen = { \"trace\", cs.panel { name = \"lead\", unit = \"nats\", curves = function(run)\n  return { lead = run.arms.a.chains[1]:logp() - run.arms.b.chains[1]:logp() }\nend } }" },
  { "math", nil, nil, "functions that a log density may use: cs.math.NAME(...)", "cs.math.log(cs.math.where(cs.math.lt(0, x), x, 1))" },
  { "lpdf", nil, nil, "log densities of common distributions: cs.lpdf.NAME(y, ...)", "cs.lpdf.normal(y, 0, 1)" },
  { "lcdf", nil, nil, "logs of distribution functions, for censored and truncated data: cs.lcdf.NAME(y, ...)", "cs.lcdf.normal(y, 0, 1)" },
  { "lccdf", nil, nil, "logs of complements of distribution functions: the log probability above y", "cs.lccdf.normal(y, 0, 1)" },
  { "binary", "n: integer", "chainscope.space", "the space of n bits, 0 or 1", "space = cs.binary(10)" },
  { "categorical", "n: integer, values: integer", "chainscope.space", "the space of n sites with the given number of unordered values each, counted from 0", "space = cs.categorical(10, 3)" },
  { "ordinal", "n: integer, low: integer, high: integer", "chainscope.space", "the space of n integers from low to high", "space = cs.ordinal(2, -5, 5)" },
  { "sparse", "fields: chainscope.sparse_fields", "any", "a sparse matrix for cs.math.product", "cs.sparse { rows = 2, cols = 2, i = { 1, 2 }, j = { 1, 2 }, v = { 1.5, 2 } }" },
  { "has_data", "path: string", "boolean", "true if a target would find the file: in the scenario's folder, in the program's data, or in the folder CHAINSCOPE_DATA (links that lead out of this folder are not followed)", "cs.has_data \"bnn/compas-train.csv.gz\"" },
  { "read_table", "path: string", "table<string, number[]|string[]>, string[]", "the columns of a CSV file from the scenario's folder or the program's data, by name, as numbers (a missing value is nan) or strings; and the names in file order. For a million rows, data = { file = ... } is faster",
    "local t = cs.read_table \"schools.csv\"\nprint(#t.y, t.name[1])" },
  { "read_json", "path: string", "any", "the value of a JSON file from the scenario's folder or the program's data: objects and lists become tables; null becomes nan in a list and is left out of an object",
    "local data = cs.read_json \"schools.json\"\nprint(data.J, data.y[1])" },
  { "load", "path: string, description?: table", "chainscope.run", "a run of the draws in a folder or file, written by this program, run:write or another program: with its coordinates, arms, figures and summary. With a description, the table of cs.open, the run of the folder's checkpoint, which continues bit for bit",
    "local old = cs.load \"schools\"\nprint(old:summary(), old:arm(1):figure(\"mean\", \"mu\"))" },
  { "ode", "fields: table", "any", "the solution of a system of differential equations y' = f(t, y, p) at the times, a matrix with a row per time, for a log density: fields f, y0 (y at t0), times, and optionally p (a vector, or numbers by name), t0 (0), method (\"rk45\", \"rk8\", or \"bdf\" for stiff systems), relative and absolute tolerances (1e-6), and steps, the limit between two times (10000). Values of the state reach f in p only. Derivatives by y0 and p are integrated with the solution. If it cannot be computed, it is NaN, the proposal is rejected, and the summary counts it with its reason",
    "cs.ode { f = function(t, y, p) return { -p.rate * y[1] } end, y0 = { 1 }, p = { rate = 0.5 }, times = { 1, 2 } }" },
  { "read_idx", "path: string, pool?: integer, most?: integer", "number[][]|number[]", "the items of an IDX file, plain or gzipped, of any of its six number types. Labels are numbers; images are lists of pixels, row by row (0 to 255 for bytes), and pool = 4 averages squares of 4 x 4 pixels. `most` limits the number of items read",
    "local images = cs.read_idx(\"digits-idx3-ubyte.gz\", 2)\nprint(#images, #images[1])" },
  { "principal_components", "fields: table", "table", "tables for a regression on the principal components of images or rows: { table =, held_out_table =, variance =, total = }. Each row of the tables has its scores, first the one along the direction of largest variance, then its class: 0 for the first of classes, 1 for the second. Means and directions come from the training rows only",
    "local digits = cs.principal_components { images = \"train-images-idx3-ubyte\", labels = \"train-labels-idx1-ubyte\",\n  classes = { 3, 5 }, components = 50 }\nlocal target = cs.target.logistic_regression { table = digits.table }" },
  { "self_bleu", "sentences: string[], n?: integer", "number", "similarity of sentences: the mean BLEU score of each sentence against all others, with n-grams of 1 to n words, 4 by default; 1 if all sentences are equal",
    "print(cs.self_bleu { \"the king had a son\", \"the king had a daughter\" })" },
  { "unique_ngrams", "sentences: string[], n?: integer", "number", "the share of distinct n-grams among all n-grams of n words, 2 by default, in all sentences",
    "print(cs.unique_ngrams({ \"a b a b\", \"a b c\" }, 2))" },
  { "plans", "path: string", "table<string, chainscope.kernel|table>", "the arms of another run, from the plans.lua in its folder", "arms = cs.plans \"hills/plans.lua\"" },
  { "network", "fields: { units?: integer[], seed?: integer, file?: string }", "chainscope.network", "a small network of dense layers that classifies or reconstructs images", "cs.network { units = { 784, 100, 10 }, seed = 1 }" },
  { "help", "name?: string", "string", "explains a name: anything in cs, a field, method, figure, kernel, target ...", "print(cs.help \"scenario\")" },
  { "reference", "form?: string", "string", "all help in one string, as Markdown; with \"annotations\", the type annotations for editors", "print(cs.reference())" },
  { "describe", nil, "table", "lists all targets, kernels, schedules, tuners, optimisers and probes, with their rows", "cs.describe().kernels.mala.title" },
  { "version", false, "string", "the version of the program", "print(cs.version)" },
}

-- Fields of objects: name, type, help text. The annotations show the same text.
m.fields = {
  run = {
    { "steps", "integer", "steps done so far" },
    { "seed", "integer", "the seed that determines all randomness" },
    { "seconds", "number", "wall time spent running" },
    { "oldest", "integer", "the oldest step that rewind can reach" },
    { "finished", "boolean", "true if the budget is spent" },
    { "arms", "chainscope.arms", "the arms, as a list and by name: run.arms[1], run.arms.small; #run.arms is their number" },
    { "coordinates", "string[]", "list of the names of the recorded coordinates" },
  },
  arm = {
    { "run", "chainscope.run", "the run of the arm" },
    { "index", "integer", "index of the arm in its run, from 1" },
    { "name", "string", "name of the arm" },
    { "kernel", "string", "name of the kernel" },
    { "params", "table<string, number>", "the kernel's parameters, by name" },
    { "chains", "chainscope.chain[]", "list of the chains: arm.chains[1]; #arm.chains is their number" },
    { "group", "integer", "number of chains in each group that the kernel couples; 1 if it couples none" },
    { "steps", "integer", "steps of each chain, without warm-up" },
    { "log_densities", "integer", "log density evaluations, summed over the chains" },
    { "gradients", "integer", "gradient evaluations, summed over the chains" },
    { "site_differences", "integer", "evaluations of a log density difference at a site, summed over the chains" },
    { "data_terms", "integer", "evaluations of data terms (one per row and evaluation), summed over the chains" },
    { "simulations", "integer", "data sets that the target simulated, summed over the chains" },
    { "site_updates", "integer", "numbers drawn to simulate data sets, summed over the chains" },
    { "passes", "number", "passes over the rows of data per chain; nan without rows" },
    { "expected_rows", "number?", "mean number of data rows drawn per step; nil if the kernel draws no rows or if the number depends on the state" },
    { "logp_kind", "string", "kind of log p recorded with the draws: exact, an estimate by the kernel (for example from a part of the data), or none" },
    { "biased_by_step", "boolean", "true if the kernel has no accept step; its draws then have a bias, which is smaller for smaller steps" },
    { "observed", "table<string, integer>", "log_densities and data_terms: evaluations for probes with true_logp and for chain:logp(), which do not count as work of the arm" },
    { "seconds", "number", "processor time of the chains" },
    { "finished", "boolean", "true if the arm's budget is spent" },
    { "warm_up", "integer", "number of warm-up steps of the tuner" },
    { "tuned", "number", "completed share of the warm-up, 0 to 1" },
  },
  chain = {
    { "arm", "chainscope.arm", "the arm of the chain" },
    { "index", "integer", "index of the chain in its arm, from 1" },
  },
  state = {
    { "[integer]", "number", "a coordinate in the space in which chains move, from 1; an integer if the space is discrete" },
    { "[string]", "any", "for a target with params, the value of a parameter by its name; otherwise a value by its name in run.coordinates" },
    { "log_density", "number?", "log density of the state, in nats; arm.logp_kind is its kind; nil if the kernel has none" },
  },
  theory = {
    { "gap", "table<string, number>", "1 minus the second eigenvalue, for the chains auxiliary, within, ideal and gibbs" },
    { "absolute_gap", "table<string, number>", "1 minus the second largest absolute eigenvalue" },
    { "time", "table<string, number>", "integrated autocorrelation time of x (f in cs.theory { ... }), in steps: n draws have the effective sample size n / time" },
    { "acceptance", "table<string, number>", "long-run share of accepted proposals" },
    { "matrix", "table<string, number[][]>?", "with matrices = true: the transition matrices" },
    { "pi", "number[]", "the target: one probability per state" },
    { "stationary", "number[]", "stationary distribution of the auxiliary chain: pi, if the chain is exact" },
    { "bias", "number", "total variation between pi and stationary" },
    { "mean_bias", "number", "error of the mean of x" },
    { "imbalance", "number", "the largest |pi_a P_ab - pi_b P_ba|: 0 if the chain is reversible" },
    { "lost", "number", "probability of the values of omega_1 that are left out" },
    { "states", "integer", "number of states" },
    { "values", "integer", "number of values of omega_1" },
    { "second_values", "integer?", "for exchange: number of values that one draw can take" },
    { "tv", "number?", "largest total variation between the law of omega_2 in the forward move and its law in the backward move (only for exact chains, like the fields from kl to size)" },
    { "kl", "number?", "largest divergence of these two laws: for each pair, the smallest of KL forward, KL backward and their mean" },
    { "kl_mean", "number?", "largest mean of the two KL divergences, which propositions 4 and 5 bound" },
    { "excess", "table<string, number>?", "excess.within: largest excess of an entry of the matrix auxiliary over the same entry of within; excess.ideal: the same for within and ideal. Both are at most 0 by lemma 1" },
    { "theorem_1", "table<string, number>?", "tv, kl: smallest ratio of a matrix entry to its lower bound, computed by tv or by kl; at least 1" },
    { "theorem_2", "table<string, number>?", "tv, kl: lower bound on gap.auxiliary / gap.within, computed by tv or by kl" },
    { "proposition_3", "number?", "for exchange with one draw: lower bound on gap.auxiliary / gap.within, from the sets on which one law is not much larger than the other" },
    { "proposition_4", "table<string, number>?", "for poisson_mh: lower bounds on gap.auxiliary / gap.within: older, newer, printed (the larger of older and newer), sharper (as in the proof)" },
    { "proposition_5", "table<string, number>?", "for tuna_mh and tuna_sgld: lower bounds on gap.auxiliary / gap.within, named as for proposition_4" },
    { "proposition_6", "table<string, number>?", "with given = true: first and second, two bounds on absolute_gap.within; least_gap and least_absolute_gap, the smallest gaps of the step given omega_1" },
    { "size", "number?", "L of the Poisson kernels; for tuna_mh and tuna_sgld, C times the largest distance" },
    { "distance", "number[]?", "the largest total variation from pi over all starts, after 1, 2, 4 ... steps. This field and all fields below are for samplers of bits, for which gap, absolute_gap, time and acceptance have only the entry chain" },
    { "series", "number[]?", "total variation from pi for chains that start at `start`, after 0, 1, 2 ... steps" },
    { "minorant", "table?", "log of e in the bound distance <= (1 - e)^steps: printed, as stated in the paper; proof, as at the end of its proof; best, the largest e that the transition matrix allows; applies: whether the assumptions hold" },
    { "bias_bound", "number?", "for edula: log of the bound on twice the bias, by proposition 5.4" },
    { "constants", "table<string, number>?", "the constants of U in the theorems: lipschitz M, concavity m (at most 0: U is not concave), diameter, least_gradient, log_z" },
  },
  draw = {
    { "[integer]", "number", "a recorded value, in the order of run.coordinates, followed by the kernel's auxiliary variables" },
    { "[string]", "number", "a recorded value by its name: draw.mu, draw[\"x.1\"]" },
    { "log_density", "number?", "log density of the draw, in nats; arm.logp_kind is its kind; nil if the kernel has none" },
    { "log_weight", "number?", "log weight of the draw, up to a constant per chain; nil if all draws of the arm have equal weight" },
  },
  info = {
    { "accepted", "boolean", "true if the proposal was accepted" },
    { "moved", "boolean", "true if the state changed; for a cycle or a mixture, if a member changed it" },
    { "failed", "boolean", "true if the chain has failed and stopped" },
    { "verdict", "string", "accepted, rejected or failed" },
    { "log_density", "number?", "log density of the current state, of the kind arm.logp_kind; nil if the kernel has none" },
    { "log_density_proposed", "number", "log density of the proposal; if the ratio is estimated, log prior of the proposal" },
    { "log_density_change", "number", "log_density_proposed minus the value for the state before the step" },
    { "log_aux", "number?", "estimate of the remaining part of the ratio, from the drawn rows: log_ratio = log_density_change + log_aux + log_q_back - log_q_forward; nil if the ratio is not estimated" },
    { "log_q_forward", "number", "log q(proposal | state)" },
    { "log_q_back", "number", "log q(state | proposal)" },
    { "log_ratio", "number", "log of the acceptance ratio" },
    { "log_accept", "number", "log of the acceptance probability" },
    { "log_uniform", "number", "log of the random number u; the proposal is accepted if log u is less than log_ratio. u is uniform, except with accept = \"barker\" or a function" },
    { "proposal", "chainscope.state?", "the proposed state" },
    { "own", "table<string, number[]>?", "the kernel's auxiliary variables, by name" },
    { "own_proposal", "table<string, number[]>?", "the kernel's auxiliary variables for the proposal, by name" },
  },
}

-- Methods of objects: name, arguments, help text. The annotations show the same text.
m.methods = {
  run = {
    { "step", "n", "advances every chain by n steps; 1 by default" },
    { "arm", "which", "the arm with the given index or name" },
    { "every", "n, f", "calls f(run) every n steps; numbers, strings and tables that f captures belong to the state of the run: they are saved and rewound with the run" },
    { "at", "step, f", "calls f(run) at the given step" },
    { "stop_when", "rule, every", "ends the run, as at the end of its budget, as soon as the rule is met. The rule is a function f(run), called every `every` steps, that returns a reason to stop; or bounds that the figures of every arm must meet, { rhat = 1.01, ess = 400 }" },
    { "rewind", "n", "goes back n steps and restores the exact state" },
    { "rewind_to", "step", "goes back to the given step" },
    { "summary", "", "returns a table of all arms as text" },
    { "set", "text", "sets a parameter of an arm, as --set does: run:set \"small.step=0.3\"; \"small.step.max=3\" sets a field of its schedule, \"small.step=cosine max=3 min=1\" the whole schedule" },
    { "bias", "", "estimates the bias of each kernel without an accept step, from an equally long run at half its step. Returns a list of { arm, param, half, mean = { name, bias, error }, sd = ... }, which prints as lines; biases of means are in units of the sd, biases of sds are shares of the sd" },
    { "claims", "", "judges the scenario's claims now and returns the result as a string" },
    { "predictive", "", "the results of the scenario's predictive checks, as a string; nil if it has none" },
    { "judge", "claims", "judges the given claims now, by default those of the scenario; returns a list of { claim, value, error, answer, reason ... }" },
    { "decided", "claims", "true if every given claim (by default those of the scenario) is already decided, so that the run may stop. A claim is decided when its figure is on the claimed side by more than its error at 99.9 %. Only figures that do not depend on the run's length (acceptance, mean, ...) or only grow can be decided early; with a warm-up, ess_per_work grows" },
    { "report", "key", "returns the reports of the probes, or only the entry `key` of these reports" },
    { "journal", "", "returns the changes to the run and their steps as text" },
    { "replay", "text", "applies the changes in a journal to a new run" },
    { "save", "", "returns the state of the run as a byte string, without the recorded draws" },
    { "load", "bytes", "restores a saved state in a run with the same description; the run then continues exactly as the saved run would, bit for bit" },
    { "write", "folder, options", "writes the recorded draws (those of chain:draws), the checkpoint, the summary and the manifest to a new folder, as `chainscope run --out` does; { force = true } overwrites another run there. Columns of single steps, such as accept_stat__, are not recorded and become NaN. A scenario needs --trust" },
    { "fork", "", "returns another run with the same description, in the same state; not possible for a run with events" },
    { "fault", "", "returns the first error that has not been reported yet, or nil" },
    { "note", "", "returns the note on the target, or nil" },
  },
  target = {
    { "log_density", "x", "log density at the point x, in nats; x is a list of coordinates, or values by name" },
    { "gradient", "x", "gradient of the log density at x, a list" },
    { "differences", "x, i", "changes of the log density when coordinate i takes each of its values, a list" },
    { "hessian", "x", "second derivatives of the log density at x, a list of rows, one for each real coordinate if there are any; and the method used" },
    { "hessian_times", "x, v", "the Hessian at x times v, a list; and the method used" },
    { "eigenvalues", "x", "eigenvalues of the Hessian at x, in ascending order; and the method used" },
    { "read", "x", "the state x as text (for masked words, the sentence); nil if the target does not define a text" },
  },
  arm = {
    { "set", "param, value", "sets a parameter to a number or a schedule, from the next step on; also arm:set \"step=0.3\"; \"step.max\" is a field of the schedule" },
    { "use", "kernel", "uses another kernel from the next step on" },
    { "chain", "i", "the chain with the given index" },
    { "report", "key", "an entry of a probe's report on this arm, or of the report of its kernel; kernels with bins report kernel/bin_low, kernel/bin_high, kernel/bin_weight, kernel/bin_visits, kernel/log_density" },
    { "plan", "", "the fields of the current kernel: cs.kernel.NAME(arm:plan()) creates the same kernel" },
    { "metric", "", "the covariance that the kernel uses: variances, or the rows of a matrix, with the field `centre` if the tuner has found a centre; nil if all variances are 1" },
    { "learned", "", "results of learning: { update =, updates =, way = { { update, energy of the data, energy of the chains } ... }, judged = { { update =, log_z =, error =, kish =, train =, train_error =, test =, test_error = } ... }, independent =, independent_error =, seconds =, step_seconds = }; nil if it does not learn" },
    { "trials", "", "list of the tuner's trials, { phase, steps, acceptance, taken, step ... }" },
    { "resample", "n, seed", "equally weighted draws, as from chain:resample, from the stored draws of all chains; each chain is weighted by its number of draws" },
    { "figure", "name, of", "the value of a figure (cs.help \"figures\"), or nil and the reason why it is not known" },
    { "loo", "name", "leave-one-out predictive densities (PSIS-LOO) and WAIC, from a generated quantity with the log likelihood of each observation, log_lik by default: { elpd =, error =, p =, pointwise = { ... }, k = { Pareto shapes }, mcse = { ... }, lpd = { ... }, observations = { names }, waic =, p_waic = ... }, which prints as a line" },
    { "sensitivity", "power, prior, likelihood", "the sensitivity of each quantity to the power of the prior and of the likelihood (Kallioinen et al. 2023), from generated quantities with the log prior and the log likelihood, log_prior and log_lik by default: a list of { quantity =, prior =, likelihood =, verdict = }, with the Pareto shapes k_prior and k_likelihood; it prints as a table. The powers are 1 / power and power, by default 1.01" },
    { "predictive", "name", "the results of a predictive check of the scenario (by default the first): for each statistic { data =, mean =, low =, high =, p =, error = }, with the mean and the 5 and 95 % quantiles of the replications, and the share p of those above the data with its Monte Carlo error; inside_50 and inside_90, the shares of the observations inside their intervals; draws; left_out" },
  },
  network = {
    { "train", "what", "trains on images with labels, or to reconstruct its inputs; returns the loss of the last epoch" },
    { "classify", "what", "a list with the number of images assigned to each class; with labels also the share of correct assignments" },
    { "reconstruct", "what", "similarity of the network's outputs to the input images (which may be corrupted): mse, psnr, ssim, lift" },
    { "text", "digits", "the whole network as text, for cs.network { file = ... }" },
    { "units", "", "list of the numbers of inputs, hidden units and outputs" },
  },
  -- `draw`, the argument of propose: the only source of randomness of a kernel written in Lua.
  numbers = {
    { "uniform", "purpose", "a uniform random number in (0, 1). The purposes \"proposal\" and \"site\" give the numbers that the kernels written in C use for these purposes" },
    { "normal", "", "a standard normal number" },
    { "below", "n", "a uniform random integer from 1 to n" },
    { "exponential", "", "a standard exponential number" },
    { "poisson", "mean", "a Poisson number" },
    { "single_normal", "", "a standard normal number in single precision, as used by the random walks written in C; a step can draw normals of one precision only" },
    { "row", "", "for a kernel with rows = \"range\" or \"change\": returns a row, drawn with probability proportional to its bound, and a uniform number for the decision to use this row" },
    { "simulate", "x", "for a model with an unknown factor: an exact draw of data given x, a list" },
    { "sweep", "x, data, times", "the data after the given number of sweeps, a list; a sweep leaves the distribution of the data given x invariant" },
  },
  -- `target`, an argument of the functions of a kernel. Each call of its
  -- methods counts as work of the kernel.
  asked = {
    { "log_density", "x", "log p at the state x, in nats" },
    { "gradient", "x", "gradient of log p at x, a list; and log p" },
    { "log_prior", "x", "the part of log p that is known exactly; not counted as work. For a sum over rows it is the log prior; for a model with an unknown factor, log prior plus log f of the observed data; for other targets, 0" },
    { "prior_gradient", "x", "gradient of the log prior at x, a list" },
    { "term", "x, row", "the term of one row, counted from 1; counts as one data term" },
    { "terms", "x, rows", "the terms of the given rows, a list" },
    { "slope", "x, rows, weights", "gradient of the weighted sum of the terms of the given rows, a list" },
    { "rows", "", "number of rows" },
    { "bound", "row", "the width M of a row's bound, and its low end. For rows = \"range\": low <= term <= low + M; for \"change\": |term(x) - term(y)| <= M distance(x, y). Without a row: the sum of all widths" },
    { "distance", "x, y", "the distance in the bounds of rows = \"change\"" },
    { "log_factor", "x, data", "log f(x, data) of a model with an unknown factor" },
    { "observed", "", "the observed data, a list" },
  },
  chain = {
    { "info", "", "the parts of the last step: proposal, log_density, log_density_proposed, log_density_change, log_q_forward, log_q_back, log_ratio, log_uniform, verdict, auxiliary variables ..." },
    { "state", "", "the state: a list of the coordinates in which chains move, with parameters by name and the field log_density" },
    { "logp", "", "log p of the state under the target, in nats: the kernel's value if it is exact; otherwise log p is evaluated, which does not count as work of the arm" },
    { "shown", "", "the recorded values of the state, a list in the order of run.coordinates, also by name" },
    { "set_state", "x", "moves the chain to x: coordinates, or parameters by name" },
    { "tally", "", "steps, accepted, moved, divergent, not_finite, rolling (recent acceptance), and for trajectories ebfmi (after 100 of them)" },
    { "draws", "", "the stored draws: rows in the order of run.coordinates, followed by the kernel's auxiliary variables, also by name. Each row has log_density, and log_weight if draws are weighted. Also returns the number of steps between draws" },
    { "resample", "n, seed", "n equally weighted draws from the stored draws: a draw of weight w is repeated floor or ceil of n w / sum w times. By default n is the effective sample size of the weights, and the seed is the run's" },
    { "held_out", "first, last", "scores of the mean prediction on the held-out rows: rmse or accuracy, and log_score. The mean is a weighted mean over the stored draws from first to last, by default over all draws; nil if the target makes no predictions" },
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

-- Returns the help on functions, from rows of name, arguments, help text.
local function of_functions(word, rows)
  local lines = { word .. (word == "cs" and ": parameters, for cs.target { params = ... }" or
    ": functions of numbers, vectors, matrices and states") }
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

-- Returns the help on a name in cs: its call, its text, an example.
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

-- Tables that scripts write, each with the function or field that accepts the table.
m.tables = {
  { "scenario", "cs.scenario and cs.open" }, { "target", "cs.target" }, { "term", "cs.target, for a sum over rows" },
  { "kernel", "cs.kernel" }, { "auxiliary", "cs.kernel, for algorithm 1 of Yuan and Wang 2026" }, { "mapped", "cs.kernel, for a deterministic map, as in HMC" }, { "model", "cs.target, for data with an unknown factor" }, { "stan", "cs.target, for a compiled Stan model" }, { "process", "cs.target, for a model in its own process" }, { "arm", "an arm" }, { "learn", "learn, in an arm" }, { "images", "data and test, in learn" }, { "judge", "judge, in learn" }, { "budget", "budget" }, { "full", "full" }, { "claim", "a claim" }, { "stop", "stop, and run:stop_when" },
  { "exercise", "exercise" }, { "exercise_judge", "judge, in exercise" }, { "exercise_claim", "a claim in judge, of an exercise" }, { "exercise_answer", "an answer in judge, of an exercise" }, { "exercise_hidden", "the file of a hidden judge, of an exercise" }, { "faulty", "cs.faulty.NAME" },
  { "sbc", "sbc" }, { "sweep", "cs.sweep, in addition to those of cs.open" }, { "kfold", "cs.kfold" },
  { "probe", "a probe in probes" }, { "panel", "a panel in screen" }, { "predictive", "predictive" }, { "own_panel", "cs.panel" },
  { "stage", "a stage in stages" }, { "course_step", "a step of course" }, { "course_choice", "an answer in choose" }, { "course_truth", "truth, in a step of course" }, { "course_point", "point, in a step of course" }, { "game", "game" }, { "picture", "picture" }, { "region", "region" }, { "sparse", "cs.sparse" },
  { "theory", "cs.theory" },
}
-- Objects that are passed to scripts: methods, fields or both.
m.objects = { "theory", "run", "arm", "chain", "target", "network", "numbers", "asked", "state", "draw", "info" }

local function families()
  return { kernel = core.kernels(), target = core.targets(), schedule = core.schedules(),
           tuner = core.tuners(), optimiser = core.optimisers(), probe = core.probes(), theory = m.theories }
end

-- Calls add(name, f) for every field and method. If several tables have a field or method of
-- this name, there is one call for each table.
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

-- Returns the name of a value, as for cs.help(cs.target).
local function name_of(what)
  for name, value in next, cs do
    if rawequal(value, what) then return name end
  end
  return core.kind(what)
end

-- cs.help "mala", cs.help "scenario", cs.help(cs.target) and cs.help() return a string.
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

-- Writes a table in Markdown, from rows of cells.
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
  if type.composed then fields[1] = "cs.kernel.nuts { on = \"mu\" }, cs.kernel.gibbs { on = \"z\", times = 2 }" end
  if type.auto then fields[1] = "z = cs.kernel.gibbs {}, fixed = { \"k\" }" end
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
  out "## Names in `cs`\n"
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

-- Returns the whole reference, as Markdown or as annotations for editors.
cs.reference = core.located(function(form)
  m.read_all()
  if form == "annotations" then return m.words.annotations() end
  if form ~= nil then
    m.fail(("unknown form of reference: %q"):format(tostring(form)), 'leave it out (Markdown), or give "annotations"')
  end
  local lines = {}
  local function out(text) lines[#lines + 1] = text end
  out(("# Reference of the Lua of Chainscope %s\n"):format(cs.version))
  out "Generated from the rows that check scripts. A script starts with `local cs = require \"chainscope\"`.\n"
  words_part(out)
  out "## Tables\n"
  for _, of in ipairs(m.tables) do
    out(("### Fields of %s\n"):format(of[2]))
    fields_grid(out, m.rows[of[1]])
  end
  objects_part(out)
  out "## Figures\n\nFigures of an arm: `arm:figure(name, of)`, and `stat` in claims.\n"
  local list = {}
  for _, name in ipairs(m.sorted_keys(m.figures)) do list[#list + 1] = { "`" .. name .. "`", m.figures[name].help } end
  grid(out, { "figure", "meaning" }, list)
  for _, word in ipairs { "kernel", "target", "schedule", "tuner", "optimiser", "theory", "probe" } do
    types_part(out, word, families()[word])
  end
  functions_part(out)
  out("## Panels\n\n`" .. table.concat(core.panels, "`, `") .. "`: `chainscope manual` explains each.\n")
  return table.concat(lines, "\n")
end)
