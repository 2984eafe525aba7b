-- Tests claims: the standard error of a figure, and the verdicts that follow
-- from it.
local cs = require "chainscope"
local core = require "chainscope.core"
local words = core.words

local function near(a, b, tolerance, what)
  assert(math.abs(a - b) <= tolerance, ("%s: %.12g is not %.12g"):format(what, a, b))
end

local function scenario(fields)
  local t = {
    title = "Claims", shows = "their errors", target = cs.target.gaussian { dim = 1 },
    arms = { a = cs.kernel.random_walk { step = 2 } }, chains = 8, seed = 1,
    budget = { steps = 400 },
  }
  for name, value in next, fields or {} do t[name] = value end
  return cs.scenario(t)
end

local function judged(claim, fields)
  claim.arm = claim.arm or "a"
  local t = scenario(fields)
  local run = cs.open(t)
  run:step(t.budget.steps)
  return run:judge({ claim })[1], run
end

-- A claim about an unknown coordinate names the coordinates.
do
  local good, why = pcall(function()
    local run = cs.open(scenario())
    run:step(10)
    run:judge { { arm = "a", stat = "mean", of = "y", at_least = 0 } }
  end)
  assert(not good and tostring(why):find("there is no coordinate 'y'", 1, true), why)
end

-- The jackknife error of a mean over chains equals the textbook standard error.
local j, run = judged { stat = "acceptance", at_least = 0 }
local share, sum, squares = {}, 0, 0
for i = 1, 8 do
  local t = run:arm("a"):chain(i):tally()
  share[i] = t.accepted / t.steps
  sum = sum + share[i]
end
for i = 1, 8 do squares = squares + (share[i] - sum / 8) ^ 2 end
near(j.value, sum / 8, 1e-12, "the share")
near(j.error, math.sqrt(squares / 7 / 8), 1e-12, "its error")
assert(j.freedom == 7 and j.by == "jackknife of 8 chains", j.by)

-- If there are more chains than groups, the jackknife uses the means of groups.
j = judged({ stat = "acceptance", at_least = 0 }, { chains = 64 })
assert(j.freedom == 31 and j.error > 0 and j.by == "jackknife of 32 groups of chains", j.by)

-- A single chain has no error, and therefore no verdict.
j = judged({ stat = "acceptance", at_least = 0.1 }, { chains = 1 })
assert(j.error ~= j.error and j.answer == nil and not j.as_said and j.by:find "^one chain")

-- The mean of a normal distribution is 0. The 95 % interval covers 0 in about
-- 95 % of the runs. The wider interval that decides agreement with the exact
-- value covers 0 in almost all runs.
local inside, agrees, runs = 0, 0, 120
for seed = 1, runs do
  local m = judged({ stat = "mean", of = 1, near = 0, within = 1e-9 }, { seed = seed })
  inside = inside + (m.answer == nil and 1 or 0) -- 0 is within the error
  agrees = agrees + (judged({ stat = "mean", of = 1, exact = 0, within = 1 }, { seed = seed }).as_said and 1 or 0)
end
assert(inside >= 0.88 * runs and inside <= runs - 1, "95 % of runs are " .. inside .. " of " .. runs)
assert(agrees >= runs - 2, "agrees: " .. agrees)

-- Tests coordinates with high indices. The probes observe every coordinate that
-- a claim uses.
local far = scenario {
  target = cs.target.gaussian { dim = 100 }, arms = { a = cs.kernel.hmc { step = 0.5, leapfrogs = 4 } },
  claims = { { arm = "a", stat = "mean", of = 90, near = 0, within = 0.2 },
             { arm = "a", stat = "sd", of = "x.100", near = 1, within = 0.2 },
             { arm = "a", stat = "rhat", of = 30, at_most = 1.1 } },
}
local long = cs.open(far)
long:step(400)
for _, one in ipairs(long:judge(far.claims)) do
  assert(one.answer, one.claim.stat .. " of " .. one.claim.of .. " is " .. one.value)
end

-- Tests the three possible answers (true, false, undecided), with values on
-- both sides of a bound.
local x, se = j.value, 0.01
local base = judged { stat = "acceptance", at_least = 0 }
x, se = base.value, base.error
local function answer(claim)
  claim.stat = "acceptance"
  return (judged(claim))
