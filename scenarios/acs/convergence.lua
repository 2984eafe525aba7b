-- How fast a discrete Langevin sampler converges, and what rate a theorem guarantees.
--
-- By section 5 of the acs paper (Pynadath et al. 2024) the total variation distance from
-- the target after n steps is at most (1 - e)^n. The constant e depends on alpha (the
-- step), beta (the balance) and the target. On four bits this bound and the exact
-- transition matrix can be computed. The bound holds, but is loose: at alpha = 0.2 it
-- guarantees a distance of 0.01 only after 630,000 steps, but 25 steps are enough.
--
-- Watch the panel `distance_from_start`; all chains start at 1111. Solid lines: distances
-- estimated from the chains. Broken lines: exact distances, from powers of the matrix.
-- The bounds start at 1 and hardly fall. Try other steps: change `small.step` or
-- `cycle.step`.
local cs = require "chainscope"

-- e = exp{-(1/(2 alpha) + beta (M - m/2)) D^2 - |grad U(a)| D}. Here U is the log
-- density, M the Lipschitz constant of its gradient, m its concavity, D the diameter of
-- the states, and a the state with the smallest gradient.
--
-- At alpha 1 the theorem's e is 2.2 % per step. The best constant for which such a bound
-- holds, computed from the matrix, is 37 %, and the spectral gap is 69 %. At alpha 0.2 e
-- is 7e-6, and the gap is 0.16. D^2 is the number of bits, so the bound gets worse with
-- each bit: on eight bits at alpha 1, e is 1/10,000 of the gap. Theorem 5.5 gives a cycle
-- the constant of its last and smallest step, which is the worst of all.
--
-- Errors in the paper: the proof (appendix C.1) ends with 1/alpha where lemma 5.3 has
-- 1/(2 alpha); in about a hundred random cases the lemma held. The proof uses Z(x) / Z(y)
-- for the acceptance ratio. This is true only at beta 1/2; for small betas, which no
-- cycle has, the lemma is false. "As alpha -> 0, e -> 1" should say "e -> 0". The theorem
-- needs a concave U. The U of this target is concave; the log densities in the other
-- scenarios of this folder are not.
local d, shown, chains = 4, 24, 256
local cycle = { step = { 1.5, 0.5, 0.2 }, balance = { 0.7, 0.6, 0.5 } }

-- U(x) = h . x - (|x|^2 / 5 + (x_1 + ... + x_d)^2 / 10) / 2: the curvature is 1/5 + d/10
-- in the direction (1, ..., 1), and 1/5 in all directions orthogonal to it.
local h = { 0.3, -0.2, 0.5, 0.1, -0.4, 0.2, 0.4, -0.1 }
local function concave(bits)
  return cs.target {
    name = ("%d concave bits"):format(bits),
    space = cs.binary(bits),
    log_density = function(x)
      local u, sum = 0, 0
      for i = 1, bits do u, sum = u + h[i] * x[i] - x[i]^2 / 10, sum + x[i] end
      return u - sum^2 / 20
    end,
  }
end
local four = concave(d)

-- Returns the result of cs.theory for a plan, which is computed once.
local kept = {}
local function text(v) return type(v) == "table" and table.concat(v, ",") or tostring(v) end
local function theory(plan, steps)
  local key = ("%s %s %s"):format(text(plan.step), text(plan.balance), steps)
  kept[key] = kept[key] or cs.theory.dmala { target = four, step = plan.step, balance = plan.balance,
                                             start = 2^d, steps = steps or 0 }
  return kept[key]
end

-- Returns the total variation distance between pi and the states of an arm's chains after
-- each of the first n steps. For N chains and S states this estimate is about sqrt(S / (2
-- pi N)) where the true distance is 0.
local function counted(arm, pi, n)
  local count, out = {}, {}
  for k = 1, n do count[k] = {} end
  for i = 1, chains do
    for k, row in ipairs(arm:chain(i):draws()) do
      if k > n then break end
      local a = 1 + 8 * row[1] + 4 * row[2] + 2 * row[3] + row[4]
      count[k][a] = (count[k][a] or 0) + 1
    end
  end
  for k = 1, n do
    out[k] = 0
    for a = 1, 2^d do out[k] = out[k] + math.abs((count[k][a] or 0) / chains - pi[a]) / 2 end
  end
  return out
