-- Tests a kernel that only estimates log p. Reports say that log p is an
-- estimate. On request the exact log p is evaluated, and this evaluation does
-- not count as work of the arm.
local cs = require "chainscope"

local N, y = 60, {}
for i = 1, N do y[i] = math.sin(i) end
local target = cs.target {
  params = { mu = cs.real() }, data = { y = y },
  prior = function(p) return -p.mu^2 / 8 end,
  term = function(p, row) return -(row.y - p.mu)^2 / 2 end,
}
local function open(probes)
  return cs.open {
    target = target, chains = 3, seed = 2, probes = probes,
    arms = { a = cs.kernel.sgld { rate = 0.002, batch = 10 }, b = cs.kernel.sgld { rate = 0.002 },
             c = cs.kernel.random_walk { step = 0.2 } },
  }
end
local function refused(probes, what)
  local ok, err = pcall(open, probes)
  assert(not ok and tostring(err):find(what, 1, true), tostring(err))
end

local plain = open { "trace", only = true }
local asked = open { trace = { every = 10, true_logp = true }, only = true }
plain:step(100)
asked:step(100)
for i, arm in ipairs { "a", "b", "c" } do
  local p, q = plain:arm(arm), asked:arm(arm)
  assert(p.logp_kind == (i == 1 and "estimate" or "exact"))
  assert(p.observed.log_densities == 0 and p.observed.data_terms == 0)
  assert(q.observed.log_densities == (i == 1 and 3 * 10 or 0))
  assert(q.observed.data_terms == q.observed.log_densities * N)
  assert(p.data_terms == q.data_terms and p.log_densities == q.log_densities and p.gradients == q.gradients)
  for c = 1, 3 do assert(p:chain(c):state()[1] == q:chain(c):state()[1]) end
  assert(p:report "trace/logp" == (i == 1 and "estimate" or nil))
  assert(q:report "trace/logp" == nil)
  -- the newest value of the probe belongs to the current state of the chain
  local energy = q:report "trace/energy/recent"
  for c = 1, 3 do
    local row, x = energy[c], q:chain(c):state()
    assert(math.abs(row[#row] + target:log_density(x)) < 1e-9, row[#row])
  end
end

-- A request concerns only one chain, and no chain moves.
local arm = plain:arm "a"
local chain = arm:chain(2)
local x, estimate = chain:state()
assert(math.abs(chain:logp() - target:log_density(x)) < 1e-9)
assert(math.abs(estimate - chain:logp()) > 1e-3)
assert(arm.observed.log_densities == 2 and arm.observed.data_terms == 2 * N)
assert(chain:state()[1] == x[1] and arm.log_densities == 0)
assert(plain:arm("c"):chain(1):logp() == plain:arm("c"):chain(1):state().log_density)
assert(plain:arm("c").observed.log_densities == 0)

-- No figure uses an estimate in place of log p.
do
  local run = open { diagnostics = { true_logp = true, every = 5 }, only = true }
  local other = open { "diagnostics", only = true }
  run:step(400)
  other:step(400)
  for _, name in ipairs { "log_density", "log_density_sd" } do
    assert(run:arm("a"):figure(name))
    assert(other:arm("c"):figure(name))
    local x, why = other:arm("a"):figure(name)
    assert(x == nil and why:find "only estimates log p" and why:find "true_logp", why)
  end
end

-- A rewind also undoes the requested evaluations of log p after that step.
asked:rewind(50)
assert(asked:arm("a").observed.log_densities == 15)

assert(plain:summary():find("lp__ is the kernel's estimate of log p", 1, true) or
       plain:summary():find("true_logp", 1, true))

refused({ trace = { true_logp = 1 } }, "field 'true_logp' is a number")
refused({ moments = { true_logp = true } }, "does not record log p")
refused({ trace = { every = "2" } }, "field 'every' is a string")
assert(cs.help "true_logp":find "evaluated")
assert(cs.help "logp":find "chain:logp")
