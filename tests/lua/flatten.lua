-- Compares the estimated density of states with the density of states by
-- enumeration. Also tests parameters of a wrapper that may follow a schedule.
local cs = require "chainscope"

local ising = cs.target.ising { rows = 4, cols = 4, beta = 1 }
local exact = { 2, 0, 32, 64, 424, 1728, 6688, 13568, 20524, 13568, 6688, 1728, 424, 64, 32, 0, 2 }
local function around(kernel, more)
  local with = { kernel = cs.kernel.gibbs {}, measure = "uniform", first = -30, width = 4, bins = 17 }
  for k, v in pairs(more) do with[k] = v end
  return kernel(with)
end
local run = cs.open {
  target = ising, chains = 16, seed = 4, probes = { only = true },
  arms = {
    wang_landau = around(cs.kernel.wang_landau, {}),
    samc = around(cs.kernel.samc, { t0 = 300, share = 10 }),
    multicanonical = around(cs.kernel.multicanonical, { learn = 40000, every = 8000 }),
  },
}
run:step(100000)
for _, name in ipairs { "wang_landau", "samc", "multicanonical" } do
  local arm, sum = run:arm(name), 0
  local d, low = arm:report "kernel/log_density", arm:report "kernel/bin_low"
  local within = name == "multicanonical" and 1 or 0.25
  for i, n in ipairs(exact) do
    assert(low[i] == 4 * i - 38)
    if n == 0 then
      assert(d[i] ~= d[i])
    else
      assert(math.abs(d[i] - math.log(n)) < within, name .. " " .. i .. " " .. math.exp(d[i]))
      sum = sum + math.exp(d[i])
    end
  end
  assert(math.abs(sum / 65536 - 1) < 0.1)
end
assert(run:arm "multicanonical":report "kernel/gain"[1] == 0)

-- Parameters that each chain has separately may also follow a schedule.
local falling = cs.open {
  target = ising, chains = 2, seed = 1,
  arms = { a = around(cs.kernel.samc, {
    t0 = 0, gain = cs.schedule.polynomial { scale = 1, offset = 100, power = 0.8 } }) },
}
falling:step(50)
assert(math.abs(falling:arm "a":report "kernel/gain"[1] - 150 ^ -0.8) < 1e-15)
local ok, why = pcall(around, cs.kernel.samc, { share = cs.schedule.constant { value = 2 } })
assert(not ok and why:find("'share' of cs.kernel.samc is a number, not a schedule", 1, true), why)
ok, why = pcall(around, cs.kernel.samc, { kernel = cs.kernel.dula {} })
assert(not ok and why:find("which is not reversible", 1, true), why)
