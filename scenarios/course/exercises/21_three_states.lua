-- Exercise: a matrix with a given stationary law that forgets its start quickly
local cs = require "chainscope"

-- Returns the sum and the product of the two eigenvalues other than 1, which follow from the trace
-- and the determinant.
local function others(m)
  local sum = m[1][1] + m[2][2] + m[3][3] - 1
  local product = m[1][1] * (m[2][2] * m[3][3] - m[2][3] * m[3][2]) - m[1][2] * (m[2][1] * m[3][3] - m[2][3] * m[3][1]) +
    m[1][3] * (m[2][1] * m[3][2] - m[2][2] * m[3][1])
  return sum, product
end

-- Returns the second eigenvalue in absolute value.
local function second(m)
  local sum, product = others(m)
  local inside = sum^2 / 4 - product
  return inside < 0 and math.sqrt(product) or math.abs(sum) / 2 + math.sqrt(inside)
end

-- True if the matrix keeps only one distribution: 1 is a simple eigenvalue. A matrix that alternates
-- between two groups of islands has the eigenvalue -1, and one distribution.
local function keeps_one(m)
  local sum, product = others(m)
  return 1 - sum + product > 1e-6
end

local function sums(m, by_column)
  local off = 0
  for i = 1, 3 do
    local sum = 0
    for k = 1, 3 do sum = sum + (by_column and m[k][i] or m[i][k]) end
    off = math.max(off, math.abs(sum - 1))
  end
  return off < 1e-6
end

local function is_stochastic(m)
  for i = 1, 3 do
    for k = 1, 3 do
      if m[i][k] < 0 then return false end
    end
  end
  return sums(m)
end

-- True if the shares after a step are those before it.
local function keeps(m, shares)
  for k = 1, 3 do
    local after = 0
    for i = 1, 3 do after = after + shares[i] * m[i][k] end
    if math.abs(after - shares[k]) > 1e-6 then return false end
  end
  return true
end

return cs.scenario {
  title = "Exercise: a matrix for three islands",
  shows = "many matrices have the same stationary law, and differ in their second eigenvalue",
  tags = "course week-2 exercise",
  target = cs.target { name = "three islands", space = cs.ordinal(1, 1, 3), log_density = function(x) return cs.math.log(x[1]) end },
  chains = 4, seed = 1, budget = { steps = 1000 }, start = { 1 },
  arms = { walk = cs.kernel.random_walk {} },
  exercise = {
    text = "Give a matrix of transition probabilities for three islands with the stationary law (1, 2, 3)/6. " ..
      "Apart from 1, its eigenvalues must be at most 0.3 in absolute value: an absolute gap of at least 0.7.",
    skeleton = [[
-- A matrix with the stationary law (1, 2, 3)/6 and an absolute gap of at least 0.7.
-- Mark it: chainscope exercise 21 --mark mine.lua
-- Row i has the probabilities of the moves from island i: matrix[i][k] is that from i to k.
return {
  matrix = {
    { 0, 0, 0 },
    { 0, 0, 0 },
    { 0, 0, 0 },
  },
}
]],
    hints = { "Propose each of the two other islands with probability 1/2, and accept with probability min(1, ratio of the people).",
              "The diagonal has the rejected moves: each row sums to 1." },
    judge = {
      answers = { matrix = { "table", "the matrix of transition probabilities", size = { 3, 3 } } },
      tests = {
        { "rows are probabilities", function(a)
          return is_stochastic(a.matrix), not is_stochastic(a.matrix) and "an entry is negative, or a row does not sum to 1 (write 1/3, not 0.33)" or nil
        end },
        { "stationary law", function(a)
          local kept = is_stochastic(a.matrix) and keeps(a.matrix, { 1 / 6, 2 / 6, 3 / 6 })
          local right = kept and keeps_one(a.matrix)
          return right, not kept and "one step changes the shares (1, 2, 3)/6" or not right and "other shares are kept, too" or nil
        end },
        { "absolute gap", function(a)
          if not is_stochastic(a.matrix) then return false end
          local gap = 1 - second(a.matrix)
          local say = gap > 1 - 1e-6 and "independent draws: the largest gap, but it is rarely possible" or gap < 0.7 and ("the gap is %.3g"):format(gap) or nil
          return gap >= 0.7 - 1e-9, say
        end },
      },
      slips = {
        { "columns_for_rows", "your columns sum to 1: a row has the moves from an island", function(a) return sums(a.matrix, true) and not sums(a.matrix) end },
        { "symmetric", "your matrix is symmetric: its stationary law is uniform, (1, 1, 1)/3", function(a)
          local m = a.matrix
          return sums(m) and m[1][2] == m[2][1] and m[1][3] == m[3][1] and m[2][3] == m[3][2]
        end },
        { "neighbours_only", "the law is right, but a step goes only to a neighbour, or stays: propose both other islands", function(a)
          return is_stochastic(a.matrix) and keeps(a.matrix, { 1 / 6, 2 / 6, 3 / 6 }) and a.matrix[1][3] == 0
        end },
      },
    },
  },
}
