-- Tests weighted draws: their log weights, and resampling.
local cs = require "chainscope"

local function falling(scale)
  return cs.schedule.polynomial { scale = scale, offset = 1, power = 0.5 }
end
local run = cs.open {
  target = cs.target.gaussian { dim = 2 }, chains = 2, seed = 5,
  arms = {
    falling = cs.kernel.sgld { rate = falling(0.5), weight = falling(1) },
    plain = cs.kernel.random_walk { step = 1 },
    tempered = cs.kernel.simulated_tempering { kernel = cs.kernel.random_walk {}, rungs = 3, hottest = 4, learn = 0 },
  },
}
local falling_arm, plain, tempered = run:arm "falling", run:arm "plain", run:arm "tempered"

local function refuses(want, f, ...)
  local ok, why = pcall(f, ...)
  assert(not ok and why:find(want, 1, true), why)
end
refuses("there are no draws yet", falling_arm.resample, falling_arm)
run:step(2000)

local chain = falling_arm:chain(1)
local draws = chain:draws()
assert(#draws == 2000)
for i, row in ipairs(draws) do
  assert(math.abs(row.log_weight - draws[1].log_weight - math.log((i + 1) / 2) * -0.5) < 1e-9)
end
assert(plain:chain(1):draws()[1].log_weight == nil)

-- States at other temperatures are not draws, so they are omitted.
local n = #tempered:chain(1):draws()
assert(n > 100 and n < 1500 and tempered:chain(1):draws()[1].log_weight == nil)

-- resample() repeats each draw in proportion to its weight.
local function count(rows)
  local times = {}
  for _, row in ipairs(rows) do times[row[1]] = (times[row[1]] or 0) + 1 end
  return times
end
local function check(rows, m, chains)
  local times, seen = count(rows), 0
  assert(#rows == m and rows[1].log_weight == nil)
  for _, c in ipairs(chains) do
    local list, sum = c:draws(), 0
    for _, row in ipairs(list) do sum = sum + math.exp(row.log_weight) end
    for _, row in ipairs(list) do
      local want = m * math.exp(row.log_weight) / sum / #chains
      assert(math.abs((times[row[1]] or 0) - want) < 1)
      seen = seen + (times[row[1]] or 0)
    end
  end
  assert(seen == m)
end
check(chain:resample(3000), 3000, { chain })
check(falling_arm:resample(500), 500, { chain, falling_arm:chain(2) })
check(falling_arm:resample(500, 9), 500, { chain, falling_arm:chain(2) })

-- The same seed gives the same draws. By default the number of draws is the
-- effective sample size.
local a, b, other = chain:resample(700, 3), chain:resample(700, 3), chain:resample(700, 4)
local same = true
for i = 1, 700 do
  assert(a[i][1] == b[i][1] and a[i].log_density == b[i].log_density and a[i]["x.2"] == b[i][2])
  same = same and a[i][1] == other[i][1]
end
assert(not same)
local sum, squares = 0, 0
for _, row in ipairs(draws) do
  local w = math.exp(row.log_weight)
  sum, squares = sum + w, squares + w * w
end
assert(#chain:resample() == math.floor(sum * sum / squares))

-- Draws of equal weight are copied equally often.
local all = plain:chain(2):draws()
for i, row in ipairs(plain:chain(2):resample()) do assert(row[1] == all[i][1]) end

-- A network that evaluates draws counts each draw by its weight.
local name = os.tmpname()
local f = assert(io.open(name, "w"))
f:write("network 2 2\n0 1 0\n0.5 0 0\n") -- the class tells whether the first coordinate exceeds 1/2
f:close()
local seen, larger = cs.network { file = name }:classify { arm = falling_arm, chain = 1 }, 0
os.remove(name)
for _, row in ipairs(chain:resample(2000)) do larger = larger + (row[1] > 0.5 and 1 or 0) end
assert(seen[1] == larger and seen[2] == 2000 - larger)

refuses("resample needs a number of draws", chain.resample, chain, "all")
refuses("n = 0", chain.resample, chain, 0)
refuses("seed = -1", chain.resample, chain, 10, -1)
