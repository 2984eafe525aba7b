-- Claims: statements of a scenario or a paper about the results of a run. Each claim is compared
-- with a measured value and the error of this value.
local m = ...
local core, cs, rows = m.core, m.cs, m.rows
local abs, huge, sqrt = math.abs, math.huge, math.sqrt
local mean_of, look, error_of, sights = m.mean_of, m.look, m.error_of, m.sights
local nan = 0 / 0

rows.claim = {
  arm = { "string number", "the arm to which the claimed figure belongs", required = "arm = the name of an arm" },
  stat = { "string", "the name of the figure; cs.help \"figures\" lists the figures", required = "for example stat = \"acceptance\"" },
  of = { "string number function", "the coordinate (its number or name), or a function of a draw as an expression or a function: \"mu + tau^2\"; the mode, the other arm, \"mu at 90 %\" for a quantile or an interval, or the condition of a probability" },
  name = { "string", "the name of the function `of` in texts; by default its expression, or its line in the script", plain = true },
  percent = { "number", "the percentage of a quantile or an interval, if it is not in `of`", min = 0, max = 100 },
  lag = { "number", "the lag of `autocorrelation`, in kept draws", whole = true, min = 0, max = 2 ^ 53 },
  superchains = { "number", "the number of superchains of `rhat_nested`; by default the number of starts", whole = true, min = 2, max = 2 ^ 30 },
  each = { "number", "n: the figure is measured every n steps, including the start, and averaged over the run", whole = true, min = 1, max = 2 ^ 53 },
  less_than = { "string number", "the claim is about the figure minus the figure of this arm, for example with at_most = 0" },
  ratio_to = { "string number", "the claim is about the figure divided by the figure of this arm, for example with at_least = 1" },
  relation = { "string", "relation of the figure to the figure of the arm `than`: above, more, below, fewer; better, worse, faster, slower (the figure determines the direction); or alike (up to `within`)" },
  than = { "string number", "the other arm of a relation" },
  times = { "number", "the claimed ratio, in the direction of the relation; direction and size are judged separately", min = 1, above = true },
  factor = { "number", "the factor by which the ratio may be larger or smaller; 1.25 by default", min = 1, above = true },
  better = { "string", "\"more\" or \"less\": whether larger or smaller values of the scenario's own measure are better (or faster)" },
  measure = { "function", "a function that computes the figure; stat is then only its name. measure(arm) returns the figure, its standard error and its degrees of freedom; or it returns a list with one entry per chain and, optionally, a function that computes the figure from such a list (by default the mean), and the error is then estimated by the bootstrap. Without an error there is no verdict; an error of 0 means that the number is computed, not sampled" },
  at_least = { "number", "the smallest value for which the claim holds" },
  at_most = { "number", "the largest value for which the claim holds" },
  near = { "number", "the expected value, up to the tolerance `within`" },
  within = { "number", "the tolerance of `near`, `exact` or relation = \"alike\"; for `exact`, by default 5 % of the value", min = 0 },
  exact = { "number", "the true value: the figure must agree with this value, and the error of the figure must be small compared with `within`" },
  holds = { "boolean string", "false: our measurement disagrees with the claim of the paper; \"other size\": the ratio has the claimed direction but another size; \"cannot tell\": our error is too large to decide" },
  quote = { "string", "the paper's exact words, with \" ... \" for omissions; the claim then counts as a claim of the paper" },
  where = { "string", "the place of the quotation: \"section 6.4\", \"table 2\", \"figure 3\"" },
  source = { "string", "the source of a statement that is not in the text of the paper: \"program\", \"figure, read off\" or \"another paper\"" },
  paper = { "string", "the statement of the paper in other words, for example which of the paper's numbers is meant; with `quote`, or with `source`" },
  data = { "string", "the data file that the paper used; if the file is missing, the claim is not judged" },
  note = { "string", "the reason for the result" },
  only = { "string", "the setting in which the claim is judged, \"full\" or \"quick\"; both by default" },
}

-- ---- checks --------------------------------------------------------------

local settings = { "full", "quick" }

local function check_bounds(claim)
  if claim.relation then return end
  local kinds = 0
  for _, name in ipairs { "at_least", "at_most", "near" } do
    if claim[name] then kinds = kinds + 1 end
  end
  if (kinds == 0 and not claim.exact) or (claim.near and kinds > 1) then
    m.fail("a claim has no value to compare with",
           "give `at_least`, `at_most`, `near` with `within`, or `exact`")
  end
  if claim.near and not claim.within or claim.within and not claim.near and not claim.exact then
    m.fail("a claim has `near` without `within`, or `within` without `near` or `exact`",
           "near = 0.4, within = 0.01")
  elseif claim.exact == 0 and kinds == 0 and not claim.within then
    m.fail("`exact = 0` also needs `within`, the allowed difference", "exact = 0, within = 0.05")
  end
