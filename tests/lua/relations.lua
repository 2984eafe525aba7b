-- Tests claims that compare two arms by a relation or a ratio.
local cs = require "chainscope"
local core = require "chainscope.core"
local words = core.words

local function scenario(claims, more)
  local t = {
    title = "Relations", shows = "two arms", target = cs.target.gaussian { dim = 1 },
    arms = { a = cs.kernel.random_walk { step = 2 }, b = cs.kernel.random_walk { step = 6 } },
    chains = 16, seed = 1, budget = { steps = 400 }, claims = claims,
  }
  for name, value in next, more or {} do t[name] = value end
  return cs.scenario(t)
end
local function claim(fields, stat)
  local one = { arm = "a", stat = stat or "acceptance", than = "b" }
  for name, value in next, fields do one[name] = value end
  return one
end
local function judged(fields, stat)
  local run = cs.open(scenario { claim(fields, stat) })
  run:step(400)
  return words.claims(run)[1], run
end
local function says(fields, stat, verdict)
  local c = judged(fields, stat)
  assert(c.verdict == verdict, ("%s %s: %s, not %s (%s)"):format(fields.relation, stat or "acceptance", c.verdict, verdict, c.as_measured))
  return c
end

-- Arm `a` has a higher acceptance rate and more effective draws.
local c = says({ relation = "above" }, nil, "holds")
assert(c.figure == "acceptance less b's" and c.bound == "above 0" and c.measured > 0.2, c.figure .. c.bound)
says({ relation = "more" }, nil, "holds")
says({ relation = "below" }, nil, "DOES NOT HOLD")
says({ relation = "fewer", holds = false }, nil, "does not hold, as expected")
says({ arm = "b", than = "a", relation = "below" }, nil, "holds")

-- What "better" and "faster" mean depends on the figure: effective draws, errors, times.
says({ relation = "better" }, "ess", "holds")
c = says({ relation = "slower" }, "ess", "DOES NOT HOLD")
assert(c.figure == "ess over b's" and c.bound == "slower: below 1", c.bound)
says({ relation = "faster" }, "ess", "holds")
says({ arm = "b", than = "a", relation = "slower" }, "ess", "holds")
says({ relation = "worse", of = 1 }, "mcse", "DOES NOT HOLD")
says({ relation = "better", of = 1 }, "mcse", "holds")

-- A claim about a ratio has three answers. The ratio is on the wrong side of 1;
-- or it is on the correct side but has another size than claimed; or it has the
-- claimed size.
local ratio = judged({ relation = "more" }, "ess").measured
assert(ratio > 1.3, ratio)
says({ relation = "more", times = ratio, factor = 2 }, "ess", "holds")
says({ relation = "more", times = 71.2 }, "ess", "RIGHT DIRECTION, OTHER SIZE")
c = says({ relation = "more", times = 71.2, holds = "other size" }, "ess", "right direction, other size, as expected")
assert(c.answer == "right direction, other size" and c.bound == "71.2 times, within a factor of 1.25", c.bound)
says({ relation = "more", times = 71.2, holds = false }, "ess", "RIGHT DIRECTION, OTHER SIZE")
says({ arm = "b", than = "a", relation = "more", times = 1.5 }, "ess", "DOES NOT HOLD")
c = says({ arm = "b", than = "a", relation = "fewer", times = ratio, factor = 2 }, "ess", "holds")
assert(c.bound:find("^1/"), c.bound)
says({ arm = "b", than = "a", relation = "fewer", times = 71.2 }, "ess", "RIGHT DIRECTION, OTHER SIZE")
says({ relation = "more", times = ratio, factor = 1.0001, holds = "cannot tell" }, "ess", "cannot tell, as expected")

-- The error of a ratio is a factor, so that the lower end of a ratio of 20 +-
-- 12 is still above 1.
local function noisy(arm) return arm.name == "a" and 20 or 1, arm.name == "a" and 12 or 1e-6, 20 end
says({ relation = "more", times = 20, factor = 9, measure = noisy }, "mine", "holds")
says({ relation = "more", times = 200, factor = 9, holds = "cannot tell", measure = noisy }, "mine", "cannot tell, as expected")

-- Arms are alike if a difference is near 0 or a ratio is near 1.
says({ relation = "alike", within = 0.9 }, nil, "holds")
says({ relation = "alike", within = 0.05 }, nil, "DOES NOT HOLD")
says({ relation = "alike", within = 9 }, "ess", "holds")

-- A measure of the scenario is evaluated for both arms. Lists are compared in
-- pairs.
local function of_arm(arm) return arm.name == "a" and 3 or 2, 0.01, 20 end
c = says({ relation = "above", measure = of_arm }, "mine", "holds")
assert(math.abs(c.measured - 1) < 1e-12 and math.abs(c.error - 0.01 * math.sqrt(2)) < 1e-12, c.as_measured)
c = says({ relation = "faster", better = "less", measure = of_arm }, "mine", "DOES NOT HOLD")
c = says({ relation = "more", times = 1.5, measure = of_arm }, "mine", "holds")
assert(math.abs(c.measured - 1.5) < 1e-12)
local function list_of(arm)
  local list = {}
  for i = 1, 12 do list[i] = 10 * i + (arm.name == "a" and 1 + i % 2 / 10 or 0) end
  return list
