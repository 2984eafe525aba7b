-- Spike and slab: which properties of a car predict its fuel consumption?
--
-- Ten properties of 32 cars are candidates, and many of them are correlated. A bit per
-- property says whether it is in the model: the mean of y is the sum of the products of
-- bit, effect and property. Each bit is 1 with probability 1/2. Effects are normal (the
-- slab). An effect whose bit is 0 does not touch the data: it is drawn from its prior.
--
-- Watch `summary`: the mean of bit.5 is the probability that the weight of a car belongs
-- to the model. The exact probabilities are sums over 1024 models, computed when the
-- scenario is opened. `auto` draws one bit after the other. `pairs` draws two bits
-- together, so that one property can replace another.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf

-- Miles per gallon; then cylinders, displacement, horsepower, axle ratio, weight, quarter-mile
-- time, engine shape, transmission, gears, carburettors.
local cars = {
  { 21, 6, 160, 110, 3.9, 2.62, 16.46, 0, 1, 4, 4 }, { 21, 6, 160, 110, 3.9, 2.875, 17.02, 0, 1, 4, 4 },
  { 22.8, 4, 108, 93, 3.85, 2.32, 18.61, 1, 1, 4, 1 }, { 21.4, 6, 258, 110, 3.08, 3.215, 19.44, 1, 0, 3, 1 },
  { 18.7, 8, 360, 175, 3.15, 3.44, 17.02, 0, 0, 3, 2 }, { 18.1, 6, 225, 105, 2.76, 3.46, 20.22, 1, 0, 3, 1 },
  { 14.3, 8, 360, 245, 3.21, 3.57, 15.84, 0, 0, 3, 4 }, { 24.4, 4, 146.7, 62, 3.69, 3.19, 20, 1, 0, 4, 2 },
  { 22.8, 4, 140.8, 95, 3.92, 3.15, 22.9, 1, 0, 4, 2 }, { 19.2, 6, 167.6, 123, 3.92, 3.44, 18.3, 1, 0, 4, 4 },
  { 17.8, 6, 167.6, 123, 3.92, 3.44, 18.9, 1, 0, 4, 4 }, { 16.4, 8, 275.8, 180, 3.07, 4.07, 17.4, 0, 0, 3, 3 },
  { 17.3, 8, 275.8, 180, 3.07, 3.73, 17.6, 0, 0, 3, 3 }, { 15.2, 8, 275.8, 180, 3.07, 3.78, 18, 0, 0, 3, 3 },
  { 10.4, 8, 472, 205, 2.93, 5.25, 17.98, 0, 0, 3, 4 }, { 10.4, 8, 460, 215, 3, 5.424, 17.82, 0, 0, 3, 4 },
  { 14.7, 8, 440, 230, 3.23, 5.345, 17.42, 0, 0, 3, 4 }, { 32.4, 4, 78.7, 66, 4.08, 2.2, 19.47, 1, 1, 4, 1 },
  { 30.4, 4, 75.7, 52, 4.93, 1.615, 18.52, 1, 1, 4, 2 }, { 33.9, 4, 71.1, 65, 4.22, 1.835, 19.9, 1, 1, 4, 1 },
  { 21.5, 4, 120.1, 97, 3.7, 2.465, 20.01, 1, 0, 3, 1 }, { 15.5, 8, 318, 150, 2.76, 3.52, 16.87, 0, 0, 3, 2 },
  { 15.2, 8, 304, 150, 3.15, 3.435, 17.3, 0, 0, 3, 2 }, { 13.3, 8, 350, 245, 3.73, 3.84, 15.41, 0, 0, 3, 4 },
  { 19.2, 8, 400, 175, 3.08, 3.845, 17.05, 0, 0, 3, 2 }, { 27.3, 4, 79, 66, 4.08, 1.935, 18.9, 1, 1, 4, 1 },
  { 26, 4, 120.3, 91, 4.43, 2.14, 16.7, 0, 1, 5, 2 }, { 30.4, 4, 95.1, 113, 3.77, 1.513, 16.9, 1, 1, 5, 2 },
  { 15.8, 8, 351, 264, 4.22, 3.17, 14.5, 0, 1, 5, 4 }, { 19.7, 6, 145, 175, 3.62, 2.77, 15.5, 0, 1, 5, 6 },
  { 15, 8, 301, 335, 3.54, 3.57, 14.6, 0, 1, 5, 8 }, { 21.4, 4, 121, 109, 4.11, 2.78, 18.6, 1, 1, 4, 2 },
}
local n, d = #cars, #cars[1] - 1