end
assert(answer({ at_least = x - 5 * se }).answer == true)
assert(answer({ at_least = x + 5 * se }).answer == false)
assert(answer({ at_least = x + se }).answer == nil)
assert(answer({ at_most = x + 5 * se }).answer == true)
assert(answer({ at_most = x - 5 * se }).answer == false)
assert(answer({ near = x, within = 5 * se }).answer == true)
assert(answer({ near = x, within = se }).answer == nil)
assert(answer({ near = x + 9 * se, within = 2 * se }).answer == false)
-- A value that differs from the exact value fails the claim, whatever the
-- bounds are.
local off = answer { at_least = 0, exact = x + 40 * se }
assert(off.answer == true and off.off and not off.as_said)
assert(answer({ at_least = 0, exact = x + se }).as_said)
assert(not answer({ exact = x + 40 * se }).as_said)
assert(answer({ exact = x + 40 * se, holds = false }).as_said)
-- Before the whole budget is used, a claim is decided only if its figure is far
-- enough on the claimed side, and only if a longer run would estimate the same
-- quantity.
local halfway = cs.open(scenario {})
halfway:step(200)
local now = halfway:judge({ { arm = "a", stat = "acceptance", at_least = 0 } })[1]
local function decided(claim, stat)
  claim.arm, claim.stat = "a", stat or "acceptance"
  return halfway:decided { claim }
end
local at, by = now.value, now.error
assert(decided { at_least = at - 7 * by } and decided { at_most = at + 7 * by })
assert(decided { at_least = at + 7 * by, holds = false }) -- expected to fail, and fails
assert(not decided { at_least = at + 7 * by }) -- expected to hold, but fails
assert(not decided { at_least = at - 3 * by }) -- the verdict is certain at 95 % but not at 99.9 %
assert(not decided { at_least = at + by / 9, holds = "cannot tell" })
assert(not decided { exact = at, within = 1 } and not decided { at_least = 0, exact = at })
assert(not decided { at_least = 0, each = 10 })
assert(decided({ at_least = 1 }, "ess") and not decided({ at_most = 1e9 }, "ess")) -- ESS grows during a run
assert(not decided({ near = 0, within = 1e9 }, "ess"))
assert(not decided({ at_least = 1e9, holds = false }, "ess"))
assert(not decided({ at_most = 1e9 }, "ess_per_second_min"))
assert(decided({ at_most = 1e9 }, "ess_per_work") and decided({ at_least = 0 }, "gradients"))

-- After a warm-up, ess_per_work grows with the run, since the work of the warm-up counts. A bound
-- that it is below in the first half of the run and above at the end is not decided early.
local warm = cs.open { target = cs.target.gaussian { dim = 2 }, chains = 8, seed = 1, warmup = 2000,
                       budget = { steps = 6000 }, arms = { a = cs.kernel.hmc { step = 0.3, leapfrogs = 4 } } }
warm:step(2500)
local function rate(bound)
  local claim = { arm = "a", stat = "ess_per_work" }
  for name, x in pairs(bound) do claim[name] = x end
  return claim
end
local early = warm:judge({ rate { at_least = 0 } })[1]
local most = 2 * early.value
assert(warm:judge({ rate { at_most = most } })[1].as_said and early.value + 7 * early.error < most)
assert(not warm:decided { rate { at_most = most } }, "decided by a value that grows")
assert(not warm:decided { rate { at_least = most, holds = false } } and not warm:decided { rate { near = early.value, within = early.value } })
assert(warm:decided { rate { at_least = early.value - 7 * early.error } }, "its growth cannot undo this bound")
assert(not warm:decided { { arm = "a", stat = "gradients", at_least = 0, at_most = 100 } }, "a mean over warm-up and draws")
warm:step(3500)
assert(not warm:judge({ rate { at_most = most } })[1].as_said, "the early decision would have been wrong")
assert(not decided { at_least = 0, measure = function() return 1, 0 end })
assert(not halfway:decided {})
assert(not halfway:decided { { arm = "a", stat = "acceptance", at_least = 0 },
                             { arm = "a", stat = "acceptance", exact = 0.5, within = 1 } })
