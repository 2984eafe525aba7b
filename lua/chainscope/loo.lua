-- Comparison of models by leave-one-out cross-validation: arm:loo("log_lik") and cs.compare { ... }.
-- The log likelihood of each observation is a generated quantity,
-- log_lik = cs.lpdf.each.normal(y, mu, sigma).
local m = ...
local core, cs = m.core, m.cs

local Loo = {}
Loo.__index = Loo
Loo.__metatable = "loo"
Loo.__tostring = function(loo)
  local text = ("elpd_loo %.1f +- %.1f, p_loo %.1f, looic %.1f +- %.1f; waic %.1f, p_waic %.1f; %d observations, "):format(
    loo.elpd, loo.error, loo.p, -2 * loo.elpd, 2 * loo.error, -2 * loo.waic, loo.p_waic, #loo.k)
  if loo.worst ~= loo.worst then return text .. "no Pareto k is defined: all log likelihoods are constant" end
  return text .. (loo.bad == 0 and ("all Pareto k at most %.2f"):format(loo.worst) or
    ("%d Pareto k above %.2g, the largest %.2f: the densities of these observations are unreliable"):format(loo.bad, loo.reliable, loo.worst))
end

-- Returns the results for an arm. The lists have an element per observation. With `left_out`, the
-- model was fitted without the observations, and only lpd and lpd_mcse are used.
function m.loo(arm, name, left_out)
  if name ~= nil and type(name) ~= "string" then
    m.fail("arm:loo takes the name of a generated quantity", 'arm:loo "log_lik"')
  end
  return setmetatable(core.run_loo(arm.run, arm.index, name, left_out), Loo)
end

local Comparison = { __metatable = "comparison" }
Comparison.__tostring = function(list)
  local lines = { ("%-14s %10s %8s %8s %8s"):format("model", "elpd_diff", "error", "elpd", "weight") }
  for _, row in ipairs(list) do
    lines[#lines + 1] = ("%-14s %10.1f %8.1f %8.1f %8.3f"):format(row.name, row.difference, row.error, row.elpd, row.weight)
  end
  return table.concat(lines, "\n")
end

-- Compares results of arm:loo or cs.kfold by name. Returns rows, the best model first, with the
-- difference of elpd from the best model, the standard error of this difference over the
-- observations, and the weight of the model in a mixture of the predictions (stacking).
cs.compare = core.located(function(models)
  if type(models) ~= "table" or next(models) == nil or getmetatable(models) == "loo" then
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
  local out = setmetatable(core.rank_models(lists), Comparison)
  for _, row in ipairs(out) do row.name, row.model = names[row.model], nil end
  return out
end)

local Sensitivity = { __metatable = "sensitivity" }
Sensitivity.__tostring = function(list)
  local lines = { ("%-14s %8s %10s  %s"):format("quantity", "prior", "likelihood", "verdict") }
  for _, row in ipairs(list) do
    lines[#lines + 1] = ("%-14s %8.3f %10.3f  %s"):format(row.quantity, row.prior, row.likelihood, row.verdict)
  end
  return table.concat(lines, "\n")
end

-- Returns the sensitivity of each quantity of an arm to the power of the prior and of the
-- likelihood (Kallioinen et al. 2023).
function m.sensitivity(arm, power, prior, likelihood)
  if power ~= nil and not (type(power) == "number" and power > 1 and power <= 2) then
    m.fail(("arm:sensitivity: the power is %s; it must be above 1 and at most 2"):format(tostring(power)), "for example arm:sensitivity(1.25)")
  end
  return setmetatable(core.run_sensitivity(arm.run, arm.index, power, prior, likelihood), Sensitivity)
end
