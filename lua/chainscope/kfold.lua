-- Exact cross-validation: cs.kfold { ... } runs a model once per fold, without the rows of the
-- fold, and adds up the log predictive densities of these rows.
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

-- Runs the model without fold k. Sets the results of the rows in this fold.
local function run_fold(t, list, k, out)
  local train, test = split(list, k)
  local fields = t.model(train, test)
  if type(fields) ~= "table" then m.fail(("cs.kfold: model returned a %s for fold %d"):format(type(fields), k), "return the fields of cs.open") end
  local own = { title = "" }
  for key, value in next, fields do own[key] = value end
  local run = m.open("a fold", own, {})
  m.run_to_end(run, "the model of cs.kfold")
  local found = m.loo(arm_of(run, t.arm), t.log_lik)
  if #found.lpd ~= #test then
    m.fail(("cs.kfold: %s has %d elements, but fold %d has %d rows"):format(t.log_lik or "log_lik", #found.lpd, k, #test),
           "generated returns the log likelihood of the rows `test`")
  end
  for i, row in ipairs(test) do
    out.pointwise[row], out.mcse[row], out.fold[row] = found.lpd[i], found.lpd_mcse[i], k
  end
end

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
