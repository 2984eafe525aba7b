-- Reports the results of one of many runs to the process that collects the results. The report
-- consists of lines with fields separated by tabs. Numbers are transferred without loss of
-- precision.
local m = ...
local core = m.core

local function number(x)
  if x ~= x then return "nan" end
  return ("%a"):format(x)
end

local function read_number(text)
  return text == "nan" and 0 / 0 or tonumber(text) or m.fail("'" .. text .. "' is not a number")
end

-- Returns a string as one field, "=text"; nil becomes "-".
local function word(text)
  if text == nil then return "-" end
  return "=" .. tostring(text):gsub("[%c\\]", function(c) return ("\\%03d"):format(c:byte()) end)
end

local function read_word(text)
  if text == "-" then return nil end
  return (text:sub(2):gsub("\\(%d%d%d)", function(code) return string.char(tonumber(code)) end))
end

local function line(...) return table.concat({ ... }, "\t") end

-- ---- claims ----------------------------------------------------------------

-- If all claims belong to the other setting (quick or full), returns "none". Otherwise returns one
-- line per claim: value, error, degrees of freedom, whether it is a count, whether its data are
-- missing, the method of its error, the reason why there is no value.
local function claims(run)
  local lines = {}
  for i, j in ipairs(m.measured_claims(run)) do
    lines[i] = line(number(j.value), number(j.error), number(j.freedom), j.counted and 1 or 0,
                    j.no_data and 1 or 0, word(j.by), word(j.reason))
  end
  return lines[1] and table.concat(lines, "\n") or "none"
end

local function fields_of(text)
  local list = {}
  for field in (text .. "\t"):gmatch "([^\t]*)\t" do list[#list + 1] = field end
  return list
end

local function keep(run, text)
  local list = {}
  for row in text:gsub("^none$", ""):gmatch "[^\n]+" do
    local f = fields_of(row)
    if #f ~= 7 then m.fail "cannot read the measurement of a claim" end
    list[#list + 1] = { value = read_number(f[1]), error = read_number(f[2]),
                        freedom = math.tointeger(read_number(f[3])) or read_number(f[3]),
                        counted = f[4] == "1", no_data = f[5] == "1" or nil,
                        by = read_word(f[6]), reason = read_word(f[7]) }
  end
  m.keep_claims(run, list)
  return ""
end

-- ---- figures ---------------------------------------------------------------

-- Figures that a script gave as tables, by name.
local given = {}

-- Converts figures of a script to a text for read_figures: names as in "mean(1)", or tables as in
-- claims, { stat = "mean", of = function(p) return p.mu^2 end, name = "square" }.
function m.write_figures(list)
  local names = {}
  for i, one in ipairs(list) do
    names[i] = one
    if type(one) == "table" then
      m.check("figures", one, m.rows.swept_figure)
      local of = m.of_claim(one)
      local row = m.check_figure(one.stat, of)
      local argument = m.argument_name(row, of, one.name)
      names[i] = (argument and one.stat .. "(" .. argument .. ")" or one.stat):gsub(",", ";")
      given[names[i]] = { stat = one.stat, of = of, name = names[i] }
    end
  end
  return table.concat(names, ",")
end

local function read_figure(name)
  if given[name] then return given[name] end
  local stat, of = name:match "^([%w_]+)%((.*)%)$"
  stat, of = stat or name, tonumber(of) or of
  if math.tointeger(of) then of = math.tointeger(of) end
  m.check_figure(stat, of)
  return { stat = stat, of = of, name = name }
end

-- Converts a list of figures, "ess,mean(1),mse_at(1e6 rows)", to the form of claims.
function m.read_figures(text)
  local list = {}
  for name in (text .. ","):gmatch "%s*([^,]*)," do list[#list + 1] = read_figure(name) end
  return list
end

-- The units of budgets. work_of returns the unit of the run's budget, and the amount of work in
-- this unit that an arm has spent.
local units = { "gradients", "log_densities", "data_terms", "seconds" }
local function work_of(run, arm)
  local budget = core.run_memory(run).budget or {}
  for _, unit in ipairs(units) do
    if budget[unit] then return unit, arm[unit] end
  end
  return "steps", arm.steps * #arm.chains
end

-- Returns first a line with the arm's work ("@" and the unit), then one line per arm and figure:
-- arm, figure, value, error, degrees of freedom, the method of its error, the reason why there is
-- no value.
local function figures(run)
  local lines, wanted = {}, core.run_memory(run).wanted or {}
  for i = 1, #run.arms do
    local arm = run.arms[i]
    local unit, work = work_of(run, arm)
    lines[#lines + 1] = line(arm.name, "@" .. unit, number(work), "nan", number(0), "-", "-")
    for _, one in ipairs(wanted) do
      local j = m.measure_figure(run, arm, one.stat, one.of)
      lines[#lines + 1] = line(arm.name, one.name, number(j.value), number(j.error), number(j.freedom),
                               word(j.by), word(j.reason))
    end
  end
  return table.concat(lines, "\n")
end

-- ---- ranks -----------------------------------------------------------------

-- Returns one line per arm and quantity: arm, quantity, rank, number of draws in the rank's range,
-- effective draws, number of draws used.
local function ranks(run)
  local lines = {}
  for i, one in ipairs(m.ranks(run)) do
    lines[i] = line(one.arm, one.quantity, number(one.rank), number(one.of), number(one.effective),
                    number(one.used))
  end
  return table.concat(lines, "\n")
end

-- Returns the numbers of replicates and of draws that the scenario requests.
local function calibration(run)
  local one = core.run_memory(run).sbc or m.fail "the data of this run are not simulated"
  return line(m.calibration_of(one))
end

-- Returns a line with the numbers of rows and of folds; and a line per row of the fold: row, log
-- predictive density, its Monte Carlo error.
local function folds(run)
  local one = core.run_memory(run).fold or m.fail "no fold of this run is left out"
  return line(one.rows, one.folds)
end
local function fold(run)
  local lines = {}
  for i, one in ipairs(m.fold_lines(run)) do lines[i] = line(one.row, number(one.lpd), number(one.mcse)) end
  return table.concat(lines, "\n")
end

local kinds = { folds = folds, fold = fold, claims = claims, figures = figures, ranks = ranks, calibration = calibration, keep = keep }

-- Handles the requests "claims", "figures", "ranks", "calibration", "folds", "fold", and "keep", which is followed
-- by the lines of another run's claims.
function m.results(run, what)
  local kind, rest = what:match "^(%l+)%s?(.*)$"
  local tell = kinds[kind or ""]
  if not tell then m.fail("there are no results '" .. what .. "'", m.suggest(what, m.sorted_keys(kinds))) end
  if (kind == "claims" or kind == "keep") and not core.run_memory(run).claims then
    m.fail "the scenario has no claims"
  end
  return tell(run, rest)
end
