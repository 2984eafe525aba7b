-- A perceptron with weights of -1 or 1. The functions here compute the same statistics
-- for weights from focusing belief propagation and for weights from chains, so that the
-- two methods can be compared. A task is { inputs, labels, n, m }: m rows of n numbers -1
-- or 1, and their labels. The module is shared by focusing.lua and focusing_images.lua.
local cs = require "chainscope"
local perceptron = {}

-- Converts a state of bits to weights.
function perceptron.weights(x)
  local w = {}
  for i = 1, #x do w[i] = 2 * x[i] - 1 end
  return w
end
-- Converts magnetisations to weights.
function perceptron.signs(magnetisation)
  local w = {}
  for i, x in ipairs(magnetisation) do w[i] = x < 0 and -1 or 1 end
  return w
end

-- Returns the signed sums of all patterns, and the number of misclassified patterns.
function perceptron.sums(t, w)
  local s, errors = {}, 0
  for k = 1, t.m do
    local row, sum = t.inputs[k], 0
    for i = 1, t.n do sum = sum + row[i] * w[i] end
    s[k] = sum * t.labels[k]
    if s[k] <= 0 then errors = errors + 1 end
  end
  return s, errors
end

-- Returns the energy -U(w), where U is the log density of the chains' target.
function perceptron.energy(t, w, beta)
  local sum = 0
  for _, s in ipairs((perceptron.sums(t, w))) do
    sum = sum + beta * math.log(1 + math.exp(-2 * s / math.sqrt(t.n)))
  end
  return sum
end

-- Returns the mean number of patterns that are misclassified after `flips` weights
-- were flipped. For one flip each weight is tried in turn; for more flips 200 random
-- sets of weights are tried.
function perceptron.lost(t, w, flips)
  local s = perceptron.sums(t, w)
  local at = 12345
  local total, tries = 0, flips == 1 and t.n or 200
  for try = 1, tries do
    local flipped = { [try] = flips == 1 or nil }
    local left = flips == 1 and 0 or flips
    while left > 0 do
      at = (at * 1664525 + 1013904223) % 2^32
      local i = 1 + at * t.n // 2^32
      if not flipped[i] then flipped[i], left = true, left - 1 end
    end
    for k = 1, t.m do
      local sum = s[k]
      for i in next, flipped do sum = sum - 2 * t.labels[k] * t.inputs[k][i] * w[i] end
      if sum <= 0 then total = total + 1 end
    end
  end
  return total / tries
end

-- Returns the mean of a list, its standard error, and the degrees of freedom.
function perceptron.mean(list)
  local n, sum, square = #list, 0, 0
  for _, x in ipairs(list) do sum, square = sum + x, square + x * x end
  local mean = sum / n
  return mean, math.sqrt(math.max(square / n - mean^2, 0) / (n - 1)), n - 1
end

-- Returns a measure, a mean over chains. For each chain it takes the last draw
-- that classifies all patterns correctly, and counts the patterns that are
-- misclassified after `flips` weights of this draw were flipped.
function perceptron.lost_by(t, flips)
  return function(arm)
    local list = {}
    for c = 1, #arm.chains do
      local rows = arm:chain(c):draws()
      for k = #rows, math.max(1, #rows - 40), -1 do
        local w = perceptron.weights(rows[k])
        local _, errors = perceptron.sums(t, w)
        if errors == 0 then
          list[#list + 1] = perceptron.lost(t, w, flips)
          break
        end
      end
    end
    if #list < 3 then return 0 / 0, 0 end
    return perceptron.mean(list)
  end
end

-- Returns a measure: the mean of f(w) over the second half of the draws, of
-- which every tenth is used.
function perceptron.over_draws(f)
  return function(arm)
    local list = {}
    for c = 1, #arm.chains do
      local rows, all, seen = arm:chain(c):draws(), 0, 0
      for k = #rows // 2, #rows, 10 do
        all, seen = all + f(perceptron.weights(rows[k])), seen + 1
      end
      list[c] = all / seen
    end
    return perceptron.mean(list)
  end
end

-- Returns the number of patterns that the current states of an arm's chains misclassify,
-- on average.
function perceptron.missed(t, arm)
  local sum = 0
  for _, chain in ipairs(arm.chains) do
    local _, errors = perceptron.sums(t, perceptron.weights(chain:state()))
    sum = sum + errors / #arm.chains
  end
  return sum
end

-- Returns the target of the chains: U(w) = -beta sum of softplus(-2 s_m / sqrt n), where
-- s_m is the signed sum of pattern m.
function perceptron.target(t, beta)
  local n = t.n
  return cs.target {
    name  = "binary perceptron",
    space = cs.binary(n),
    data  = { x = t.inputs, y = t.labels },
    term  = function(w, row)
      local sum = 0
      for i = 1, n do sum = sum + row.x[i] * (2 * w[i] - 1) end
      return -beta * cs.math.softplus(-2 * row.y * sum / math.sqrt(n))
    end,
  }
end

-- Returns a list of claims, and two functions that add to the list. The first function
-- adds a claim on fBP's result, which is measured by f(). The second function adds a
-- claim on the draws of one of the arms. `data` is the file that the claims need.
function perceptron.claims(data)
  local list = {}
  local function add(arm, stat, measure, bounds)
    local claim = { arm = arm, stat = stat, measure = measure, data = data }
    for key, value in next, bounds do claim[key] = value end
    list[#list + 1] = claim
  end
  local function found(stat, f, bounds)
    add("edmala", stat, function() return f(), 0 end, bounds)
  end
  local function drawn(stat, measure, bounds)
    for _, arm in ipairs { "edmala", "dmala" } do add(arm, stat, measure, bounds) end
  end
  return list, found, drawn
end

-- Returns the panels of both scenarios. They show the results of fBP at each focus, and
-- the results of the chains.
function perceptron.panels(t, found)
  return cs.panel {
    name = "focus", title = "fBP at each focus", head = { "focus", "rounds", "decided", "missed" },
    table = function()
      local rows = {}
      for i, step in ipairs(found() and found().steps or {}) do
        rows[i] = { step.focus, step.rounds, ("%.3f"):format(step.size), ("%d"):format(step.errors) }
      end
      return #rows > 0 and rows or { "fBP runs at step 10" }
    end,
  }, cs.panel {
    name = "missed", title = "patterns missed, mean over chains", unit = "patterns",
    curves = function(run)
      local by = {}
      for _, arm in ipairs(run.arms) do by[arm.name] = perceptron.missed(t, arm) end
      return by
    end,
  }
end

return perceptron