-- A deviation of half a percent is reported if its error is much smaller.
local fine = judged({ stat = "acceptance", exact = x }, { budget = { steps = 200000 } })
assert(fine.error < 0.0008 * x, fine.error)
assert(judged({ stat = "acceptance", exact = 1.005 * fine.value, within = 1 },
              { budget = { steps = 200000 } }).answer == false)

-- A value that agrees only because its error is large does not confirm the
-- claim. With two chains the interval is up to 636 standard errors wide, so 0.3
-- is not refuted either, and the claim is undecided.
local vague = { stat = "mean", of = 1, exact = 0.3 }
for seed = 1, 10 do
  local one = judged(vague, { chains = 2, seed = seed, budget = { steps = 2000 } })
  assert(one.answer ~= true and one.freedom == 1, one.value)
end
assert(judged({ stat = "mean", of = 1, exact = 0, within = 0.1 }, { budget = { steps = 20000 } }).answer)
assert(judged({ stat = "mean", of = 1, exact = 0, within = 0.001 }, { budget = { steps = 20000 } }).answer == nil)

-- The verdict is in words: the claim holds, fails, or is undecided.
for said, as in pairs { [true] = { true, false, false }, [false] = { false, true, false },
                        ["cannot tell"] = { false, false, true } } do
  for i, bound in ipairs { x - 5 * se, x + 5 * se, x + se } do
    local one = answer { at_least = bound, holds = said }
    assert(one.as_said == as[i], tostring(said) .. i)
  end
end

-- For a figure that is NaN, the reason is reported.
j = judged({ stat = "cycle_acceptance", of = 1, at_least = 1 }, { probes = { "energy" } })
assert(j.answer == nil and not j.as_said and j.reason == 'the run has no probe cycle: probes = { "cycle" } adds it', j.reason)
j = cs.open(scenario()):judge({ { arm = "a", stat = "acceptance", at_least = 0 } })[1]
assert(j.reason == "no steps were run", j.reason)

-- The full setting of a scenario changes the budget, the number of chains, the
-- seeds, and the claims that are judged.
local t = scenario {
  full = { budget = { steps = 700 }, chains = 3, seeds = 2 },
  claims = { { arm = "a", stat = "acceptance", at_least = 0.1 },
             { arm = "a", stat = "rhat", at_most = 9, only = "full" },
             { arm = "a", stat = "mcse", at_most = 9, only = "quick" } },
}
local function open(...)
  local r = words.open(t, { ... })
  while r:step(100) == 100 do end
  return r
end
local quick, full = open(), open("full=1")
assert(quick.steps == 400 and quick.arms.a.chains[8] and not quick.arms.a.chains[9])
assert(full.steps == 700 and full.arms.a.chains[3] and not full.arms.a.chains[4])
local function names(r)
  local list = {}
  for i, c in ipairs(words.claims(r)) do list[i] = c.figure end
  return table.concat(list, " ")
end
assert(names(quick) == "acceptance mcse" and names(full) == "acceptance rhat")
assert(words.claims(full).seeds == 2 and words.claims(quick).seeds == 1)
-- A value that the user sets overrides the full setting.
assert(open("full=1", "steps=50").steps == 50 and open("steps=50", "full=1").steps == 50)

-- With several seeds the result is the mean over the seeds, and its error is
-- estimated from their spread.
local first, second = open("full=1"), open("full=1", "seed=2")
words.claims(first)
words.results(first, "keep " .. words.results(first, "claims"))
local a = words.claims(first, true)[1]
words.results(first, "keep " .. words.results(second, "claims"))
local b = words.claims(second, true)[1]
local alone = words.claims(second)[1]
near(b.measured, (a.measured + alone.measured) / 2, 1e-12, "the mean of two seeds")
near(b.error, math.abs(a.measured - alone.measured) / 2, 1e-12, "its error")
assert(b.by == "spread of 2 seeds" and alone.by == "jackknife of 3 chains")

