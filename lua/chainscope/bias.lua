-- Estimates the bias of the draws of a kernel without an accept step. To first order, the bias is
-- proportional to the step. Therefore draws at half the step have half the bias, and the difference
-- of the two runs estimates the other half (Richardson extrapolation). For Langevin steps, see
-- Talay and Tubaro, "Expansion of the global error for numerical schemes solving stochastic
-- differential equations", 1990. Both runs use the same random numbers, but errors are computed as
-- if the runs were independent. Therefore the errors tend to be too large, not too small.
local m = ...
local core = m.core
local sqrt, log, abs, max, floor, huge = math.sqrt, math.log, math.abs, math.max, math.floor, math.huge

-- batches: number of batches per chain. least_draws: minimum number of draws per batch. tells: a
-- bias smaller than this number of standard deviations is reported as absent. false_alarms: if
-- no coordinate has a bias, the probability that a bias is reported for any coordinate.
local batches, least_draws, tells, false_alarms = 8, 32, 0.5, 0.002

-- ---- moments with their errors -------------------------------------------------

-- Returns the weights of a chain's draws. They are scaled so that their sum is 1, because log
-- weights contain an unknown constant per chain.
local function weights_of(rows)
  local top, sum, w = -huge, 0, {}
  for _, row in ipairs(rows) do top = max(top, row.log_weight or 0) end
  for i, row in ipairs(rows) do
    w[i] = math.exp((row.log_weight or 0) - top)
    sum = sum + w[i]
  end
  for i = 1, #w do w[i] = w[i] / sum end
  return w
end

-- Adds to `sums` the sums of w, w x and w x^2 over rows from .. to, where x is relative to
-- `middle`.
local function add(sums, rows, w, from, to, at, middle)
  for i = from, to do
    local x = rows[i][at] - middle
    sums[1], sums[2], sums[3] = sums[1] + w[i], sums[2] + w[i] * x, sums[3] + w[i] * x * x
  end
end

local function moments(s)
  local mean = s[2] / s[1]
  return mean, log(max(s[3] / s[1] - mean * mean, 0)) / 2
end

