-- Reference values by quadrature for contour SGLD on two wells in one dimension.
-- Energies are U = -log p. Bin 1 is U <= first, the last bin is everything above first +
-- (bins - 2) width, and the bins in between are `width` wide.
local wells = {}

local exp, log, abs, max, min = math.exp, math.log, math.abs, math.max, math.min

-- Returns the function U(x) of the mixture weights[1] N(-6, 1) + weights[2] N(4, 1).
function wells.energy(weights)
  local a, b = log(weights[1]) - log(2 * math.pi) / 2, log(weights[2]) - log(2 * math.pi) / 2
  return function(x)
    local left, right = a - (x + 6) ^ 2 / 2, b - (x - 4) ^ 2 / 2
    if left > right then return -left - log(1 + exp(right - left)) end
    return -right - log(1 + exp(left - right))
  end
end

function wells.bin(bins, u)
  if u <= bins.first then return 1 end
  return min(math.ceil((u - bins.first) / bins.width) + 1, bins.n)
end

-- Returns the points of the quadrature as lists of x, U and bins. There are `fine`
-- points per unit, from -17 to 15.
local fine = 300
local function points(u, bins)
  local xs, us, of = {}, {}, {}
  for i = 1, 32 * fine do
    xs[i] = -17 + (i - 0.5) / fine
    us[i] = u(xs[i])
    of[i] = wells.bin(bins, us[i])
  end
  return xs, us, of
end

-- Returns theta*, the mass of each bin.
function wells.masses(u, bins)
  local theta, _, us, of = {}, points(u, bins)
  for i = 1, bins.n do theta[i] = 0 end
  for k, i in ipairs(of) do theta[i] = theta[i] + exp(-us[k]) / fine end
  return theta
end

-- Returns the two weights between which Psi interpolates in bin i: the weight at the
-- lower border and the weight at the upper border of the bin (D.1 uses the weights of the
-- bins i and i + 1). In the last bin Psi is constant.
local function pieces(theta, bins, i)
  local low = bins.forward and i or max(i - 1, 1)
  local high = bins.forward and min(i + 1, bins.n) or i
  return theta[low], theta[i == bins.n and low or high]
end

-- Returns the multiplier of the gradient: 1 + zeta times the slope of log Psi.
function wells.multiplier(theta, bins, zeta, i)
  local low, high = pieces(theta, bins, i)
  return 1 + zeta * log(high / low) / bins.width
end

-- Returns log Psi at the energy u (Eq. 5).
function wells.log_psi(theta, bins, u)
  local i = wells.bin(bins, u)
  local low, high = pieces(theta, bins, i)
  local border = bins.first + (i - 2) * bins.width
  return log(low) + log(high / low) * (u - border) / bins.width
end

-- Returns the flattened energy, U + zeta log Psi(U), as a function of x.
function wells.flattened(u, theta, bins, zeta)
  return function(x)
    local now = u(x)
    return now + zeta * wells.log_psi(theta, bins, now)
  end
end

-- Returns the two heights of the barrier between the wells, measured from the
-- bottom of each well.
function wells.barriers(u)
  local left, top, right = math.huge, -math.huge, math.huge
  for i = -800, 600 do
    local x = i / 100
    local now = u(x)
    if x < -3 then left = min(left, now)
    elseif x > 1 then right = min(right, now)
    else top = max(top, now) end
  end
  return top - left, top - right
end

-- For small steps with frozen weights, where the chain follows p / Psi^zeta: returns the
-- share of each bin, and the mean of x with the weights theta(J)^zeta.
local function law(theta, bins, zeta, xs, us, of)
  local share, all, sum, weights, power, at, slope = {}, 0, 0, 0, {}, {}, {}
  for i = 1, bins.n do
    local low, high = pieces(theta, bins, i)
    slope[i] = zeta * log(high / low) / bins.width
    at[i] = zeta * log(low) - slope[i] * (bins.first + (i - 2) * bins.width)
    share[i], power[i] = 0, theta[i] ^ zeta
  end
  for k, i in ipairs(of) do
    local p = exp(-us[k] - at[i] - slope[i] * us[k])
    share[i], all = share[i] + p, all + p
    sum, weights = sum + p * power[i] * xs[k], weights + p * power[i]
  end
  for i = 1, bins.n do share[i] = share[i] / all end
  return share, sum / weights
end
function wells.law(u, theta, bins, zeta) return law(theta, bins, zeta, points(u, bins)) end

-- Returns the stationary point of Eq. 10, where theta(i) is proportional to theta(i)^zeta
-- times the share of its bin, and the weighted mean of x at this point.
function wells.rest(u, bins, zeta)
  local theta, xs, us, of = wells.masses(u, bins), points(u, bins)
  local mean
  for _ = 1, 60 do
    local next, share, all, worst = {}, nil, 0, 0
    share, mean = law(theta, bins, zeta, xs, us, of)
    for i = 1, bins.n do
      next[i] = theta[i] ^ zeta * share[i]
      all = all + next[i]
    end
    for i = 1, bins.n do
      local new = max(math.sqrt(next[i] / all * theta[i]), 1e-300)
      worst, theta[i] = max(worst, abs(log(new / theta[i]))), new
    end
    if worst < 1e-6 then break end
  end
  return theta, mean
end

-- Returns a measure that checks a number in a scenario against f(). Nothing is computed
-- while the scenario is loaded.
function wells.quadrature(f)
  return function() return f(), 0, 1 end
end

-- ---- learned weights -------------------------------------------------------

-- Returns a claim's measure: the mean of f(chain) over chains.
function wells.each(f)
  return function(arm)
    local out = {}
    for c = 1, #arm.chains do out[c] = f(arm:chain(c), arm) end
    return out
  end
end

-- Returns the weighted mean of x over the stored draws, or over their first `part`.
function wells.weighted(chain, part)
  local rows, sum, all, top = chain:draws(), 0, 0, nil
  for i = 1, math.ceil((part or 1) * #rows) do
    local row = rows[i]
    local weight = row.log_weight or 0
    if not top or weight > top then
      local less = top and exp(top - weight) or 0
      sum, all, top = sum * less, all * less, weight
    end
    weight = exp(weight - top)
    sum, all = sum + weight * row[1], all + weight
  end
  return sum / all
end

-- Returns the number of stored draws after which the next stored draw is in the
-- other well.
function wells.crossings(chain)
  local rows, n = chain:draws(), 0
  for i = 2, #rows do n = n + (rows[i][1] * rows[i - 1][1] < 0 and 1 or 0) end
  return n
end

return wells