-- If seeds differ by more than their own errors, no seed has explored the whole
-- distribution.
local function by_of_seeds(apart)
  local function run_of(seed)
    local r = cs.open(scenario { seed = seed, claims = { { arm = "a", stat = "x", at_least = 0, measure = function()
      return 5 + (seed == 3 and apart or 0) * 0.1, 0.1, 30 end } } })
    r:step(10)
    return r
  end
  local last = run_of(1)
  words.claims(last)
  for seed = 1, 3 do words.results(last, "keep " .. words.results(run_of(seed), "claims")) end
  return words.claims(last, true)[1].by
end
assert(by_of_seeds(12) == "spread of 3 seeds; seeds 1 and 3 differ by 8.49 standard errors of their own")
assert(by_of_seeds(4) == "spread of 3 seeds")

-- A function of the scenario may measure a claim. If the function fails, this
-- is reported, and the other claims are still judged.
local function own(measure, more)
  local claim = { arm = "a", stat = "what I call it", at_least = 2, measure = measure }
  for k, v in pairs(more or {}) do claim[k] = v end
  if claim.at_least == "none" then claim.at_least = nil end
  local r = cs.open(scenario { claims = { claim, { arm = "a", stat = "acceptance", at_least = 0 } } })
  r:step(10)
  local all = words.claims(r)
  assert(all[2].answer == "holds")
  return all[1]
