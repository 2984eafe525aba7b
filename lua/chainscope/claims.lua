-- Claims: what a scenario promises, or a paper printed, held against what was
-- measured, with its error.
local m = ...
local core, cs, rows = m.core, m.cs, m.rows
local abs, huge, sqrt = math.abs, math.huge, math.sqrt
local nan = 0 / 0

rows.claim = {
  arm = { "string number", "whose figure", required = "arm = the name of an arm" },
  stat = { "string", "which figure: cs.help \"figures\"", required = "stat = \"acceptance\", say" },
  of = { "string number", "the coordinate (its number or name), the mode or the other arm" },
  each = { "number", "the figure in the mean over the run, looked at each so many steps, the start included", whole = true, min = 1, max = 2 ^ 53 },
  less = { "string number", "what counts is the figure less that of this arm" },
  over = { "string number", "what counts is the figure divided by that of this arm" },
  measure = { "function", "measures what stat then only names: measure(arm) gives the figure and, if known, its standard error and the degrees of freedom of that" },
  at_least = { "number", "the smallest that holds" },
  at_most = { "number", "the largest that holds" },
  near = { "number", "what it should be ..." },
  within = { "number", "... give or take", min = 0 },
  exact = { "number", "what is exactly true: the figure must agree with it within its error" },
  holds = { "boolean", "false: the paper says so, our measurement does not" },
  paper = { "string", "what the paper printed" },
  note = { "string", "why it is so" },
  only = { "string", "\"full\" or \"quick\": the setting in which it is judged; both without" },
}

-- ---- checks --------------------------------------------------------------

local settings = { "full", "quick" }

local function check_bounds(claim)
  local kinds = 0
  for _, name in ipairs { "at_least", "at_most", "near" } do
    if claim[name] then kinds = kinds + 1 end
  end
  if (kinds == 0 and not claim.exact) or (claim.near and kinds > 1) then
    m.fail("a claim needs something to be held against",
           "give at_least, at_most, near and within, or exact")
  end
  if (claim.near == nil) ~= (claim.within == nil) then
    m.fail("a claim gives near and within together, or neither",
           "near = 0.4, within = 0.01")
  end
end