-- Returns column j with mean 0 and deviation 1.
local function column(j)
  local list, mean, square = {}, 0, 0
  for i = 1, n do mean, square = mean + cars[i][j] / n, square + cars[i][j] ^ 2 / n end
  for i = 1, n do list[i] = (cars[i][j] - mean) / math.sqrt(square - mean ^ 2) end
  return list
end
local x, y = {}, column(1)
for j = 1, d do x[j] = column(j + 1) end
local rows = {}
for i = 1, n do
  rows[i] = {}
  for j = 1, d do rows[i][j] = x[j][i] end
end
local matrix = M.matrix(rows)

-- ---- exact probabilities ---------------------------------------------------------

-- Returns the sum of the products of the entries of two lists.
local function product(a, b)
  local sum = 0
  for i = 1, n do sum = sum + a[i] * b[i] end
  return sum
end

-- Returns log p(y | the properties in the model), without a constant; the effects and sigma are
-- integrated out. Gauss's elimination of I + X'X has pivots whose product is its determinant.
local function log_evidence(columns)
  local a, k, left, u = {}, #columns, product(y, y), 0
  for r = 1, k do
    a[r] = { [0] = product(x[columns[r]], y) }
    for c = 1, k do a[r][c] = product(x[columns[r]], x[columns[c]]) + (c == r and 1 or 0) end
  end
  for r = 1, k do
    left, u = left - a[r][0] ^ 2 / a[r][r], u - math.log(a[r][r]) / 2
    for s = r + 1, k do
      local f = a[s][r] / a[r][r]
      a[s][0] = a[s][0] - f * a[r][0]
      for c = r, k do a[s][c] = a[s][c] - f * a[r][c] end
    end
  end
  return u - n / 2 * math.log(left)
end

-- Returns the probability of each bit, and the mean number of properties.
local function exact()
  local total, share, size = 0, {}, 0
  for j = 1, d do share[j] = 0 end
  for code = 0, 2 ^ d - 1 do
    local columns = {}
    for j = 1, d do
      if code >> (j - 1) & 1 == 1 then columns[#columns + 1] = j end
    end
    local weight = math.exp(log_evidence(columns))
    total, size = total + weight, size + weight * #columns
    for _, j in ipairs(columns) do share[j] = share[j] + weight end
  end
  for j = 1, d do share[j] = share[j] / total end
  return share, size / total
end

local share, size = exact()
local claims = {}
for _, arm in ipairs { "auto", "pairs" } do
  for j = 1, d do
    claims[#claims + 1] = { arm = arm, stat = "mean", of = "bit." .. j, exact = share[j], within = 0.05 }
  end
  claims[#claims + 1] = { arm = arm, stat = "mean", of = "size", exact = size, within = 0.15 }
end

return cs.scenario {
  title  = "Spike and slab",
  shows  = "Bits choose the variables of a regression; their probabilities are sums over 1024 models",
  source = "Kuo and Mallick 1998; Henderson and Velleman 1981",
  tags   = "gibbs exact",

  target = cs.target {
    name   = "spike_and_slab",
    params = { { effect = cs.real(d) }, { sigma = cs.positive() }, { bit = cs.bit(d) } },
    view   = { "effect.5", "effect.1", -3, 2, -3, 2 },
    log_density = function(p)
      return lpdf.normal(p.effect, 0, p.sigma) - M.log(p.sigma) -- flat in log sigma
             + lpdf.normal(y, M.product(matrix, p.bit * p.effect), p.sigma)
    end,
    generated = function(p) return { size = M.sum(p.bit) } end,
  },
  chains = 16, seed = 48,
  arms   = {
    auto  = cs.kernel.auto {},
    pairs = cs.kernel.auto { bit = cs.kernel.gibbs { sites = 2, scan = "random" } },
  },
  budget = { steps = 3000 },
  screen = { "map", { "trace", quantity = "size" }, "acceptance", "summary" },
  claims = claims,
}