end
c = says({ relation = "above", measure = list_of }, "mine", "holds")
assert(c.error < 0.1 and c.by:find "^bootstrap of 12", c.as_measured)

-- Tests invalid relations and the reasons that the errors give.
local function refused(fields, why, stat)
  local good, what = pcall(scenario, { claim(fields, stat) })
  assert(not good and tostring(what):find(why, 1, true), tostring(what))
end
refused({ relation = "slowr" }, "unknown relation 'slowr'")
refused({ relation = "better" }, "it is not known whether a larger or a smaller")
refused({ relation = "above", at_least = 0 }, "at_least cannot be combined with relation")
refused({ relation = "alike" }, "needs `within`")
refused({ relation = "above", within = 1 }, "`within` needs relation")
refused({ relation = "above", factor = 2 }, "`factor` needs `times`")
refused({ at_least = 0 }, "than needs a relation")
refused({ relation = "above", than = "c" }, "'c'")
refused({ relation = "above", holds = "other size" }, "needs `times`")
local good, what = pcall(scenario, { { arm = "a", stat = "acceptance", less_than = "b", at_least = 0, quote = "a is better", where = "section 1" } })
assert(not good and tostring(what):find("about two arms needs `relation`", 1, true), tostring(what))

-- A claim from a paper has either a quotation with its place in the paper, or a
-- reason why the claim is in our own words.
local function paper(fields)
  local one = { arm = "a", stat = "acceptance", at_least = 0.1 }
  for name, value in next, fields do one[name] = value end
  return words.claims(cs.open(scenario { one }))[1].paper
end
assert(paper { quote = "a is best", where = "section 2" } == '"a is best" (section 2)')
assert(paper { quote = "a is best", where = "section 2", paper = "of two" } == '"a is best" (section 2): of two')
assert(paper { paper = "0.4", where = "figure 3", source = "figure, read off" } == "0.4 (figure 3: figure, read off)")
assert(paper { paper = "0.4", source = "program" } == "0.4 (its program)")
assert(paper { paper = "0.4" } == "0.4")
for _, wrong in ipairs { { quote = "x" }, { quote = "x", where = "y", source = "program" }, { source = "hearsay" } } do
  assert(not pcall(paper, wrong))
end

-- For every figure for which one side (more or less) is "better" or "faster", tests which side
-- it is. The expected sides are derived from what the figure counts: less is better for errors
-- and work, more is better for draws and modes.
local better_if_less = [[mse mse_at step_time relative_time gradients data_terms site_updates simulations passes rows_drawn
  rows_kept average_rmse held_out log_mmd log_mmd_at tv kl chi2 ks ks_min ks_median ks_max tv_plane mode_tv mode_kl mode_error
  mean_error sd_error rhat mcse]]
local better_if_more = [[ess ess_bulk ess_tail ess_per_work ess_per_second_min ess_per_second_median ess_per_second_max
  ess_per_million_rows_min ess_per_million_rows_median ess_per_million_rows_max mean_accuracy mean_accuracy_at
  average_accuracy average_log_score jump trips jumps modes_visited modes_mean modes_together mode_entropy]]
local faster = [[mse mse_at step_time relative_time gradients data_terms site_updates simulations passes rows_drawn rows_kept
  log_mmd log_mmd_at rhat mcse ess ess_bulk ess_tail ess_per_work ess_per_second_median ess_per_million_rows_median
  mean_accuracy mean_accuracy_at jump trips jumps]]
local part = { figures = core.figures(), fail = error, suggest = function() return "" end, sorted_keys = function() return {} end }
assert(loadfile((package.searchpath("chainscope", package.path):gsub("init%.lua$", "relations.lua"))))(part)
local function side(stat, relation) return part.relation_of { stat = stat, relation = relation }.side end
local expected = {}
for name in better_if_less:gmatch "%S+" do expected[name] = -1 end
for name in better_if_more:gmatch "%S+" do expected[name] = 1 end
for name, sign in pairs(expected) do
  assert(side(name, "better") == sign and side(name, "worse") == -sign, name)
  assert(side(name, "above") == 1 and side(name, "fewer") == -1 and side(name, "alike") == 0, name)
end
for name in faster:gmatch "%S+" do
  assert(side(name, "faster") == expected[name] and side(name, "slower") == -expected[name], name)
end
for _, name in ipairs { "acceptance", "mean", "sd", "hamming_accepted", "curvature_sd" } do
  assert(side(name, "better") == nil and side(name, "faster") == nil, name)
end

-- If the arms do unequal amounts of work, a claim that compares totals cannot
-- be decided, but a claim that compares rates can.
local unequal = cs.open(scenario({ claim({ relation = "better" }, "ess"), claim({ relation = "better" }, "ess_per_work") },
  { arms = { a = cs.kernel.random_walk { step = 2 }, b = cs.kernel.hmc { step = 0.5, leapfrogs = 5 } } }))
unequal:step(400)
local total, rate = table.unpack(words.claims(unequal))
assert(total.verdict == "cannot tell" and total.reason == "work is unequal and ess grows with it", total.reason)
assert(rate.measured == rate.measured and not rate.reason, rate.reason)