-- Returns the mean of a column, the logarithm of its standard deviation, and the jackknife errors
-- of both over batches.
local function estimate(chains, weights, at)
  local parts, all, middle = {}, { 0, 0, 0 }, chains[1][1][at]
  for c, rows in ipairs(chains) do
    local size = #rows / batches
    for b = 1, batches do
      local sums = { 0, 0, 0 }
      add(sums, rows, weights[c], floor((b - 1) * size) + 1, floor(b * size), at, middle)
      parts[#parts + 1] = sums
      for k = 1, 3 do all[k] = all[k] + sums[k] end
    end
  end
  local mean, sd = moments(all)
  local n, of_mean, of_sd = #parts, 0, 0
  for _, part in ipairs(parts) do
    local a, b = moments { all[1] - part[1], all[2] - part[2], all[3] - part[3] }
    of_mean, of_sd = of_mean + (a - mean) ^ 2, of_sd + (b - sd) ^ 2
  end
  local share = (n - 1) / n
  return { mean = mean + middle, sd = sd, mean_error = sqrt(share * of_mean), sd_error = sqrt(share * of_sd) }
end

-- ---- the run at half the step ----------------------------------------------------

local function step_name(arm)
  for _, name in ipairs { "step", "rate" } do
    local plan = arm:plan()[name]
    if type(plan) == "number" then return name, plan end
    if plan ~= nil then return nil, ("its %s follows a schedule"):format(name) end
  end
  return nil, "it has no step to halve"
end

-- Returns the entry of an arm in the table `arms` of a scenario. In the order
-- of arms, list entries precede named entries.
local function entry_of(arms, arm)
  for _, one in next, arms do
    if type(one) == "table" and rawget(one, "name") == arm.name then return one end
  end
  return arm.index <= #arms and arms[arm.index] or arms[arm.name]
end

-- Opens the scenario with only this arm, at the given step and without its events.
local function half_run(run, arm, name, value)
  local memory = core.run_memory(run)
  local of, t = memory.described, {}
  for key in next, m.rows.run do t[key] = of[key] end
  t.title, t.full = of.title, of.full
  t.arms = { [arm.name] = entry_of(m.arms_of(of), arm) }
  local sets = {}
  for _, set in ipairs(memory.sets) do
    if not set:find "%." or set:find(arm.name .. ".", 1, true) == 1 then sets[#sets + 1] = set end
  end
  sets[#sets + 1] = ("%s.%s=%.17g"):format(arm.name, name, value)
  return m.open("open", t, sets)
end

local function draws_of(arm)
  local chains = {}
  for i, chain in ipairs(arm.chains) do chains[i] = chain:draws() end
  return chains
end

-- Returns the reason why an arm has too few draws for a comparison, or nil. The error can be
-- estimated only if batches are long compared with the autocorrelation time. Therefore each
-- batch must have at least five effective draws.
local function too_few(arm, chains)
  for i, rows in ipairs(chains) do
    if #rows < batches * least_draws then
      return ("chain %d has %d draws, but %d are needed"):format(i, #rows, batches * least_draws)
    end
  end
  local ess, wanted = arm:figure "ess", 5 * batches * #chains
  if ess and ess < wanted then
    return ("a quantity has %.0f effective draws, but %d are needed"):format(ess, wanted)
  end
end

-- Returns the coordinate for which the bias of `what` (mean or sd) is largest in units of its
-- error. Also returns an upper bound on the bias of all coordinates, which is the largest sum
-- of an estimate and two errors.
local function worst(names, full, half, what)
  local found, most = nil, 0
  for i, name in ipairs(names) do
    local a, b = full[i], half[i]
    local unit = what == "mean" and math.exp(b.sd) or 1
    local off = 2 * (a[what] - b[what]) / unit
    local error = 2 * sqrt(a[what .. "_error"] ^ 2 + b[what .. "_error"] ^ 2) / unit
    if error > 0 then
      most = max(most, abs(off) + 2 * error)
      if not found or abs(off) / error > abs(found.bias) / found.error then
        found = { name = name, bias = off, error = error }
      end
    end
  end
  if found then found.most = most end
  return found
end

-- True if the arm's parameters were changed during the run. If they were changed, the run cannot
-- be repeated at half the step.
local function was_changed(run, arm)
  for line in run:journal():gmatch "[^\n]+" do
    if line:find(("^%%d+ %d "):format(arm.index)) then return true end
  end
  return false
end

local function bias_of(run, arm)
  local row = { arm = arm.name, kernel = arm.kernel }
  local name, value = step_name(arm)
  if not name then row.why = value return row end
  row.param, row.half = name, value / 2
  if was_changed(run, arm) then row.why = "its parameters were changed during the run" return row end
  local chains = draws_of(arm)
  row.why = too_few(arm, chains)
  if row.why then return row end
  local other = half_run(run, arm, name, value / 2)
  other:step(run.steps)
  local halves = draws_of(other:arm(arm.name))
  row.why = too_few(other:arm(arm.name), halves)
  if row.why then return row end
  local full, half, of_full, of_half = {}, {}, {}, {}
  for c = 1, #chains do of_full[c], of_half[c] = weights_of(chains[c]), weights_of(halves[c]) end
  for i = 1, #run.coordinates do
    full[i], half[i] = estimate(chains, of_full, i), estimate(halves, of_half, i)
  end
  row.sure = core.t_quantile(1 - false_alarms / (4 * #run.coordinates), #chains * batches - 1)
  row.mean, row.sd = worst(run.coordinates, full, half, "mean"), worst(run.coordinates, full, half, "sd")
  return row
end

-- ---- reports to scripts and `run --bias` -------------------------------------------

local function in_words(figure, sure, scale, unit, of)
  if abs(figure.bias) > sure * figure.error then
    return ("%+.2g +- %.1g%s in the %s of %s"):format(scale * figure.bias, scale * figure.error, unit, of, figure.name)
  end
  if figure.most > tells then return ("too few draws to decide for every %s"):format(of) end
  return ("no bias found in any %s, at most %.2g%s"):format(of, scale * figure.most, unit)
end

local function line_of(row)
  local head = ("bias of %s (%s)"):format(row.arm, row.kernel)
  if row.why or not row.mean or not row.sd then
    return ("%s: not estimated: %s"):format(head, row.why or "its draws are all equal")
  end
  return ("%s, from an equally long run at half its %s (%.4g): %s; %s"):format(head, row.param, row.half,
    in_words(row.mean, row.sure, 1, " sd", "mean"), in_words(row.sd, row.sure, 100, " %", "sd"))
end

local Rows = { __metatable = "list", __tostring = function(rows)
  local lines = {}
  for i, row in ipairs(rows) do lines[i] = line_of(row) end
  return #lines > 0 and table.concat(lines, "\n") or "no arm has a kernel without an accept step"
end }

-- Returns one row for each arm whose kernel has no accept step. Each such arm needs a second run of
-- equal length.
function m.bias(run)
  local rows = setmetatable({}, Rows)
  if not core.run_memory(run).described then
    m.fail("a run that was read from files has no kernel whose step could be halved")
  end
  for _, arm in ipairs(run.arms) do
    if arm.biased_by_step then rows[#rows + 1] = bias_of(run, arm) end
  end
  return rows
end
