-- Exercise: the number of states of each energy
local cs = require "chainscope"

local bonds, levels = 32, 16

-- Returns the logs of the numbers of states with 2 k bonds that are not satisfied, by listing all
-- 65,536 states of the lattice in the order of a Gray code, which turns one spin at a time.
local function exact()
  local s, count, k = {}, { [0] = 1 }, 0
  for i = 0, 15 do s[i] = 1 end
  for n = 1, 65535 do
    local i, m = 0, n
    while m & 1 == 0 do i, m = i + 1, m >> 1 end
    local r, c = i // 4, i % 4
    local around = s[(r + 1) % 4 * 4 + c] + s[(r + 3) % 4 * 4 + c] + s[r * 4 + (c + 1) % 4] + s[r * 4 + (c + 3) % 4]
    k = k + s[i] * around // 2
    s[i] = -s[i]
    count[k] = (count[k] or 0) + 1
  end
  local out = {}
  for level, n in next, count do out[level] = math.log(n) end
  return out
end

-- Returns a list as logs of numbers of states, whose sum is 65,536.
local function normalised(list)
  local top, sum, out = -math.huge, 0, {}
  for _, x in next, list do top = math.max(top, x) end
  for _, x in next, list do sum = sum + math.exp(x - top) end
  for k, x in next, list do out[k] = x - top - math.log(sum) + math.log(65536) end
  return out
end

-- Returns uniform numbers from a generator of its own, for the same marks on every machine.
local function generator(seed)
  local state = seed
  return function()
    state = state + 0x9E3779B97F4A7C15
    local z = state
    z = (z ~ z >> 30) * 0xBF58476D1CE4E5B9
    z = (z ~ z >> 27) * 0x94D049BB133111EB
    return ((z ~ z >> 31) >> 11) * 0x1p-53
  end
end

-- Returns log g as learned by the hand-in, with the sum 65,536, and the growth: the sum of the
-- increments of all turns, if the hand-in has not normalised its list.
local learned, growth = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })
local function answer_of(a, seed)
  if not learned[a] then
    local list, sum = a.learn(generator(seed)), 0
    for _, x in next, list do sum = sum + x end
    learned[a], growth[a] = normalised(list), sum
  end
  return learned[a], growth[a]
end

-- Returns the largest error of log g, or infinity if an entry is missing.
local function error_of(a, seed)
  local got, worst = answer_of(a, seed), 0
  for k, right in next, exact() do
    local x = got[k]
    worst = math.max(worst, x and x == x and math.abs(x - right) or math.huge)
  end
  return worst
end

-- Returns the total variation of the energies at beta 0.6 that follows from log g.
local function distance(a, seed)
  local got, right, tv = {}, {}, 0
  for k, x in next, exact() do right[k], got[k] = x - 2.4 * k, (answer_of(a, seed)[k] or -math.huge) - 2.4 * k end
  got, right = normalised(got), normalised(right)
  for k in next, right do tv = tv + math.abs(math.exp(got[k]) - math.exp(right[k])) / 65536 / 2 end
  return tv
end

return cs.scenario {
  title = "Exercise: count states by a random walk in energy",
  shows = "weights that are learned by visits become the number of states of each energy",
  tags = "course week-10 exercise",
  target = cs.target.ising { rows = 4, beta = 0.6 }, chains = 4, seed = 3, budget = { steps = 2000 },
  arms = { given = cs.kernel.gibbs {} },
  exercise = {
    text = "A lattice of 4 x 4 spins on a torus has 32 bonds; level k has the states in which 2 k bonds join unequal spins. " ..
      "Complete `learn`, which estimates the log of the number of states of each level by the algorithm of Wang and Landau in " ..
      "400,000 turns, to 0.2 for every level.",
    skeleton = [[
-- The number of states of each energy of a 4 x 4 lattice: complete the function learn.
-- Mark it: chainscope exercise 102 --mark mine.lua

-- Returns half the change of the number of unsatisfied bonds if spin i of s[0] ... s[15] turns.
local function change(s, i)
  local r, c = i // 4, i % 4
  local around = s[(r + 1) % 4 * 4 + c] + s[(r + 3) % 4 * 4 + c] + s[r * 4 + (c + 1) % 4] + s[r * 4 + (c + 3) % 4]
  return s[i] * around // 2
end

-- Returns log g by level: a table with the keys 0, 2, 3, ... 14, 16 (no state has level 1 or 15).
-- random() is a uniform number.
local function learn(random)
  local s, k, f, log_g, seen, n_seen = {}, 0, 1, {}, {}, 0
  for i = 0, 15 do s[i] = 1 end
  for level = 0, 16 do
    if level ~= 1 and level ~= 15 then log_g[level] = 0 end
  end
  -- Counts the visited levels, and halves f when all were visited.
  local function visit(level)
    if not seen[level] then seen[level], n_seen = true, n_seen + 1 end
    if n_seen == 15 then f, seen, n_seen = f / 2, {}, 0 end
  end
  for t = 1, 400000 do
    local i = math.floor(16 * random())
    local new = k + change(s, i)
    -- your code: accept or not, change log_g; call visit(k); let f be at least 15 / t
  end
  return log_g
end

return { learn = learn }
]],
    hints = { "All levels are visited equally often if a move to level `new` is accepted with probability g[k] / g[new].",
              "log_g grows by f at each visit, of the new level or of the old one. f is halved when all levels were visited, and in the end it falls as 1 / t." },
    judge = {
      answers = { learn = { "function", "learn(random) returns log g by level" } },
      tests = {
        { "log g of each level", function(a, scenario)
          local worst = error_of(a, scenario.seed)
          return worst <= 0.2, worst > 0.2 and ("the largest error is %.3g"):format(worst) or nil
        end },
        { "energies at beta 0.6", function(a, scenario)
          local tv = distance(a, scenario.seed)
          return tv <= 0.1, tv > 0.1 and ("a total variation of %.2g"):format(tv) or nil
        end },
      },
      slips = {
        { "log_g_is_flat", "all entries of your log g are equal: log_g[k] must grow at each visit of level k", function(a, scenario)
          local got = answer_of(a, scenario.seed)
          for _, x in next, got do
            if x ~= got[0] then return false end
          end
          return true
        end },
        { "wrong_sign", "levels that were visited often must become less likely: your walk stays where it was first", function(a, scenario) return error_of(a, scenario.seed) > 300 end },
        { "visits_only", "visits are equal for all levels in the end: the number of states is in the weights, not in the visits", function(a, scenario)
          local got = answer_of(a, scenario.seed)
          return math.abs(got[0] - got[8]) < 2
        end },
        { "constant_f", "f must become small: each visit still changes log g by f", function(a, scenario)
          local _, grown = answer_of(a, scenario.seed)
          return grown > 100000 -- a mean f above 1/4 in the 400,000 turns
        end },
      },
    },
  },
}
