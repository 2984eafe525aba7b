-- Standard errors of figures. Chains are independent, so the spread of a figure over samples of the
-- chains gives the error of the figure.
local m = ...
local core = m.core
local abs, sqrt = math.abs, math.sqrt
local nan = 0 / 0

-- Probability with which the one-sided confidence bound of a verdict is correct.
local sure = 0.975

-- Maximum number of groups into which the chains of an arm are divided. More groups would cost time
-- without a gain in precision.
local most_groups = 32
-- Number of resamples. With 100 resamples, the relative error of a bootstrap
-- standard error is 1/14.
local resamples = 100
-- Minimum number n of equal values for which the error is treated as known. If half of the
-- population had another value, n equal values would be observed with probability 2^-(n-1). This
-- number is used for a median, a quartile or a count of distinct values.
local enough_alike = 6

local function mean_of(list)
  local sum = 0
  for _, x in ipairs(list) do sum = sum + x end
  return sum / #list
end

local function squares(list)
  local mean, sum = mean_of(list), 0
  for _, x in ipairs(list) do sum = sum + (x - mean) ^ 2 end
  return sum
end

m.mean_of = mean_of

-- Returns a generator of random integers from 1 to n with a fixed sequence, so that verdicts are
-- reproducible.
local function dice(seed)
  return function(n)
    seed = seed * 6364136223846793005 + 1442695040888963407
    return (seed >> 33) % n + 1
  end
end

-- ---- samples ---------------------------------------------------------------

-- Returns three kinds of samples of an arm: all chains; all chains except one group, for each
-- group; and bootstrap resamples of the groups. The second and third kinds are computed on
-- first use.
function m.sights(arm)
  local units = #arm.chains // arm.group -- chains of a group are coupled, so each group is left out as a whole
  local groups = math.min(units, most_groups)
  local list = { run = arm.run, arm = arm, whole = m.seen(arm, groups), units = units, groups = groups }
  local made = {}
  function list.without()
    made.without = made.without or {}
    for g = #made.without + 1, groups > 1 and groups or 0 do
      local sample = {}
      for k = 1, groups do if k ~= g then sample[#sample + 1] = k end end
      made.without[g] = core.facts_of_sample(list.whole, groups, sample, g)
    end
    return made.without
  end
  function list.again()
    made.again = made.again or {}
    local draw = dice(groups)
    for i = #made.again + 1, groups > 1 and resamples or 0 do
      local sample = {}
      for k = 1, groups do sample[k] = draw(groups) end
      made.again[i] = core.facts_of_sample(list.whole, groups, sample)
    end
    return made.again
  end
  return list
end

-- Figures whose error is 0 if all draws of the quantity are equal.
local points = { mean = true, sd = true, median = true, quantile = true, interval = true, probability = true, mad = true,
                 mcse_median = true, mcse_mad = true }

local function same(list, x)
  for _, one in ipairs(list) do
    if one ~= x then return false end
  end
  return true
end

-- Returns the figure for all chains of the arm and for each sample. If a figure is the
-- worst over coordinates, all samples use the coordinate that is worst for all chains.
function m.look(seen, row, of)
  of = m.resolve(row, seen.run, of, seen.whole)
  local whole, at = core.figure(seen.whole, row.name, of)
  local out = { whole = whole }
  if row.timed or row.counted or whole ~= whole then return out end
  for i, sample in ipairs(row.resampled and seen.again() or seen.without()) do
    out[i] = core.figure(sample, row.name, of, at)
  end
  local k = type(of) == "table" and of.k or of
  if points[row.name] and (#out == 0 or same(out, whole)) then out.constant = m.is_constant(seen.whole, k) end
  return out
end

-- ---- errors ----------------------------------------------------------------

-- Returns the error of a figure that has the same value in all n samples. If all n values are at
-- the end of a range, their mean may still be inaccurate: if a share p of all possible values
-- differs, n equal values are observed with probability (1 - p)^n. (The "rule of three": p is about
-- 3 / n.)
local function no_spread(row, x, n, what)
  if row.resampled and n >= enough_alike then
    return 0, n - 1, ("all %d %s alike"):format(n, what)
  elseif row.range and n > 1 and not row.resampled then
    local far = math.max(x - row.range[1], row.range[2] - x)
    local margin = (1 - (1 - sure) ^ (1 / n)) * far
    return margin / core.t_quantile(sure, n - 1), n - 1,
           ("rule of three: %d %s alike"):format(n, what)
  end
  return nan, 0, ("%d %s alike: no error known"):format(n, what)
end

local function is_rounding(err, x) return err < 1e-12 * abs(x) end

-- Returns the standard error of a result of m.look, its degrees of freedom, and the method.
function m.error_of(seen, row, found)
  local n, what = seen.groups, "chains"
  if row.timed then return nan, 0, "one run: no error known" end
  if row.counted then return 0, 0, "counted" end
  if found.constant then return 0, math.max(n - 1, 1), "all draws are equal" end
  if n < 2 then return nan, 0, "one chain: no error known" end
  -- Its bias may be many times the spread over chains.
  local vague = row.name == "ess_multivariate" and core.figure_vague(seen.whole, row.name)
  if vague then return nan, 0, ("it %s: no error known"):format(vague) end
  local scale = row.resampled and n / (n - 1) / #found or (n - 1) / n
  local err = sqrt(scale * squares(found))
  if err ~= err then return nan, 0, "not defined without some chains: no error known" end
  if n < seen.units then what = "groups of chains" end
  if err == 0 or is_rounding(err, mean_of(found)) then
    local range, x = row.range, found.whole
    if range and (x == range[1] or x == range[2]) then n, what = seen.units, "chains" end
    return no_spread(row, x, n, what)
  end
  return err, n - 1,
    ("%s of %d %s"):format(row.resampled and "bootstrap" or "jackknife", n, what)
end

-- Returns f(list), the value of a scenario's own measure, and its bootstrap error. `list` has one
-- entry per chain.
function m.bootstrap(list, f)
  local n, draw, found, row = #list, dice(#list), {}, { resampled = true }
  local x = f(list)
  for i = 1, n > 1 and resamples or 0 do
    local again = {}
    for k = 1, n do again[k] = list[draw(n)] end
    found[i] = f(again)
  end
  found.whole = x
  return x, m.error_of({ groups = n, units = n }, row, found)
end

-- Returns the same values as error_of (error, degrees of freedom, method), for
-- the mean of a figure over several runs.
function m.error_of_seeds(row, values)
  local n, mean = #values, mean_of(values)
  local err = sqrt(squares(values) / (n - 1) / n)
  if row.counted and squares(values) == 0 then return 0, 0, "counted" end
  if err == 0 or is_rounding(err, mean) then return no_spread(row, mean, n, "seeds") end
  return err, n - 1, ("spread of %d seeds"):format(n)
end