end

-- Papers state that one arm is better than another. A claim that only states that two arms
-- are alike would not confirm such a statement. Fails for such a claim if it is from a
-- paper.
local function check_paper(claim)
  local alike = claim.less_than and claim.near == 0 or claim.ratio_to and claim.near == 1
  if claim.paper and alike and not (claim.note or ""):find("equivalence", 1, true) then
    m.fail("a claim has `paper`, but states no more than that two arms are alike",
           "give at_most or at_least for \"better\", or note = \"equivalence: ...\" if the paper says alike")
  end
end

local function check_arm(name, names)
  if name == nil or names[name] then return end
  local list = {}
  for one in next, names do
    if type(one) == "string" then list[#list + 1] = one end
  end
  table.sort(list)
  m.fail("a claim names the arm '" .. tostring(name) ..
         "', which does not exist", m.suggest(name, list))
end

local function check_holds(claim)
  local said = claim.holds
  if type(said) == "string" and said ~= "cannot tell" and said ~= "other size" then
    m.fail("unknown value: holds = '" .. said .. "'", "write holds = false, holds = \"other size\", or holds = \"cannot tell\"")
  elseif said == "other size" and not claim.times then
    m.fail("holds = \"other size\" needs `times`", "for example times = 8.7")
  end
end

local sources = { program = true, ["figure, read off"] = true, ["another paper"] = true }

-- Checks that a claim from a paper has either a quotation with its place, or the field `source`,
-- which explains why it has no quotation. A claim about two arms that has a quotation must have a
-- relation.
local function check_source(claim)
  if claim.quote and not claim.where then
    m.fail("a quotation needs `where`", "for example where = \"table 2\"")
  elseif claim.quote and claim.source then
    m.fail("a claim has both `quote` and `source`", "give `quote` and `where`, or give `source`")
  elseif claim.source and not sources[claim.source] then
    m.fail("unknown source of a claim: '" .. claim.source .. "'", m.suggest(claim.source, m.sorted_keys(sources)))
  elseif claim.quote and (claim.less_than or claim.ratio_to) then
    m.fail("a quotation about two arms needs `relation`",
           "relation = \"better\", than = \"" .. (claim.less_than or claim.ratio_to) .. "\"")
  end
end

local function check_claim(claim, names, coordinates, starts)
  m.check("a claim", claim, rows.claim)
  for _, field in ipairs { "arm", "less_than", "ratio_to", "than" } do check_arm(claim[field], names) end
  if not claim.measure then
    local of = m.of_claim(claim)
    local lacking = m.lacks_superchains(m.check_figure(claim.stat, of, coordinates, names), of, starts)
    if lacking then m.fail(lacking) end
  end
  m.check_relation(claim)
  check_source(claim)
  if claim.measure and (claim.each or claim.less_than or claim.ratio_to) then
    m.fail("the claim '" .. claim.stat .. "' has `measure`, but `each`, `less_than` and `ratio_to` need a figure",
           "compute it in `measure`, or give `relation` and `than`")
  end
  if claim.less_than and claim.ratio_to then
    m.fail("a claim has both `less_than` and `ratio_to`", "give one of them")
  end
  check_bounds(claim)
  check_paper(claim)
  check_holds(claim)
  if claim.only and claim.only ~= "full" and claim.only ~= "quick" then
    m.fail("unknown setting of a claim: only = '" .. claim.only .. "'", m.suggest(claim.only, settings))
  end
end

function m.check_claims(t, arms)
  local names = {}
  for i, arm in ipairs(arms) do names[i], names[arm.name] = true, true end
  local coordinates = m.is_made(t.target) and t.target.coordinates or nil
  local starts = t.start and type(t.start[1]) == "table" and #t.start or 0
  m.check_list("claims", t.claims, function(claim, i)
    m.blame_entry("claims", i, function() check_claim(claim, names, coordinates, starts) end)
  end)
  if not t.budget then
    m.fail("claims need a budget", "budget = { steps = 10000 }")
  end
end

-- Returns the claims to judge in the quick or the full setting. For the quick setting, also returns
-- how many claims are judged only in the full setting.
function m.claims_of(t, full)
  local list, left_out = {}, 0
  for _, claim in ipairs(t.claims) do
    if not claim.only or (claim.only == "full") == full then list[#list + 1] = claim end
    if claim.only == "full" and not full then left_out = left_out + 1 end
  end
  return list, left_out
end

-- ---- measuring -----------------------------------------------------------

-- If all draws of a coordinate or of a function are equal, returns a sentence about it.
local function constant_of(run, arm, what, at)
  local facts = m.seen(arm)
  local value = m.is_constant(facts, at or m.derive(facts, run, what, "expression") or 0 / 0)
  local name = at and run.coordinates[at] or m.function_name(what)
  return value and ("%s is constant (%.6g in all draws)"):format(name, value)
end

-- Returns the reason in the report of a probe.
local function name_reason(row, report)
  return row.name == "ess_multivariate" and report.multivariate_reason or report.reason or ""
end

-- Returns the reason why a figure of `of` is not a number.
function m.reason_of(run, arm, row, of)
  if run.steps == 0 then return "no steps were run" end
  local lacking = m.lacks_superchains(row, of, core.run_memory(run).starts or 0)
  if lacking then return lacking end
  local report = row.probe and core.run_report_one(run, arm.index, row.probe)
  if row.probe and not report then return ("the run has no probe %s: probes = { \"%s\" } adds it"):format(row.probe, row.probe) end
  if row.logp and report.logp then
    return "the kernel " .. (report.logp == "none" and "does not compute" or "only estimates") ..
      " log p: probes = { diagnostics = { true_logp = true, every = 100 } } evaluates it"
  end
  local what, at = m.coordinate_of(row, of), nil
  if what ~= nil and not m.is_function(what, run.coordinates) then
    at = m.find_coordinate(run.coordinates, what)
  end
  if at and report and report.diagnosed and at >= report.diagnosed[1] then
    return ("only the first %d of %d quantities are recorded: give a budget of fewer steps, fewer chains or fewer quantities")
      :format(report.diagnosed[1] - 1, report.of[1] - 1)
  end
  local constant = what ~= nil and constant_of(run, arm, what, at)
  if constant then return constant end
  local reason = report and name_reason(row, report) or ""
  local of_first = reason:find("infinite or NaN", 1, true) -- names the first such quantity
  if at and (of_first or reason == "") and m.is_broken(arm, at) then
    return ("%s is infinite or NaN in some draws"):format(run.coordinates[at])
  end
  if reason ~= "" and not (at and of_first) then return reason end
  local failed = core.figure(m.seen(arm), "failed")
  if failed > 0 then return ("%d of %d chains have failed"):format(failed, #arm.chains) end
  return "it is not defined here, or there are too few draws"
end

-- Maximum number of seconds per claim. A measure may take long, for example to train a
-- network. To estimate the error, the measure is repeated without each group of chains.
local patience = 600

-- Returns the reason why a measure cannot be called yet: the run has made no step, or the arm is in
-- its warm-up. At these times, the measure would return a value that is not comparable with the
-- claimed value.
local function too_early(arm)
  if arm.run.steps == 0 then return "no steps were run" end
  if arm.tuned < 1 then return "it is still in warm-up and has no draws" end
end

local function unknown(claim, reason)
  return { claim = claim, value = nan, error = nan, freedom = 0, reason = reason }
end

-- Calls the scenario's measure for an arm. Returns the measured value. Also returns either an error
-- with its degrees of freedom, or the function that computes a figure from a list. If a measure
-- fails or returns nothing, other claims are not affected.
local function ask(claim, arm)
  local early = too_early(arm)
  if early then return nil, early end
  local good, x, err, freedom = pcall(claim.measure, arm)
  if not good then return nil, tostring(x) end
  if type(x) == "table" and #x == 0 then return nil, "its measure returned an empty list" end
  if type(x) == "table" and err == nil then err = mean_of end
  if type(x) == "table" and type(err) == "function" then return { list = x, of = err } end
  if type(x) ~= "number" or type(err or 0) ~= "number" or type(freedom or 0) ~= "number" then
    m.fail("`measure` of the claim '" .. claim.stat .. "' returned a " .. type(x),
           "return a number and its standard error, or a list and a function that computes a number from the list")
  end
  return { value = x, error = err, freedom = freedom }
end

-- Returns the value of f with its bootstrap error. The arguments of f are a list, or two
-- lists that are resampled together.
local function of_list(claim, list, f)
  local good, x, err, freedom, by = pcall(m.bootstrap, list, f)
  if not good then return unknown(claim, tostring(x)) end
  if type(x) ~= "number" then m.fail("the function returned by `measure` of the claim '" .. claim.stat .. "' returned a " .. type(x), "return a number") end
  return { claim = claim, value = x, error = err, freedom = freedom, by = by,
           reason = x ~= x and "its measure returned NaN" or nil }
end

local function of_number(claim, said)
  local x, err = said.value, said.error
  local by = err == 0 and "computed" or err and "the scenario's own measure" or "its measure gives no error"
  return { claim = claim, value = x, error = err or nan, freedom = err and (said.freedom or 1) or 0,
           by = by, counted = err == 0,
           reason = x ~= x and "its measure returned NaN" or nil }
end

local function measure_by(claim, arm)
  local said, why = ask(claim, arm)
  if not said then return unknown(claim, why) end
  if said.list then return of_list(claim, said.list, said.of) end
  return of_number(claim, said)
end

-- True if the claim needs a data file of the paper that is missing.
local function lacks_data(claim) return claim.data and not core.has_file(claim.data) end

-- Returns the arm of a claim and the arm that it is compared with, if any.
local function arms_of(run, claim)
  local list = { run:arm(claim.arm) }
  local other = claim.less_than or claim.ratio_to or claim.than
  if other then list[2] = run:arm(other) end
  return list
end

-- Claims with the field `each` are measured repeatedly from the start of the run.
-- memory.trails[claim][arm][step] stores the result of m.look.

-- True if a value read from a saved run is a valid trail.
local function is_trail(trail, n_arms)
  if type(trail) ~= "table" then return false end
  for arm, steps in next, trail do
    if math.type(arm) ~= "integer" or arm < 1 or arm > n_arms or type(steps) ~= "table" then return false end
    for step, now in next, steps do
      if type(step) ~= "number" or type(now) ~= "table" or not now.whole then return false end
      for _, x in next, now do
        if type(x) ~= "number" then return false end
      end
    end
  end
  return true
end

function m.follow_claims(run)
  local memory = core.run_memory(run)
  memory.trails = {}
  for i, claim in ipairs(memory.claims) do
    local function see()
      core.extend(patience)
      for _, arm in ipairs(arms_of(run, claim)) do
        local trail = memory.trails[claim][arm.index] or {}
        memory.trails[claim][arm.index] = trail
        trail[run.steps] = look(sights(arm), m.figures[claim.stat], m.of_claim(claim))
      end
    end
    if claim.each and not lacks_data(claim) then
      memory.trails[claim] = {}
      see()
      m.add_event(run, {
        every = claim.each, claim = i,
        get = function() return memory.trails[claim] end,
        put = function(trail) memory.trails[claim] = trail end,
        fits = function(trail) return is_trail(trail, #run.arms) end,
      }, see)
    end
  end
end

-- Returns the mean of a claim's figure over the steps. If the claim was not measured from the
-- start of the run, returns nil.
local function in_the_mean(run, claim, arm)
  local out, n, trail = {}, 0, (core.run_memory(run).trails or {})[claim]
  for step, now in next, trail and trail[arm.index] or {} do
    if step <= run.steps then
      n = n + 1
      for key, x in next, now do out[key] = (out[key] or 0) + x end
    end
  end
  for key, x in next, out do out[key] = x / n end
  return n == run.steps // claim.each + 1 and out or nil
end

-- Returns the figure of a claim for one arm, with its error.
local function measure_one(run, claim, arm, seen)
  local of = m.of_claim(claim)
  local row, found = m.check_figure(claim.stat, of), nil
  if claim.each then found = in_the_mean(run, claim, arm) else found = look(seen, row, of) end
  local out = { claim = claim, value = found and found.whole or nan, found = found, row = row }
  if out.value ~= out.value then
    out.error, out.freedom = nan, 0
    out.reason = found and m.reason_of(run, arm, row, of) or "it was not measured from the start of the run"
  else
    out.error, out.freedom, out.by = error_of(seen, row, found)
    out.counted = row.counted
  end
  return out
end

local function is_ratio(claim)
  local r = m.relation_of(claim)
  if r then return r.ratio end
  return claim.ratio_to ~= nil
end

local function difference(claim, x, y)
  if is_ratio(claim) then return x / y end
  return x - y
end

-- Returns the error of a difference or a ratio of two arms. Both arms use the same samples of
-- chains. Chains with equal indices use equal random numbers in both arms, so the figures of the
-- two arms are correlated.
local function paired(claim, a, b, seen)
  local found = {}
  for key, x in next, a.found do found[key] = difference(claim, x, b.found[key]) end
  a.counted = a.counted and b.counted
  a.error, a.freedom, a.by =
    error_of(seen, { resampled = a.row.resampled, counted = a.counted, timed = a.row.timed }, found)
end

-- Returns the error for arms with different numbers of chains, computed as if the arms were
-- independent.
local function apart(claim, a, b)
  a.freedom = math.min(a.freedom, b.freedom)
  if b.error ~= b.error then a.by = b.by end
  if not is_ratio(claim) then
    a.error = sqrt(a.error ^ 2 + b.error ^ 2)
  else
    a.error = sqrt(a.error ^ 2 + (a.value / b.value * b.error) ^ 2) / abs(b.value)
  end
end

-- Returns the difference or the ratio of two arms.
local function compare(claim, a, b, seen)
  a.reason = a.reason or b.reason
  local known = a.value == a.value and b.value == b.value
  if known and #a.found == #b.found then paired(claim, a, b, seen) else apart(claim, a, b) end
  a.value = difference(claim, a.value, b.value)
  return a
end

-- Compares two arms by the scenario's measure. If the measure returns lists of the same length
-- for both arms, entries with equal indices belong to the same chain or data set, and are
-- resampled together.
local function measure_both_by(claim, a, b)
  local x, why = ask(claim, a)
  local y, not_y = ask(claim, b)
  if not x or not y then return unknown(claim, why or not_y) end
  if not (x.list and y.list and #x.list == #y.list) then
    local one = x.list and of_list(claim, x.list, x.of) or of_number(claim, x)
    local other = y.list and of_list(claim, y.list, y.of) or of_number(claim, y)
    one.reason = one.reason or other.reason
    one.counted = one.counted and other.counted
    apart(claim, one, other)
    one.value = difference(claim, one.value, other.value)
    return one
  end
  local pairs_of = {}
  for i, value in ipairs(x.list) do pairs_of[i] = { value, y.list[i] } end
  return of_list(claim, pairs_of, function(some)
    local of_a, of_b = {}, {}
    for i, two in ipairs(some) do of_a[i], of_b[i] = two[1], two[2] end
    return difference(claim, x.of(of_a), y.of(of_b))
  end)
end

local function without_data(claim)
  return { claim = claim, value = nan, error = nan, freedom = 0, no_data = true,
           reason = claim.data .. " is not in the folder CHAINSCOPE_DATA (links that lead out of it are not followed)" }
end

-- Relations that rank two arms. If the arms have done unequal amounts of work, a figure that grows
-- with the work cannot be used to rank them.
local ranks = { better = true, worse = true, faster = true, slower = true }
local function unranked(run, claim)
  if not ranks[claim.relation] then return end
  return core.figure_is_unranked(claim.stat, run:arm(claim.arm).evaluations, run:arm(claim.than).evaluations)
end

local function measure(run, claim, sights_of)
  core.extend(patience)
  if lacks_data(claim) then return without_data(claim) end
  if claim.measure and claim.than then return measure_both_by(claim, run:arm(claim.arm), run:arm(claim.than)) end
  if claim.measure then return measure_by(claim, run:arm(claim.arm)) end
  local why = unranked(run, claim)
  if why then return unknown(claim, why) end
  local list = {}
  for i, arm in ipairs(arms_of(run, claim)) do
    list[i] = measure_one(run, claim, arm, sights_of(arm))
  end
  return list[2] and compare(claim, list[1], list[2], sights_of(run:arm(claim.arm))) or list[1]
end

-- Reports on the two seeds whose figures differ most in units of their errors. Returns nil if
-- chance can explain the difference. A larger difference means that the chains of one seed
-- have not reached the whole distribution.
local function seeds_apart(list)
  local n, most, text = #list, 0, nil
  for i = 1, n do
    for k = i + 1, n do
      local a, b = list[i], list[k]
      local freedom = math.min(a.freedom or 0, b.freedom or 0)
      local far = abs(a.value - b.value) / math.sqrt(a.error ^ 2 + b.error ^ 2)
      if freedom >= 1 and far > most and far < huge and far > core.t_quantile(1 - 1e-4 / (n * (n - 1)), freedom) then
        most, text = far, ("seeds %d and %d differ by %.3g standard errors of their own"):format(i, k, far)
      end
    end
  end
  return text
end

-- Merges the measurements of one claim from several runs: returns the mean, with the error computed
-- from the spread of the measurements.
local function merge(list)
  local last, values = list[#list], {}
  if #list == 1 or last.no_data or last.by == "computed" then return last end
  for i, one in ipairs(list) do values[i] = one.value end
  local out = { claim = last.claim, value = mean_of(values), counted = last.counted }
  local row = not last.claim.measure and m.figures[last.claim.stat] or {}
  out.error, out.freedom, out.by = m.error_of_seeds(row, values)
  local disagree = seeds_apart(list)
  if disagree then out.by = out.by .. "; " .. disagree end
  for _, one in ipairs(list) do out.reason = one.reason or out.reason end
  return out
end

-- Returns a figure of an arm, which need not be in a claim: value, error, degrees of
-- freedom and method. If the figure is not known, returns the reason.
function m.measure_figure(run, arm, stat, of)
  return measure_one(run, { stat = stat, of = of }, arm, sights(arm))
end

-- Returns a figure of an arm, its difference from the figure of another arm, or their ratio, as in a
-- claim: value, error, degrees of freedom. If it is not known, returns the reason.
function m.measure_claim(run, claim) return measure(run, claim, sights) end

-- ---- judging -------------------------------------------------------------

-- Levels of confidence. sure: for a verdict. agrees: for agreement with the exact value; a correct
-- claim is rejected with probability 1/1000. early: for a verdict before the budget is spent; the
-- level is higher because such a verdict is tested several times.
local sure, agrees, early = 0.975, 0.9995, 0.9995

local function reach(j, p)
  if j.error == 0 then return 0 end
  return core.t_quantile(p, j.freedom) * j.error
end

-- True if a verdict is possible, which requires an error.
local function is_known(j)
  return j.value == j.value and (j.counted and j.error == 0 or j.freedom >= 1)
end

-- True if the figure differs from the exact value by more than chance and rounding can explain.
local function is_off(j)
  local exact = j.claim.exact
  return exact ~= nil and is_known(j) and
    abs(j.value - exact) > reach(j, agrees) + 1e-9 * abs(exact)
end

-- Returns the tolerance around the exact value: `within`, or the default.
local function tolerance(claim) return claim.within or abs(claim.exact) / 20 end

-- Returns the bounds of a relation. For a difference, the claimed values are on one side of 0.
-- For a ratio, they are on one side of 1. If the arms are claimed to be alike, the bounds are an
-- interval around 0 or 1.
local function bounds_of_relation(r, claim)
  local level = r.ratio and 1 or 0
  if r.side == 0 then return level - claim.within, level + claim.within end
  if r.side > 0 then return level, huge end
  return -huge, level
end

local function bounds(claim)
  local r = m.relation_of(claim)
  if r then return bounds_of_relation(r, claim) end
  if claim.near then return claim.near - claim.within, claim.near + claim.within end
  if claim.at_least or claim.at_most then return claim.at_least or -huge, claim.at_most or huge end
  return claim.exact - tolerance(claim), claim.exact + tolerance(claim), true
end

-- Returns the ends of the figure's confidence interval at the given level. The error of a ratio
-- of two arms is a factor.
local function ends(j, level)
  local x, r = j.value, reach(j, level)
  local relation = m.relation_of(j.claim)
  if relation and relation.ratio and x > 0 then return x * math.exp(-r / x), x * math.exp(r / x) end
  return x - r, x + r
end

-- Compares a ratio on the claimed side of 1 with the claimed size. Returns true if the ratio
-- has the claimed size, "other size" if it has another size, or nil if the error is too
-- large to decide.
local function size_of(claim, least, most)
  local times = m.relation_of(claim).side > 0 and claim.times or 1 / claim.times
  local factor = claim.factor or m.usual_factor
  if least >= times / factor and most <= times * factor then return true end
  if most < times / factor or least > times * factor then return "other size" end
end

-- True if two arms that are claimed to differ have equal figures, and both
-- figures have error 0.
local function is_level(j, low, high)
  local relation, x = m.relation_of(j.claim), j.value
  return relation ~= nil and relation.side ~= 0 and j.error == 0 and (x == low or x == high)
end

-- Returns whether the claim holds. Returns nil if the distance to the bound is within the error
-- at the given level. To agree with an exact value, the error must be small enough to show a
-- relevant difference. A ratio may be on the claimed side without having the claimed size.
local function answer(j, level)
  if not is_known(j) then return nil end
  local low, high, only_exact = bounds(j.claim)
  local least, most = ends(j, level)
  if only_exact and is_off(j) or is_level(j, low, high) then return false end
  if least >= low and most <= high then
    if j.claim.times then return size_of(j.claim, least, most) end
    return true
  end
  if not only_exact and (most < low or least > high) then return false end
  return nil
end

-- A claim must be able to fail. A bound is too loose if it is the end of the figure's range. It is
-- also too loose if it is so far from the measured value (both in errors and relative to the value)
-- that no other run would reach it. A two-sided margin may be wider than a one-sided one. Claims
-- from papers are exempt.
local one_sided, two_sided, sizes_off = 20, 100, 20

local function can_fail(j)
  local claim, x = j.claim, j.value
  if claim.quote or claim.source or claim.relation or claim.exact or not is_known(j) then return true end
  if claim.less_than or claim.ratio_to then return true end -- a comparison of two arms
  local low, high = bounds(claim)
  local range = not claim.measure and m.figures[claim.stat].range
  if range and low <= range[1] and high >= range[2] then return false end
  if j.error == 0 or x < low or x > high then return true end
  local margin = math.min(x - low, high - x)
  local errors_off = claim.near and two_sided or one_sided
  return margin <= errors_off * j.error or margin <= sizes_off * abs(x)
end

local function judge(j)
  local claim, verdict = j.claim, answer(j, sure)
  local said = claim.holds
  local bounded = claim.near or claim.at_least or claim.at_most or claim.relation
  if said == nil then said = true end
  j.answer, j.off, j.loose = verdict, is_off(j), not can_fail(j) or nil
  if verdict == nil then verdict = "cannot tell" end
  -- A figure that differs from the exact value contradicts the claim, whatever bounds the claim
  -- has.
  j.as_said = j.no_data or
    (j.value == j.value and verdict == said and not (j.off and bounded ~= nil))
  return j
end

local function measure_all(run, claims)
  local out, seen = {}, {}
  local function sights_of(arm)
    seen[arm.index] = seen[arm.index] or sights(arm)
    return seen[arm.index]
  end
  for i, claim in ipairs(claims) do out[i] = measure(run, claim, sights_of) end
  return out
end

-- Judges each claim: measures its figure and error, and determines whether the claim holds and
-- whether this is the expected outcome.
function m.judge(run, claims)
  local out = measure_all(run, claims)
  for _, j in ipairs(out) do judge(j) end
  return out
end

-- True if an arm of the claim has a warm-up.
local function has_warmup(run, claim)
  for _, arm in ipairs(arms_of(run, claim)) do
    if arm.warm_up > 0 then return true end
  end
  return false
end

-- True if a claim can be decided before the run ends. Four kinds of claims concern the whole
-- budget, so they cannot be decided early: deviations from an exact value, upper bounds on a
-- growing figure, means over the run, and the scenario's own measures. A rate that counts the work
-- of the warm-up grows, too, because the share of the warm-up falls.
local function can_end_early(run, claim)
  local row = not claim.measure and m.figures[claim.stat]
  if not row or claim.exact or claim.each or claim.times or claim.holds == "cannot tell" then return false end
  local warm = row.all_work and has_warmup(run, claim)
  if row.steady and not warm then return true end
  return (row.grows or warm and row.good == 1) and claim.holds == nil and claim.at_least and
    not (claim.at_most or claim.less_than or claim.ratio_to or claim.relation)
end

-- True if the run already confirms all claims (a sequential test). A claim that the run contradicts
-- is judged only at the end.
function m.decided(run, claims)
  for _, claim in ipairs(claims) do
    if not can_end_early(run, claim) and not lacks_data(claim) then return false end
  end
  for _, j in ipairs(measure_all(run, claims)) do
    if not j.no_data and answer(j, early) ~= (j.claim.holds ~= false) then return false end
  end
  return #claims > 0
end

-- ---- in words ------------------------------------------------------------

local function promise(claim)
  if claim.relation then return m.relation_in_words(claim) end
  if claim.near then return ("within %.3g of %.6g"):format(claim.within, claim.near) end
  local text = {}
  if claim.at_least then text[1] = ("at least %.6g"):format(claim.at_least) end
  if claim.at_most then text[#text + 1] = ("at most %.6g"):format(claim.at_most) end
  if #text == 0 then return ("exactly %.6g, to %.2g"):format(claim.exact, tolerance(claim)) end
  return table.concat(text, ", ")
end

local answers = { [true] = "holds", [false] = "does not hold", ["other size"] = "right direction, other size" }

-- Returns the verdict in words. `needs_full`: the scenario has a full setting, but the run has the
-- quick setting.
local function verdict(j, needs_full)
  local said = j.claim.holds
  if j.no_data then return "not run: no data" end
  if j.answer == nil then
    if j.value == j.value and not is_known(j) then return "cannot tell: no error known" end
    if said == "cannot tell" then return "cannot tell, as expected" end
    return j.value == j.value and needs_full and "cannot tell: needs full" or "cannot tell"
  end
  local name = answers[j.answer]
  if said == "cannot tell" then return name end
  if j.answer == (said == nil and true or said) then
    return said == nil and name or said == true and name or name .. ", as expected"
  end
  return j.answer == true and "HOLDS, unexpectedly" or name:upper()
end

-- Formats "0.0387 +- 0.0025 (15)": the figure, its error and the error's degrees of freedom.
local function as_measured(j)
  if j.no_data then return "-" end
  if j.value ~= j.value then return "?" end
  if j.counted and j.error == 0 or j.error ~= j.error then return ("%.5g"):format(j.value) end
  if j.error == 0 then return ("%.5g (%d alike)"):format(j.value, j.freedom + 1) end
  return ("%.5g +- %.2g (%d)"):format(j.value, j.error, j.freedom)
end

-- Formats the figure of a claim: "mean(3)", "acceptance less dmala's", "held_out, each 5".
function m.figure_in_words(c)
  local than = c.less_than or c.ratio_to or c.than
  local other = than and (is_ratio(c) and " over %s's" or " less %s's"):format(than) or ""
  local row = not c.measure and m.figures[c.stat] or nil
  local of = row and m.argument_name(row, m.of_claim(c), c.name) or c.of
  return c.stat .. (of and "(" .. of .. ")" or "") .. other .. (c.each and ", each " .. c.each or "")
end

-- Returns the paper's statement with its place, or our statement with its source.
local function of_paper(c)
  local list = {}
  if c.quote then list[1] = ("\"%s\" (%s)"):format(c.quote, c.where) end
  local from = c.source and { c.where, c.source ~= "another paper" and c.source or nil } or {}
  if c.source == "program" then from = { "its program" } end
  if c.paper then list[#list + 1] = c.paper .. (#from > 0 and " (" .. table.concat(from, ": ") .. ")" or "") end
  return list[1] and table.concat(list, ": ")
end

local function in_words(j, setting, needs_full)
  local c = j.claim
  local paper = of_paper(c)
  return { arm = tostring(c.arm), figure = m.figure_in_words(c),
           measured = j.value, error = j.error, freedom = j.freedom, by = j.by, reason = j.reason,
           as_measured = as_measured(j), setting = paper and setting or nil,
           exact = c.exact, off = j.off and "differs from the exact value" or nil,
           loose = j.loose and "its bound cannot fail" or nil,
           stat = c.stat, means = not c.measure and m.figures[c.stat].help or nil,
           bound = promise(c), verdict = verdict(j, needs_full), paper = paper, quote = c.quote, where = c.where, source = c.source, note = c.note,
           answer = j.no_data and "not run" or answers[j.answer] or "cannot tell", relation = c.relation }
end

-- Measurements of the claims in other runs of the same scenario, made by this process or another.
-- They are judged if the parameter `again` is true.
local kept = {}

-- Returns the measurements of this run's claims, in order.
function m.measured_claims(run) return measure_all(run, core.run_memory(run).claims) end

-- Stores the measurements of another run.
function m.keep_claims(run, list)
  local claims = core.run_memory(run).claims
  if #list ~= #claims then m.fail(("%d claims were measured, but the scenario has %d"):format(#list, #claims)) end
  for i, one in ipairs(list) do one.claim = claims[i] end
  kept[#kept + 1] = list
end

-- Returns the claims in words, for the screen and for files. The claims are judged by the
-- measurements of this run. If `again`, they are judged by the stored measurements of
-- several runs.
function m.claims_in_words(run, again)
  local memory, out = core.run_memory(run), {}
  local now = not again and measure_all(run, memory.claims)
  if not again then kept = {} end
  local setting, needs_full = m.setting_in_words(run), memory.quick and not memory.other
  for i = 1, #memory.claims do
    local list = {}
    for k, earlier in ipairs(kept) do list[k] = earlier[i] end
    out[i] = in_words(judge(again and merge(list) or now[i]), setting, needs_full)
  end
  out.seeds, out.left_out = memory.seeds, memory.left_out
  local ended = core.run_ended(run)
  out.final = not memory.other and (run.finished or ended ~= nil)
  out.judged = run.finished and out.final and "at the end of the budget" or
    out.final and ("at step %d, where it stopped: %s"):format(run.steps, ended) or
    ("at step %d of another budget"):format(run.steps)
  return out
end

-- Returns the claims in words as lines of text.
function m.claims_in_lines(run)
  local all = m.claims_in_words(run)
  local rows, wide = { { "arm", "figure", "measured", "claimed" } }, { 0, 0, 0, 0 }
  for i, c in ipairs(all) do rows[i + 1] = { c.arm, c.figure, c.as_measured, c.bound } end
  for _, row in ipairs(rows) do
    for k, text in ipairs(row) do wide[k] = math.max(wide[k], #text) end
  end
  local format = ("%%-%ds  %%-%ds  %%-%ds  %%-%ds  %%s"):format(table.unpack(wide))
  local function line(i, verdict)
    local row = rows[i]
    return format:format(row[1], row[2], row[3], row[4], verdict)
  end
  local lines = { "claims, judged " .. all.judged, line(1, "") }
  for i, c in ipairs(all) do
    lines[#lines + 1] = line(i + 1, c.verdict)
    local function more(head, text)
      if text then lines[#lines + 1] = "               " .. head .. text end
    end
    more("paper: ", c.paper)
    more("note: ", c.note)
    more("not measured: ", c.reason)
    more("", c.loose)
    if c.off then more("exactly: ", ("%.6g, which differs from the measured value"):format(c.exact)) end
  end
  return table.concat(lines, "\n")
end
