-- Exact cross-validation: a model runs once per fold, without the rows of the fold, and the log
-- predictive densities of these rows are added up. cs.kfold { ... } runs the folds one after
-- another; `chainscope kfold` runs them as jobs, each opened with the set fold=K/N.
local m = ...
local core, cs, rows = m.core, m.cs, m.rows

rows.kfold = {
  rows = { "number", "the number of rows of the data", min = 2, whole = true, required = "rows = #y" },
  folds = { "number table", "the number of folds, which get random rows, 10 by default; the number of rows for leave-one-out; or a list with the number of the fold of each row, for groups of rows that are left out together" },
  seed = { "number", "the seed of the random division into folds, 1 by default", min = 0, whole = true },
  model = { "function", "function(train, test): returns the fields of cs.open for a model of the rows `train`, with a budget and a generated quantity that has the log likelihood of each row of `test`. Both are lists of row numbers in ascending order",
    required = "model = function(train, test) return { target = ..., arms = ..., budget = { steps = 2000 } } end" },
  log_lik = { "string", "the name of this quantity, log_lik by default" },
  arm = { "string", "the arm whose draws are used; by default the only arm" },
}

-- The field `kfold` of a scenario.
rows.folds = {}
for name, row in next, rows.kfold do rows.folds[name] = row end
rows.folds.model = { "function", "function(train, test): returns fields that replace those of the scenario, for a model of the rows `train`, with a generated quantity that has the log likelihood of each row of `test`",
  required = "model = function(train, test) return { target = ... } end" }

-- Returns the fold of each row: a random permutation of 1, 2, .., folds, 1, 2, ...
-- The generator is that of Lehmer, w = 48271 w mod (2^31 - 1).
local function divide(n, folds, seed)
  local list, word = {}, seed % 2147483646 + 1
  for i = 1, n do list[i] = (i - 1) % folds + 1 end
  for i = n, 2, -1 do
    word = word * 48271 % 2147483647
    local j = word % i + 1
    list[i], list[j] = list[j], list[i]
  end
  return list
end

-- Checks a list of folds. Returns the number of folds.
local function check_list(list, n)
  local most, seen = 0, {}
  if #list ~= n then m.fail(("folds has %d elements, but there are %d rows"):format(#list, n)) end
  for i, k in ipairs(list) do
    if math.type(k) ~= "integer" or k < 1 or k > n then
      m.fail(("folds: element %d is %s; it must be a number between 1 and %d"):format(i, tostring(k), n))
    end
    most, seen[k] = math.max(most, k), true
  end
  for k = 1, most do
    if not seen[k] then m.fail(("folds: no row is in fold %d"):format(k), "number the folds 1, 2, 3 ...") end
  end
  if most < 2 then m.fail "folds: all rows are in one fold" end
  return most
end

local function folds_of(t)
  local n, folds = t.rows, t.folds or math.min(10, t.rows)
  if type(folds) == "table" then return folds, check_list(folds, n) end
  if math.type(folds) ~= "integer" or folds < 2 or folds > n then
    m.fail(("folds is %s; it must be between 2 and the number of rows, %d"):format(folds, n))
  end
  return divide(n, folds, t.seed or 1), folds
end

local function split(list, k)
  local train, test = {}, {}
  for i, fold in ipairs(list) do table.insert(fold == k and test or train, i) end
  return train, test
end

-- Returns the arm of a run that was asked for.
local function arm_of(run, name)
  if name then return run:arm(name) end
  if #run.arms > 1 then m.fail("cs.kfold: the model has several arms", "arm = \"" .. run.arms[1].name .. "\"") end
  return run:arm(1)
end

-- Returns the fields of the model without fold k, and the rows of this fold.
local function model_of(t, list, k)
  local train, test = split(list, k)
  local fields = t.model(train, test)
  if type(fields) ~= "table" then m.fail(("cs.kfold: model returned a %s for fold %d"):format(type(fields), k), "return the fields of cs.open") end
  return fields, test
end