end

-- Returns every n-th distance of the list with its step. Used for cycles of n steps,
-- because the matrix of a cycle describes n steps at once.
local function every(list, n)
  local x, y = {}, {}
  for k = n, #list, n do x[#x + 1], y[#y + 1] = k, list[k] end
  return x, y
end

local distance = cs.panel {
  name = "distance_from_start", title = "total variation distance to the target, all chains start at 1111",
  unit = "", axis = "step",
  line = function(run)
    local out, steps = {}, math.min(run.steps, shown)
    for _, arm in ipairs(run.arms) do
      local plan = arm:plan()
      local length = type(plan.step) == "table" and #plan.step or 1
      local n, at, bound, exact = shown // length, {}, {}, {}
      local t = theory(plan, n)
      local x, y = every(counted(arm, t.pi, steps), length)
      for k = 1, #x do exact[k] = t.series[k + 1] end
      if #x > 1 then out[arm.name] = { x = x, y = y, exact = exact } end
      for k = 1, n do at[k], bound[k] = k * length, (1 - math.exp(t.minorant.printed))^k end
      out[arm.name .. " bound"] = { x = at, y = bound }
    end
    return out
  end,
}

local claims = {}
local function claim(arm, stat, f, t)
  t.arm, t.stat, t.measure = arm, stat, function(a) return f(a) end
  claims[#claims + 1] = t
end
local function computed(arm, stat, f, t) claim(arm, stat, function() return f(), 0 end, t) end

local plans = { small = { step = 0.2 }, large = { step = 1 }, cycle = cycle }
local says = {
  small = { e = -11.825, best = -7.244, gap = 0.1573, time = 10.43, accepted = 0.9966 },
  large = { e = -3.825, best = -1.006, gap = 0.6946, time = 1.515, accepted = 0.9400 },
}
for _, name in ipairs { "small", "large", "cycle" } do
  local plan = plans[name]
  local is_cycle = name == "cycle"
  local theorem = is_cycle and "|P^n - pi| <= (1 - e of the last step)^n, n cycles" or "|P^n - pi| <= (1 - e)^n"
  computed(name, "least log of bound over distance, 1 to 512 steps", function()
    local t, least = theory(plan), math.huge
    assert(t.minorant.applies)
    for j, far in ipairs(t.distance) do
      least = math.min(least, 2^(j - 1) * math.log(1 - math.exp(t.minorant.printed)) - math.log(math.max(far, 1e-12)))
    end
    return least
  end, { at_least = 0, paper = theorem, where = is_cycle and "theorem 5.5" or "theorem 5.4",
     quote = is_cycle and [[_{TV}\leq(1-{\epsilon}_{\beta_{s},% \alpha_{s}})^{n}]] or
       [[\|P^{n}-\pi\|_{TV}\leq\left(1-{\epsilon}_{\beta,\alpha}\right)^{n}]] })
  computed(name, "log of the best constant over e", function()
    local t = theory(plan)
    return t.minorant.best - t.minorant.printed
  end, { at_least = 0, quote = [[p(\theta\mid\theta^{\prime})\geq{\epsilon}_{\beta,\alpha}]], where = "lemma 5.3", paper = "P(x, y) >= e nu(y)" })
  local say = says[name]
  if say then
    computed(name, "log e", function() return theory(plan).minorant.printed end, { near = say.e, within = 1e-3 })
    computed(name, "log of the best constant", function() return theory(plan).minorant.best end, { near = say.best, within = 1e-3 })
    computed(name, "spectral gap", function() return theory(plan).gap.chain end, { near = say.gap, within = 1e-4 })
    computed(name, "autocorrelation time of the sum, computed", function() return theory(plan).time.chain end,
             { near = say.time, within = 0.01 })
    claims[#claims + 1] = { arm = name, stat = "acceptance", near = say.accepted, within = 0.01, note = "from the transition matrix" }
  end
  -- Claims that counted distances differ from exact distances by no more than chance.
  claim(name, "largest of six differences of counted and exact distance", function(arm)
    local length = name == "cycle" and 3 or 1
    local t = theory(plan, 8)
    local y, worst = counted(arm, t.pi, 8 * length), 0
    for k = 3, 8 do worst = math.max(worst, math.abs(y[k * length] - t.series[k + 1])) end
    return worst, 0
  end, { at_most = 0.16, note = "with 256 chains the difference is about 0.1 by chance where the distance is 0" })
end

computed("cycle", "log e of the last step", function() return theory(cycle).minorant.printed end, { near = -11.825, within = 1e-3 })
computed("cycle", "spectral gap of a cycle", function() return theory(cycle).absolute_gap.chain end, { near = 0.927, within = 0.002 })
computed("cycle", "log e of the first step minus log e of the last step", function()
  return theory { step = cycle.step[1], balance = cycle.balance[1] }.minorant.printed - theory(cycle).minorant.printed
end, { at_least = 0, note = "any step of a cycle could be used (proposition C.1); the paper takes the worst one" })
computed("small", "log e at alpha 0.05 minus log e at alpha 1", function()
  return theory { step = 0.05 }.minorant.printed - theory { step = 1 }.minorant.printed
end, { at_least = 0, holds = false, quote = [[{\epsilon}_{\beta,\alpha}\to 1]], where = "theorem 5.4", paper = "as alpha -> 0", note = "e goes to 0, as it must" })
computed("small", "log e of the proof minus log e of lemma 5.3", function()
  local t = theory { step = 0.2 }
  return t.minorant.proof - t.minorant.printed
end, { near = 0, within = 1e-9, holds = false, quote = [[\left(\frac{1}{2\alpha}+\beta M-\frac{\beta\,m}{2}% \right)diam(\Theta)^{2}]], where = "lemma 5.3", paper = "exp{-(1/(2 alpha) + ...) D^2 - |grad U(a)| D}",
       note = "the proof has 1/alpha, and beta times the last term" })
computed("small", "steps to within 0.01: log of the theorem's number over the true number", function()
  local t = theory({ step = 0.2 }, 200)
  local n = 0
  while t.series[n + 1] > 0.01 do n = n + 1 end
  return math.log(math.log(0.01) / -math.exp(t.minorant.printed) / n)
end, { near = 10.1, within = 0.3, note = "the theorem allows 630,000 steps; about 25 are enough" })

computed("large", "eight bits: log of gap over e", function()
  local t = cs.theory.dmala { target = concave(8), step = 1, powers = 0 }
  return math.log(t.gap.chain) - t.minorant.printed
end, { near = 9.24, within = 0.01, note = "on four bits the log is 3.5" })

-- Two bits that tend to differ: U = 2 (x - y)^2 - ... is convex in one direction.
computed("small", "assumptions hold where U is not concave", function()
  local t = cs.theory.dmala { logp = { 0, 1, 1, 0 }, gradient = { { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 } }, step = 0.2 }
  return t.minorant.applies and 1 or 0
end, { near = 0, within = 0, note = "the theorem does not apply there" })

return cs.scenario {
  title  = "Convergence: exact and guaranteed",
  shows  = "The theorem holds but is loose: it allows 630,000 steps where 25 are enough",
  source = "acs, section 5 and appendix C",
  setting = "four bits, all sums enumerated; the paper has only proofs",

  target = four,
  chains = chains, seed = 41, start = { 1, 1, 1, 1 },
  arms   = {
    small = cs.kernel.dmala { step = 0.2 },
    large = cs.kernel.dmala { step = 1 },
    cycle = cs.kernel.dmala(cycle),
  },
  budget = { steps = 60 },
  speed  = 4,
  warmup = 0, -- convergence from the start is the subject
  screen = { "lesson", distance, "acceptance", "cycle", "summary" },
  claims = claims,
}
