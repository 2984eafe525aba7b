-- Comparison of models by leave-one-out cross-validation: arm:loo("log_lik") and cs.compare { ... }.
-- The log likelihood of each observation is a generated quantity,
-- log_lik = cs.lpdf.each.normal(y, mu, sigma).
local m = ...
local core, cs = m.core, m.cs
local sqrt, huge = math.sqrt, math.huge

-- Above this Pareto shape, the importance weights of an observation are unreliable.
local most_k = 0.7

local function sum(list)
  local total = 0
  for _, x in ipairs(list) do total = total + x end
  return total
end

-- Returns the standard error of the sum of a list of independent terms.
local function error_of_sum(list)
  local mean, square = sum(list) / #list, 0
  for _, x in ipairs(list) do square = square + (x - mean) ^ 2 end
  return #list > 1 and sqrt(#list * square / (#list - 1)) or 0 / 0
end

local Loo = {}
Loo.__index = Loo
Loo.__metatable = "loo"
Loo.__tostring = function(loo)
  local bad, worst = 0, -huge
  for _, k in ipairs(loo.k) do
    if not (k <= most_k) then bad = bad + 1 end
    worst = math.max(worst, k)
  end
  local text = ("elpd_loo %.1f +- %.1f, p_loo %.1f, looic %.1f +- %.1f; waic %.1f, p_waic %.1f; %d observations, "):format(
    loo.elpd, loo.error, loo.p, -2 * loo.elpd, 2 * loo.error, -2 * loo.waic, loo.p_waic, #loo.k)
  return text .. (bad == 0 and ("all Pareto k at most %.2f"):format(worst) or
    ("%d Pareto k above %.1f, the largest %.2f: the densities of these observations are unreliable"):format(bad, most_k, worst))
end

-- Returns the results for an arm. The lists have an element per observation.
function m.loo(arm, name)
  if type(name) ~= "string" then m.fail("arm:loo takes the name of a generated quantity", 'arm:loo "log_lik"') end
  local out = setmetatable({ pointwise = {}, k = {}, lpd = {}, waic_pointwise = {}, mcse = {} }, Loo)
  local places, at_once = m.quantity_places(arm.run.coordinates, name), 64 -- neighbouring coordinates
  for first = 1, #places, at_once do
    local n = math.min(at_once, #places - first + 1)
    local values = core.run_loo(arm.run, arm.index, places[first], n)
    for k = 0, n - 1 do
      local i = first + k
      out.pointwise[i], out.k[i], out.lpd[i], out.waic_pointwise[i], out.mcse[i] = table.unpack(values, 5 * k + 1, 5 * k + 5)
    end
  end
  out.elpd, out.error = sum(out.pointwise), error_of_sum(out.pointwise)
  out.p = sum(out.lpd) - out.elpd
  out.waic, out.waic_error = sum(out.waic_pointwise), error_of_sum(out.waic_pointwise)
  out.p_waic = sum(out.lpd) - out.waic
  return out
end

local Comparison = { __metatable = "comparison" }
Comparison.__tostring = function(list)
  local lines = { ("%-14s %10s %8s %8s %8s"):format("model", "elpd_diff", "error", "elpd", "weight") }
  for _, row in ipairs(list) do
    lines[#lines + 1] = ("%-14s %10.1f %8.1f %8.1f %8.3f"):format(row.name, row.difference, row.error, row.elpd, row.weight)
  end
  return table.concat(lines, "\n")
end

-- Compares results of arm:loo by name. Returns rows, the best model first, with the difference of
-- elpd from the best model, the standard error of this difference over the observations, and the
-- weight of the model in a mixture of the predictions (stacking).
cs.compare = core.located(function(models)
  if type(models) ~= "table" or next(models) == nil then
    m.fail("cs.compare takes a table of results of arm:loo", "cs.compare { normal = one, student = two }")
  end
  local names, lists = m.sorted_keys(models), {}
  for i, name in ipairs(names) do
    if getmetatable(models[name]) ~= "loo" then m.fail("cs.compare: " .. name .. " is not a result of arm:loo") end
    lists[i] = models[name].pointwise
    if #lists[i] ~= #lists[1] then
      m.fail(("cs.compare: %s has %d observations and %s has %d"):format(names[1], #lists[1], name, #lists[i]), "compare models of the same data")
    end
  end
  local weights, out = core.stacking(lists), setmetatable({}, Comparison)
  for i, name in ipairs(names) do
    out[i] = { name = name, elpd = models[name].elpd, weight = weights[i], list = lists[i] }
  end
  table.sort(out, function(a, b) return a.elpd > b.elpd or a.elpd == b.elpd and a.name < b.name end)
  local best = out[1].list
  for _, row in ipairs(out) do
    local off = {}
    for i, x in ipairs(row.list) do off[i] = x - best[i] end
    row.difference, row.error, row.list = sum(off), row == out[1] and 0 or error_of_sum(off), nil
  end
  return out
end)