-- Returns the results of the rows in fold k, `test`, from a run without them: a list of { row =,
-- lpd =, mcse = }.
local function results_of(run, t, k, test)
  local found = m.loo(arm_of(run, t.arm), t.log_lik, true)
  if #found.lpd ~= #test then
    m.fail(("cs.kfold: %s has %d elements, but fold %d has %d rows"):format(t.log_lik or "log_lik", #found.lpd, k, #test),
           "generated returns the log likelihood of the rows `test`")
  end
  local list = {}
  for i, row in ipairs(test) do list[i] = { row = row, lpd = found.lpd[i], mcse = found.lpd_mcse[i] } end
  return list
end

-- Runs the model without fold k. Sets the results of the rows in this fold.
local function run_fold(t, list, k, out)
  local fields, test = model_of(t, list, k)
  local own = { title = "" }
  for key, value in next, fields do own[key] = value end
  local run = m.open("a fold", own, {})
  m.run_to_end(run, "the model of cs.kfold")
  for _, one in ipairs(results_of(run, t, k, test)) do
    out.pointwise[one.row], out.mcse[one.row], out.fold[one.row] = one.lpd, one.mcse, k
  end
end

-- ---- folds as jobs -----------------------------------------------------------

function m.check_folds(t) m.check("kfold", t, rows.folds) end

-- Returns the rows of the field `data` of a target, a table of columns or a list of rows, or the
-- name of a file of columns: their number, and a function that returns some of them.
local function rows_of(data)
  if type(data) == "string" then data = cs.read_table(data) end
  local by_row = #data > 0
  local _, column = next(data)
  return by_row and #data or #column, function(list)
    local out = {}
    for i, row in ipairs(by_row and list or {}) do out[i] = data[row] end
    for name, all in next, by_row and {} or data do
      out[name] = {}
      for i, row in ipairs(list) do out[name][i] = all[row] end
    end
    return out
  end
end

-- Returns the field `kfold` of a target whose terms are the log likelihood: its rows are divided.
local function by_terms(target)
  local made = m.is_made(target) and m.parameters_of(target)
  local fields = made and made.fields
  if not fields or not fields.log_lik then
    m.fail("the scenario has no rows to leave out",
           "give it kfold = { rows = n, model = function(train, test) return { target = ... } end }, or the target log_lik = \"terms\"")
  end
  local n, some = rows_of(fields.data)
  return { rows = n, model = function(train, test)
    local own = {}
    for name, value in next, fields do own[name] = value end
    own.data, own.log_lik = some(train), some(test)
    return { target = cs.target(own) }
  end }
end

-- Returns the scenario without the rows of a fold, "3/10" or "3/", and a description of the fold.
function m.folded(what, t, text)
  m.check(what, t, m.rows.scenario)
  local k, folds = text:match "^(%d+)/(%d*)$"
  local asked = {}
  for name, value in next, t.kfold or by_terms(t.target) do asked[name] = value end
  asked.folds, k = math.tointeger(folds) or asked.folds, math.tointeger(k)
  m.check_folds(asked)
  local list, count = folds_of(asked)
  if not k or k < 1 or k > count then m.fail(("fold %s is not one of %d"):format(text, count)) end
  local fields, test = model_of(asked, list, k)
  local copy = {}
  for name, value in next, t do copy[name] = value end
  for name, value in next, fields do copy[name] = value end
  copy.claims, copy.screen, copy.panels, copy.setting, copy.predictive, copy.full = nil, nil, nil, nil, nil, nil
  return copy, { rows = asked.rows, folds = count, k = k, test = test, of = asked }
end

-- Returns the results of the rows that a run leaves out.
function m.fold_lines(run)
  local one = core.run_memory(run).fold or m.fail "no fold of this run is left out"
  return results_of(run, one.of, one.k, one.test)
end

-- ---- cs.kfold ----------------------------------------------------------------

-- Results can be compared with those of arm:loo.
local Kfold = { __metatable = "loo" }
Kfold.__index = Kfold
Kfold.__tostring = function(r)
  return ("elpd_kfold %.1f +- %.1f, Monte Carlo error %.2g; %d folds, %d observations"):format(
    r.elpd, r.error, r.elpd_mcse, r.folds, #r.pointwise)
end

cs.kfold = core.located(function(t, ...)
  if type(t) ~= "table" or select("#", ...) > 0 then
    m.fail("cs.kfold takes one table", "cs.kfold { rows = #y, folds = 10, model = function(train, test) ... end }")
  end
  m.check("cs.kfold", t, rows.kfold)
  local list, folds = folds_of(t)
  local out = setmetatable({ pointwise = {}, mcse = {}, fold = {}, folds = folds, elpd = 0, elpd_mcse = 0 }, Kfold)
  for k = 1, folds do run_fold(t, list, k, out) end
  local square, n = 0, t.rows
  for i = 1, n do out.elpd, out.elpd_mcse = out.elpd + out.pointwise[i], out.elpd_mcse + out.mcse[i] ^ 2 end
  for i = 1, n do square = square + (out.pointwise[i] - out.elpd / n) ^ 2 end
  out.error, out.elpd_mcse = math.sqrt(n * square / (n - 1)), math.sqrt(out.elpd_mcse)
  return out
end)
