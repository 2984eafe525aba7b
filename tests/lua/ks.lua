-- Compares distances computed by the program with the same distances computed
-- in Lua. The distances are between an arm's draws and either exact draws or
-- another arm's draws.
local cs = require "chainscope"
local run = cs.open {
  target = cs.target.gaussian { dim = 3 }, chains = 6, seed = 4, keep = 500, warmup = 0,
  arms = { a = cs.kernel.random_walk { step = 1 }, b = cs.kernel.mala { step = 0.8 } },
}
run:step(100)

local function column(arm, k)
  local list = {}
  for c = 1, 6 do
    for _, row in ipairs(run:arm(arm):chain(c):draws()) do list[#list + 1] = row[k] end
  end
  table.sort(list)
  return list
end
local function share(list, x)
  local n = 0
  for _, y in ipairs(list) do if y <= x then n = n + 1 end end
  return n / #list
end
local far = {}
for k = 1, 3 do
  local a, b = column("a", k), column("b", k)
  far[k] = 0
  for _, list in ipairs { a, b } do
    for _, x in ipairs(list) do far[k] = math.max(far[k], math.abs(share(a, x) - share(b, x))) end
  end
end
table.sort(far)
local claims = {}
for i, name in ipairs { "ks_min", "ks_median", "ks_max" } do
  claims[i] = { arm = "a", stat = name, of = "b", at_most = 1 }
end
claims[4] = { arm = "a", stat = "ks_max", at_most = 0.5 }
claims[5] = { arm = "a", stat = "ks_max", of = "a", at_most = 0.5 }
local judged = run:judge(claims)
for i = 1, 3 do
  assert(math.abs(judged[i].value - far[i]) < 1e-12, claims[i].stat)
  assert(judged[i].error > 0)
end
-- The distance from the exact distribution is small, but not 0.
assert(judged[4].value > 1 / 600 and judged[4].value < 0.5, judged[4].value)
assert(judged[5].value == 0, "the distance of an arm from itself")
