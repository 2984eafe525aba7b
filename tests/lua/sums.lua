-- Tests the law `sums`: log_q of kernels in Lua, with the faults of the course and others, on bits
-- and on the real line.
local cs = require "chainscope"
local core = require "chainscope.core"

local function expect(verdict, words, target, fields)
  local run = cs.open { target = target, seed = 3, chains = 4, arms = { a = cs.kernel(fields) } }
  local list = core.run_check(run, 3600, "sums", nil, 8000)
  local one = list[1] or { verdict = "none", text = "" }
  assert(one.verdict == verdict and one.text:find(words), ("%s, not %s: %s"):format(one.verdict, verdict, one.text))
end

-- A flip of one of nine spins, with weights sqrt(p(y) / p(x)).
local function weights(x, target)
  local w, sum, here = {}, 0, target:log_density(x)
  for i = 1, #x do
    local y = { table.unpack(x) }
    y[i] = 1 - y[i]
    w[i] = math.exp(0.5 * (target:log_density(y) - here))
    sum = sum + w[i]
  end
  return w, sum
end
local function flip(x, draw, _, target)
  local w, sum = weights(x, target)
  local u, k = draw:uniform() * sum, 1
  while k < #x and u >= w[k] do u, k = u - w[k], k + 1 end
  local y = { table.unpack(x) }
  y[k] = 1 - y[k]
  return y
end
local function log_q(of)
  return function(from, to, _, target)
    local w, sum = weights(from, target)
    for i = 1, #from do
      if from[i] ~= to[i] then return of(w[i], sum) end
    end
    return -math.huge
  end
end
local lattice = cs.target.ising { rows = 2, cols = 3, beta = 0.4 }
local function spins(verdict, words, q) expect(verdict, words, lattice, { propose = flip, log_q = q }) end
spins("holds", "sums to 1 from 64 states", log_q(function(w, sum) return math.log(w / sum) end))
spins("holds", "a constant cancels", log_q(function(w, sum) return math.log(w / sum) + 2 end))
spins("broken", "divide by the sum", log_q(function(w) return math.log(w) end))
spins("broken", "do not follow", log_q(function() return -math.log(6) end))
spins("broken", "NaN", log_q(function() return 0 / 0 end))
spins("none", "", nil) -- symmetric by assumption

-- The real line: a proposal with a drift.
local normal = cs.target.gaussian { dim = 1 }
local function drift(x, draw) return { 0.5 * x[1] + draw:normal() } end
local function line(verdict, words, q, propose) expect(verdict, words, normal, { propose = propose or drift, log_q = q }) end
local function right(from, to) return -0.5 * (to[1] - 0.5 * from[1])^2 end
line("holds", "integrates to 2.50", right)
line("holds", "integrates to 1 from", function(from, to) return right(from, to) - 0.5 * math.log(2 * math.pi) end)
line("broken", "do not follow", function(from, to) return right(from, to) / 2 end)
line("broken", "do not follow", function(from, to) return right(to, from) end)
-- A truncated proposal with and without its normalisation, and one that is clipped.
local function redrawn(x, draw)
  local y
  repeat y = x[1] + draw:normal() until y > -1
  return { y }
end
local function inside(from, to) return to[1] > -1 and -0.5 * (to[1] - from[1])^2 or -math.huge end
line("holds", "a constant cancels", function(from, to) return inside(from, to) - cs.lcdf.normal(from[1] + 1, 0, 1) end, redrawn)
line("broken", "integrates to", inside, redrawn)
line("broken", "drawn twice", inside, function(x, draw) return { math.max(-1, x[1] + draw:normal()) } end)
