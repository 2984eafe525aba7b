-- Exercise: which matrices keep a distribution, and which are in detailed balance with it
local cs = require "chainscope"

local people = { 1, 2, 3 }
local names = { "A", "B", "C", "D" }
local matrices = {
  A = { { 0, 1 / 2, 1 / 2 }, { 1 / 4, 1 / 4, 1 / 2 }, { 1 / 6, 1 / 3, 1 / 2 } },
  B = { { 0, 1 / 4, 3 / 4 }, { 3 / 8, 1 / 4, 3 / 8 }, { 1 / 12, 5 / 12, 1 / 2 } },
  C = { { 1 / 2, 3 / 10, 1 / 5 }, { 3 / 10, 2 / 5, 3 / 10 }, { 1 / 5, 3 / 10, 1 / 2 } },
  D = { { 1 / 2, 1 / 3, 1 / 6 }, { 1 / 2, 1 / 4, 1 / 4 }, { 1 / 2, 1 / 2, 0 } },
}

local function near(a, b) return math.abs(a - b) < 1e-9 end

local function keeps(m)
  for k = 1, 3 do
    local into = 0
    for i = 1, 3 do into = into + people[i] * m[i][k] end
    if not near(into, people[k]) then return false end
  end
  return true
end

local function balances(m)
  for i = 1, 3 do
    for k = 1, i - 1 do
      if not near(people[i] * m[i][k], people[k] * m[k][i]) then return false end
    end
  end
  return true
end

-- Returns an entry as a fraction with the smallest denominator.
local function fraction(x)
  for n = 1, 120 do
    if near(x * n, math.floor(x * n + 0.5)) then return n == 1 and ("%d"):format(x) or ("%.0f/%d"):format(x * n, n) end
  end
end

local function in_words(m)
  local rows = {}
  for i = 1, 3 do rows[i] = ("(%s, %s, %s)"):format(fraction(m[i][1]), fraction(m[i][2]), fraction(m[i][3])) end
  return table.concat(rows, " ")
end

local task = "Three islands have 1, 2 and 3 thousand people. Row i of each matrix has the probabilities of the moves from " ..
  "island i. Which of the matrices keep the shares (1, 2, 3)/6, and which are in detailed balance with these shares?"
for _, name in ipairs(names) do task = task .. ("\n%s: %s"):format(name, in_words(matrices[name])) end

local tests = {}
for _, name in ipairs(names) do
  local i = #tests + 1
  tests[i] = { "matrix " .. name, function(a)
    local m = matrices[name]
    local kept, balanced = a.keeps[i] == keeps(m), a.balances[i] == balances(m)
    local say = a.balances[i] and not a.keeps[i] and "a matrix in detailed balance with the shares also keeps them" or
      not kept and "compare the people who arrive on each island with those who leave it" or
      not balanced and "compare the flow between two islands with the flow back" or nil
    return kept and balanced, say
  end }
end

return cs.scenario {
  title = "Exercise: four matrices",
  shows = "detailed balance is a property of a matrix and a distribution, and it is not needed to keep the distribution",
  tags = "course week-2 exercise",
  target = cs.target { name = "three islands", space = cs.ordinal(1, 1, 3), log_density = function(x) return cs.math.log(x[1]) end },
  chains = 4, seed = 1, budget = { steps = 1000 }, start = { 1 },
  arms = { walk = cs.kernel.random_walk {} },
  exercise = {
    text = task,
    skeleton = ("-- " .. task:gsub("%. ", ".\n-- "):gsub("\n([A-D]:)", "\n--   %1")) .. [[

-- Mark it: chainscope exercise 22 --mark mine.lua
-- Complete the eight answers, true or false, for the matrices A, B, C and D.
return {
  keeps = {},
  balances = {},
}
]],
    hints = { "Detailed balance: share i times entry (i, k) is equal to share k times entry (k, i), for all pairs.",
              "A matrix keeps the shares if the sum over i of share i times entry (i, k) is share k, for all k." },
    judge = {
      answers = { keeps = { "table", "true or false for A, B, C and D", size = { 4 }, of = "boolean" },
                  balances = { "table", "true or false for A, B, C and D", size = { 4 }, of = "boolean" } },
      tests = tests,
      slips = {
        { "zero_taken_for_wrong", "A never stays on island 1; no law demands that it does", function(a) return not a.keeps[1] end },
        { "ring_taken_for_wrong", "B keeps the shares although it is not in detailed balance: arrivals and departures are equal on each island",
          function(a) return not a.keeps[2] end },
        { "symmetric_taken_for_balanced", "C is symmetric: it is in detailed balance with equal shares, not with (1, 2, 3)/6", function(a) return a.balances[3] end },
        { "other_shares", "D is in detailed balance with the shares (3, 2, 1)/6", function(a) return a.balances[4] end },
      },
    },
  },
}