end
local c = own(function(arm) return #arm.chains end)
assert(c.measured == 8 and c.figure == "what I call it" and c.error ~= c.error)
assert(c.answer == "cannot tell" and c.verdict == "cannot tell: no error known" and c.as_measured == "8")
c = own(function() return 2.5, 0.3, 5 end)
assert(c.error == 0.3 and c.answer == "cannot tell" and c.by == "the scenario's own measure")
assert(c.verdict == "cannot tell" and c.as_measured == "2.5 +- 0.3 (5)", c.verdict)
c = own(function() return 2.5, 0.3, 5 end, { holds = "cannot tell" })
assert(c.verdict == "cannot tell, as expected")
local function word(x, said)
  return own(function() return x, 0.01, 5 end, { holds = said }).verdict
end
assert(word(1) == "DOES NOT HOLD" and word(1, false) == "does not hold, as expected")
assert(word(2.5, false) == "HOLDS, unexpectedly" and word(2.5, "cannot tell") == "holds")
c = own(function() return 2.5, 0.01, 5 end)
assert(c.answer == "holds")
assert(c.as_measured == "2.5 +- 0.01 (5)" and c.verdict == "holds" and c.freedom == 5)
-- A computed value has no error. It is compared directly, also over several
-- seeds.
c = own(function() return 2.5, 0 end)
assert(c.as_measured == "2.5" and c.verdict == "holds" and c.by == "computed" and c.error == 0, c.as_measured)
assert(own(function() return 1.9999999, 0 end).verdict == "DOES NOT HOLD")
assert(own(function() return 2, 0 end).verdict == "holds")
assert(own(function() return 1, 0 end, { at_least = "none", exact = 1, within = 0.1 }).verdict == "holds")
assert(own(function() return 1.001, 0 end, { at_least = "none", exact = 1, within = 0.1 }).verdict == "DOES NOT HOLD")
-- If a measure returns a list with one contribution per chain, and a function
-- of the list, the error comes from a bootstrap.
local function least(list) return math.min(table.unpack(list)) end
local function middle(list) table.sort(list) return (list[4] + list[5]) / 2 end
c = own(function() return { 7, 1, 6, 4, 9, 3, 5, 8 }, middle end)
assert(c.measured == 5.5 and c.error > 0.5 and c.error < 2 and c.freedom == 7)
assert(c.by == "bootstrap of 8 chains", c.by)
-- If a measure returns only a list, the result is the mean of the list. Its
-- error equals that of a function which returns the mean.
local values = { 7, 1, 6, 4, 9, 3, 5, 8 }
c = own(function() return values end)
local by_hand = own(function()
  return values, function(list)
    local sum = 0
    for _, x in ipairs(list) do sum = sum + x end
    return sum / #list
  end
end)
assert(c.measured == 43 / 8 and c.error == by_hand.error and c.by == "bootstrap of 8 chains", c.by)
c = own(function() return {} end)
assert(c.answer == "cannot tell" and c.reason:find("returned an empty list", 1, true), c.reason)
-- A measure is called only when data exist: neither before the first step nor
-- during the warm-up.
local asked = 0
local quiet = cs.open(scenario { warmup = 20, claims = { { arm = "a", stat = "draws of a chain", at_least = 1,
  measure = function(arm)
    asked = asked + 1
    return #arm:chain(1):draws(), 0
  end } } })
local function of_quiet() return words.claims(quiet)[1] end
assert(of_quiet().reason == "no steps were run" and asked == 0)
quiet:step(10)
assert(of_quiet().reason:find("warm-up", 1, true) and asked == 0, of_quiet().reason)
quiet:step(30)
assert(of_quiet().measured == 20 and asked > 0, of_quiet().measured)
c = own(function() return { 3, 3, 3, 3, 3, 3, 3, 3 }, least end)
assert(c.answer == "holds" and c.as_measured == "3 (8 alike)" and c.by == "all 8 chains alike", c.as_measured)
c = own(function() return { 3, 3, 3, 3 }, least end)
assert(c.answer == "cannot tell" and c.verdict == "cannot tell: no error known")
c = own(function() error "no such luck" end)
assert(c.measured ~= c.measured and c.reason:find("no such luck", 1, true), c.reason)
c = own(function() return 0 / 0 end)
assert(c.answer == "cannot tell" and c.reason:find("returned NaN", 1, true))
assert(not pcall(own, function() return "2" end))

-- A measured time has no error that could be estimated from the chains.
-- Gradients are counted exactly.
j = judged { stat = "relative_time", of = "a", near = 1, within = 1e-12 }
assert(j.answer == nil and j.error ~= j.error and j.by:find "^one run")
j = judged({ stat = "gradients", exact = 401 / 400 },
           { arms = { a = cs.kernel.mala { step = 0.1 } } })
assert(j.as_said and j.counted, j.value)

-- All kinds of work are counted. An evaluation of the differences of all sites
-- counts as one evaluation, and so does an evaluation of all rows.
local sites = cs.open(scenario { target = cs.target.bernoulli4 {}, arms = { a = cs.kernel.gibbs {} } })
sites:step(400)
local w = sites:arm "a"
assert(w.site_differences >= 8 * 400)
near(w.evaluations, w.log_densities + w.gradients + w.site_differences / 4, 1e-9, "with sites")
near(w:figure "ess_per_work", 1000 * w:figure "ess" / w.evaluations, 1e-9, "ess for 1000 of them")
local schools = cs.open(scenario { target = cs.target.eight_schools {},
                                   arms = { a = cs.kernel.hmc { step = 0.1, leapfrogs = 3 } } })
schools:step(50)
w = schools:arm "a"
assert(w.data_terms > 0)
near(w.evaluations, w.data_terms / 8, 1e-9, "with rows")

-- Agreement of all n chains is not certainty: up to a share of about 3 / n of
-- all possible chains may still differ. With fewer than six chains a median has
-- no error.
local still = { arms = { a = cs.kernel.random_walk { step = 1e9 } } }
local function frozen(chains, bound)
  return judged({ stat = "acceptance", at_most = bound },
                { arms = still.arms, chains = chains, start = { 0, 0 }, budget = { steps = 50 },
                  target = cs.target.gaussian { dim = 2 } })
end
j = frozen(8, 0.1)
assert(j.value == 0 and j.answer == nil and j.by == "rule of three: 8 chains alike", j.by)
near(core.t_quantile(0.975, 7) * j.error, 1 - 0.025 ^ (1 / 8), 1e-12, "its possible error")
assert(frozen(50, 0.1).answer == true and frozen(50, 0.05).answer == nil)
local function modes(chains)
  return judged({ stat = "modes_visited", at_least = 1 },
                { target = cs.target.bernoulli4 {}, arms = { a = cs.kernel.gibbs {} }, chains = chains,
                  budget = { steps = 20000 } })
end
j = modes(8)
assert(j.answer == true and j.error == 0 and j.freedom == 7 and j.by == "all 8 chains alike", j.by)
j = modes(4)
assert(j.answer == nil and j.freedom == 0)
-- The error of a median comes from a bootstrap. The jackknife error of a median
-- is 0 here, because most chains have visited the median number of modes.
local few = cs.open(scenario { target = cs.target.bernoulli4 {}, chains = 16,
                               arms = { a = cs.kernel.gibbs {} }, budget = { steps = 20 } })
few:step(20)
j = few:judge({ { arm = "a", stat = "modes_visited", at_least = 1 } })[1]
assert(j.by == "bootstrap of 16 chains" and j.error > 0.1 and j.error < 1, j.error)

-- The worst value over all quantities has the error of the quantity with the
-- worst value. That quantity may be a coordinate or the log density, although a
-- claim cannot name the log density.
local wide = { target = cs.target.gaussian { dim = 3 }, chains = 8, budget = { steps = 2000 } }
local worst, run3 = judged({ stat = "ess", at_least = 0 }, wide)
local at, least_of
for k = 1, 3 do
  local one = run3:judge({ { arm = "a", stat = "ess", of = k, at_least = 0 } })[1]
  if one.value == worst.value then at = one end
  least_of = math.min(least_of or one.value, one.value)
end
assert(worst.value <= least_of and worst.error > 0)
assert(worst.error == (at or worst).error and (at ~= nil) == (worst.value == least_of))

-- A number that a paper states for its own data is not judged on other data. If
-- a paper states that an arm is better than another, a claim that the two arms
-- are about equal is refused unless it has a note.
local two_arms = { a = cs.kernel.random_walk { step = 2 }, b = cs.kernel.random_walk { step = 5 } }
local alike = { arm = "a", stat = "acceptance", less_than = "b", near = 0, within = 1, paper = "a is better" }
assert(not pcall(scenario, { arms = two_arms, claims = { alike } }))
alike.note = "equivalence: both accept"
assert(scenario { arms = two_arms, claims = { alike } })
local ratio = { arm = "a", stat = "acceptance", ratio_to = "b", near = 1, within = 1, paper = "a is better" }
assert(not pcall(scenario, { arms = two_arms, claims = { ratio } }))
local lacking = { arm = "a", stat = "acceptance", each = 10, at_least = 0, paper = "0.4", data = "no/such.csv" }
local none = cs.open(scenario { setting = "8 chains for 80", claims = { lacking, alike }, arms = two_arms })
none:step(400)
c = words.claims(none)
assert(c[1].answer == "not run" and c[1].verdict == "not run: no data" and c[1].as_measured == "-")
assert(c[1].reason:find "no/such.csv" and c[1].setting == "8 chains for 80" and c[2].answer == "holds")
for _, wrong in ipairs { { exact = 0 }, { at_least = 0, within = 1 }, { at_least = 0, holds = "maybe" } } do
  wrong.arm, wrong.stat = "a", "acceptance"
  assert(not pcall(scenario, { claims = { wrong } }))
end

-- If claims need probes that a scenario must request by name, these probes are
-- added. The other probes are kept, and a view keeps its plane.
local named = cs.open(scenario { target = cs.target.bernoulli4 {},
  arms = { a = cs.kernel.gibbs {} }, probes = { "curvature", mmd = { reference = 50 } } })
named:step(200)
for _, name in ipairs { "curvature_sd", "log_mmd", "tv", "chi2", "hamming", "acceptance" } do
  assert(named:arm("a"):figure(name) == named:arm("a"):figure(name), name)
end
assert(named:arm("a"):report("mmd/value")[3] == 50)
local alone = cs.open(scenario())
assert(not alone:arm("a"):report("curvature/eigenvalues"))

-- Tests the difference from another arm and the ratio to another arm. Chains
-- with the same number use the same random numbers in both arms, so the
-- jackknife leaves out the same chains in both arms.
local two = { arms = { a = cs.kernel.random_walk { step = 2 }, b = cs.kernel.random_walk { step = 5 } } }
local plain = judged({ stat = "acceptance", at_least = 0 }, two)
local other, both = judged({ arm = "b", stat = "acceptance", at_least = 0 }, two)
local less = judged({ stat = "acceptance", less_than = "b", at_least = 0 }, two)
local over = judged({ stat = "acceptance", ratio_to = "b", at_least = 1 }, two)
near(less.value, plain.value - other.value, 1e-15, "less")
near(over.value, plain.value / other.value, 1e-15, "over")
local gap, mean_gap, off_gap = {}, 0, 0
for i = 1, 8 do
  local a, b = both:arm("a"):chain(i):tally(), both:arm("b"):chain(i):tally()
  gap[i] = (a.accepted - b.accepted) / a.steps
  mean_gap = mean_gap + gap[i] / 8
end
for i = 1, 8 do off_gap = off_gap + (gap[i] - mean_gap) ^ 2 end
near(less.error, math.sqrt(off_gap / 7 / 8), 1e-12, "its error")
assert(over.error > 0 and over.error < 2 * over.value * math.sqrt((plain.error / plain.value) ^ 2 + (other.error / other.value) ^ 2))
-- The error of the difference between two identical arms is not known, and the
-- reason is reported.
local same = { arms = { a = cs.kernel.random_walk { step = 2 }, b = cs.kernel.random_walk { step = 2 } } }
less = judged({ stat = "acceptance", less_than = "b", at_least = 0 }, same)
assert(less.value == 0 and less.answer == nil and less.by:find "no error known", less.by)
-- Arms with unequal numbers of chains are compared as if they were independent.
less = judged({ stat = "acceptance", less_than = "b", at_least = 0 },
              { arms = { a = two.arms.a, b = { kernel = two.arms.b, chains = 6 } } })
assert(less.freedom == 5)
less = judged({ stat = "acceptance", less_than = "b", at_least = 0 }, two)
assert(less.freedom == 7 and less.answer and over.answer)
for _, wrong in ipairs { { less_than = "c" }, { less_than = "b", ratio_to = "b" }, { less_than = "b", measure = print }, { each = 0 } } do
  wrong.arm, wrong.stat, wrong.at_least = "a", "acceptance", 0
  assert(not pcall(scenario, { arms = two.arms, claims = { wrong } }))
end

-- The result is the mean of the values at every 50th step, including the start.
-- After a rewind the same values are recorded again. Without the value at the
-- start there is no result.
local each = { arm = "a", stat = "failed", each = 50, at_least = 0, at_most = 0 }
local followed = cs.open(scenario { claims = { each } })
local seen = 0
followed:every(50, function() seen = seen + 1 end)
followed:step(120)
followed:rewind(60)
followed:step(340)
c = words.claims(followed)[1]
assert(c.figure == "failed, each 50" and c.measured == 0 and c.error == 0 and c.answer == "holds")
assert(seen == 8 and c.by == "counted")
-- If a recorded value is missing, there is no verdict for the whole run.
local trail = core.run_memory(followed).trails[each][1]
local start = trail[0]
trail[0] = nil
c = words.claims(followed)[1]
assert(c.answer == "cannot tell" and c.reason:find "from the start", c.reason)
trail[0] = start
assert(words.claims(followed)[1].answer == "holds")
local missed = cs.open(scenario())
missed:step(50)
assert(missed:judge({ each })[1].reason:find "from the start")

-- A function may create the target when the run is opened. The full setting
-- uses another target.
local made = 0
local function later(dim)
  return function() made = made + 1 return cs.target.gaussian { dim = dim } end
end
local lazy = scenario { target = later(2), full = { target = later(3) }, start = { 0.5, 0.5 },
                        claims = { { arm = "a", stat = "mean", of = 2, at_least = -9 } } }
assert(made == 0)
assert(#words.open(lazy, {}).coordinates == 2 and made == 1)
lazy.start = nil
assert(#words.open(lazy, { "full=1" }).coordinates == 3 and made == 2)
-- The function that creates the target receives the seed.
local seed
lazy.target, lazy.full = function(of) seed = of return cs.target.gaussian {} end
words.open(lazy, {})
assert(seed == (lazy.seed or 0))
words.open(lazy, { "seed=5", "full=1" })
assert(seed == 5)
lazy.target = function() return 7 end
local good, what = pcall(words.open, lazy, {})
assert(not good and tostring(what):find "returned a number")
assert(cs.has_data "net/that/is/not.there" == false)