local function check_arm(name, names)
  if name == nil or names[name] then return end
  local list = {}
  for one in next, names do
    if type(one) == "string" then list[#list + 1] = one end
  end
  table.sort(list)
  m.fail("a claim is about an arm '" .. tostring(name) ..
         "' that is not there", m.suggest(name, list))
end

local function check_claim(claim, names, coordinates)
  m.check("a claim", claim, rows.claim)
  for _, field in ipairs { "arm", "less", "over" } do check_arm(claim[field], names) end
  if not claim.measure then
    m.check_figure(claim.stat, claim.of, coordinates, names)
  elseif claim.each or claim.less or claim.over then
    m.fail("the claim '" .. claim.stat .. "' has a measure of its own: each, less and over are of figures",
           "let measure do it")
  end
  if claim.less and claim.over then
    m.fail("a claim is on a difference or on a ratio", "give less, or over")
  end
  check_bounds(claim)
  if claim.only and claim.only ~= "full" and claim.only ~= "quick" then
    m.fail("a claim is only '" .. claim.only .. "'", m.suggest(claim.only, settings))
  end
end

function m.check_claims(t, arms)
  local names = {}
  for i, arm in ipairs(arms) do names[i], names[arm.name] = true, true end
  local coordinates = m.is_made(t.target) and t.target.coordinates or nil
  m.check_list("claims", t.claims, function(claim)
    check_claim(claim, names, coordinates)
  end)
  if not t.budget then
    m.fail("claims need a budget: when are they judged?", "budget = { steps = 10000 }")
  end
end

-- The claims of a scenario that count in this setting.
function m.claims_of(t, full)
  local list = {}
  for _, claim in ipairs(t.claims) do
    if not claim.only or (claim.only == "full") == full then list[#list + 1] = claim end
  end
  return list
end

-- ---- measuring -----------------------------------------------------------

-- An arm has at most so many groups of chains: more cost time and win nothing.
local most_groups = 32

-- An arm seen whole and, at [g], without its group g of chains.
local function sights(arm)
  local chains = #arm.chains // arm.group -- those that belong together go together
  local groups, shared = math.min(chains, most_groups), {}
  local list = { whole = m.seen(arm, 0, groups, shared), chains = chains }
  for g = 1, groups > 1 and groups or 0 do list[g] = m.seen(arm, g, groups, shared) end
  return list
end

local function mean_of(list)
  local sum = 0
  for _, x in ipairs(list) do sum = sum + x end
  return sum / #list
end

local function squares(list)
  local mean, sum = mean_of(list), 0
  for _, x in ipairs(list) do sum = sum + (x - mean) ^ 2 end
  return sum
end

-- The figure of the whole arm, and without each group in turn.
local function look(seen, row, of)
  local out = { whole = row[1](seen.whole, of) }
  if row.timed or out.whole ~= out.whole then return out end
  for g = 1, #seen do out[g] = row[1](seen[g], of) end
  return out
end

-- The delete-one jackknife: chains are independent, so that the spread of what
-- is without one group tells the error of any figure of them all.
local function error_of(seen, row, without)
  local n = #without
  if row.timed then return nan, 0, "one run" end
  if n < 2 then return nan, 0, "one chain" end
  local err = sqrt((n - 1) / n * squares(without))
  if err < 1e-12 * abs(mean_of(without)) then err = 0 end -- rounding
  return err, n - 1,
    ("jackknife of %d %s"):format(n, n == seen.chains and "chains" or "groups of chains")
end

-- Why a figure is not a number.
function m.reason_of(run, arm, row)
  if run.steps == 0 then return "no step was made" end
  local report = row.probe and core.run_report_one(run, arm.index, row.probe)
  if row.probe and not report then return "the run has no probe " .. row.probe end
  if report and (report.reason or "") ~= "" then return report.reason end
  local failed = m.figures.failed[1](m.seen(arm))
  if failed > 0 then return ("%d of %d chains have failed"):format(failed, #arm.chains) end
  return "it is not defined here, or too little was seen"
end

-- A measure may train a network, say, and the error of a figure ask for it
-- without each group of chains in turn: so many seconds for each claim.
local patience = 600

-- By the scenario's own function. One that fails costs no other claim.
local function measure_by(claim, arm)
  local good, x, err, freedom = pcall(claim.measure, arm)
  if not good then
    return { claim = claim, value = nan, error = nan, freedom = 0, reason = tostring(x) }
  end
  if type(x) ~= "number" or type(err or 0) ~= "number" or type(freedom or 0) ~= "number" then
    m.fail("measure of the claim '" .. claim.stat .. "' returned a " .. type(x),
           "return a number, and its standard error if that is known")
  end
  return { claim = claim, value = x, error = err or nan, freedom = err and (freedom or 1) or 0,
           by = err and "the scenario's own measure" or nil,
           reason = x ~= x and "its measure says that it is no number" or nil }
end

-- Claims with `each` follow their arms from the start. What they see lies in the
-- run's memory: of a claim, an arm and a step what look gives.
local function arms_of(run, claim)
  local list = { run:arm(claim.arm) }
  local other = claim.less or claim.over
  if other then list[2] = run:arm(other) end
  return list
end

function m.follow_claims(run)
  local memory = core.run_memory(run)
  memory.trails = {}
  for _, claim in ipairs(memory.claims) do
    local function see()
      core.extend(patience)
      for _, arm in ipairs(arms_of(run, claim)) do
        local trail = memory.trails[claim][arm.index] or {}
        memory.trails[claim][arm.index] = trail
        trail[run.steps] = look(sights(arm), m.figures[claim.stat], claim.of)
      end
    end
    if claim.each then
      memory.trails[claim] = {}
      see()
      run:every(claim.each, see)
    end
  end
end

-- The mean of all that it saw; nil where it has not seen the run from its start.
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

-- The figure of a claim for one arm, with its error.
local function measure_one(run, claim, arm, seen)
  local row = m.check_figure(claim.stat, claim.of)
  local found
  if claim.each then found = in_the_mean(run, claim, arm) else found = look(seen, row, claim.of) end
  local out = { claim = claim, value = found and found.whole or nan }
  if out.value ~= out.value then
    out.error, out.freedom = nan, 0
    out.reason = found and m.reason_of(run, arm, row) or "it was not followed from the start of the run"
  else
    out.error, out.freedom, out.by = error_of(seen, row, found)
  end
  return out
end

-- The difference or the ratio of two arms, which are independent.
local function compare(claim, a, b)
  a.reason, a.freedom = a.reason or b.reason, math.min(a.freedom, b.freedom)
  if claim.less then
    a.value, a.error = a.value - b.value, sqrt(a.error ^ 2 + b.error ^ 2)
  else
    local ratio = a.value / b.value
    a.value, a.error = ratio, abs(ratio) * sqrt((a.error / a.value) ^ 2 + (b.error / b.value) ^ 2)
  end
  return a
end

local function measure(run, claim, sights_of)
  core.extend(patience)
  if claim.measure then return measure_by(claim, run:arm(claim.arm)) end
  local list = {}
  for i, arm in ipairs(arms_of(run, claim)) do
    list[i] = measure_one(run, claim, arm, sights_of(arm))
  end
  return list[2] and compare(claim, list[1], list[2]) or list[1]
end

-- What several runs measured of one claim: their mean, the error by their
-- spread.
local function merge(list)
  local last, values = list[#list], {}
  if #list == 1 then return last end
  for i, one in ipairs(list) do values[i] = one.value end
  local out = { claim = last.claim, value = mean_of(values), reason = last.reason,
                error = sqrt(squares(values) / (#list - 1) / #list),
                freedom = #list - 1, by = ("spread of %d seeds"):format(#list) }
  for _, one in ipairs(list) do out.reason = one.reason or out.reason end
  return out
end

-- ---- judging -------------------------------------------------------------

-- How sure a verdict is, and the agreement with what is exactly true: that is
-- refused in one of a thousand claims that are right.
local sure, agrees = 0.975, 0.9995

local function reach(j, p)
  if j.freedom < 1 then return 0 end
  return core.t_quantile(p, j.freedom) * j.error
end

-- Whether the figure agrees with the exact one, up to rounding.
local function is_exact(j)
  local exact = j.claim.exact
  return abs(j.value - exact) <= reach(j, agrees) + 1e-9 * abs(exact)
end

local function bounds(claim)
  if claim.near then return claim.near - claim.within, claim.near + claim.within end
  return claim.at_least or -huge, claim.at_most or huge
end

-- true, false, or nil: the bound lies within the error.
local function answer(j)
  local claim, x = j.claim, j.value
  if x ~= x then return nil end
  local low, high = bounds(claim)
  if low == -huge and high == huge then return is_exact(j) end
  local r = reach(j, sure)
  if x - r >= low and x + r <= high then return true end
  if x + r < low or x - r > high then return false end
  return nil
end

-- The same by the figure alone, as a test wants it.
local function holds(j)
  local low, high = bounds(j.claim)
  local x = j.value
  return x == x and x >= low and x <= high and (not j.claim.exact or is_exact(j))
end

local function judge(j)
  j.answer, j.holds = answer(j), holds(j)
  j.as_said = j.holds == (j.claim.holds ~= false)
  j.off = j.claim.exact ~= nil and j.value == j.value and not is_exact(j)
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

-- What each claim promised, measured, with its error, whether that holds, and
-- whether the claim said so.
function m.judge(run, claims)
  local out = measure_all(run, claims)
  for _, j in ipairs(out) do judge(j) end
  return out
end

-- ---- in words ------------------------------------------------------------

local function promise(claim)
  if claim.near then return ("within %.3g of %.6g"):format(claim.within, claim.near) end
  local text = {}
  if claim.at_least then text[1] = ("at least %.6g"):format(claim.at_least) end
  if claim.at_most then text[#text + 1] = ("at most %.6g"):format(claim.at_most) end
  if #text == 0 then return ("exactly %.6g"):format(claim.exact) end
  return table.concat(text, ", ")
end

local function verdict(j)
  if j.answer == nil then return "cannot tell" end
  if j.answer == (j.claim.holds ~= false) then
    return j.answer and "holds" or "does not hold, as said"
  end
  return j.answer and "HOLDS, unlike said" or "DOES NOT HOLD"
end

local answers = { [true] = "holds", [false] = "does not hold" }

-- "mean(3)", "acceptance less dmala's", "held_out, each 5"
local function figure_of(c)
  local other = c.less and " less %s's" or c.over and " over %s's" or ""
  return c.stat .. (c.of and "(" .. c.of .. ")" or "") ..
    other:format(c.less or c.over) .. (c.each and ", each " .. c.each or "")
end

local function in_words(j)
  local c = j.claim
  return { arm = tostring(c.arm), figure = figure_of(c),
           measured = j.value, error = j.error, by = j.by, reason = j.reason,
           exact = c.exact, off = j.off and "differs from the exact value" or nil,
           stat = c.stat, means = not c.measure and m.figures[c.stat][2] or nil,
           bound = promise(c), verdict = verdict(j), paper = c.paper, note = c.note,
           answer = answers[j.answer] or "cannot tell" }
end

-- What earlier runs of the same scenario measured: for `again`.
local kept = {}

-- The claims, judged now, in words: what is shown and written. With `again`
-- together with the runs before.
function m.claims_in_words(run, again)
  local memory, out = core.run_memory(run), {}
  local now = measure_all(run, memory.claims)
  if not again then kept = {} end
  again = again and run.finished
  if again then kept[#kept + 1] = now end
  for i, one in ipairs(now) do
    local list = {}
    for k, earlier in ipairs(kept) do list[k] = earlier[i] end
    out[i] = in_words(judge(again and merge(list) or one))
  end
  out.seeds = memory.seeds
  out.judged = (memory.other or not run.finished) and
    ("at step %d of another budget"):format(run.steps) or "at the end of the budget"
  return out
end

local function measured(c)
  if c.measured ~= c.measured then return "?" end
  if c.error ~= c.error then return ("%.5g"):format(c.measured) end
  return ("%.5g +- %.2g"):format(c.measured, c.error)
end

-- The same as lines.
function m.claims_in_lines(run)
  local all = m.claims_in_words(run)
  local rows, wide = { { "arm", "figure", "measured", "claimed" } }, { 0, 0, 0, 0 }
  for i, c in ipairs(all) do rows[i + 1] = { c.arm, c.figure, measured(c), c.bound } end
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
    if c.off then more("exactly: ", ("%.6g, which it differs from"):format(c.exact)) end
  end
  return table.concat(lines, "\n")
end
