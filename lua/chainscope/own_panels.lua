-- Panels that a scenario defines. A panel displays the results of a function of the scenario.
-- The function may read the run but not change it.
local m = ...
local core, cs, rows = m.core, m.cs, m.rows
local nan = 0 / 0

rows.own_panel = {
  name = { "string", "one word that selects the panel, like the name of a built-in panel", required = "name = \"gap\"" },
  title = { "string", "the text that follows the name in the frame of the panel" },
  help = { "string", "the help text, shown by the key ?" },
  unit = { "string", "unit of the panel's values, for example \"nats\"" },
  axis = { "string", "label of the horizontal axis of line and histogram" },
  curves = { "string function", "curves over the run against work: the name of a figure, for every arm; or a function(run) that returns numbers by name, { walk = 1.5, mala = 0.2 }; up to 12" },
  bars = { "string function", "bars: the name of a figure, for every arm; or a function(run) that returns numbers by name, or each with its error, { walk = { 1.5, 0.1 } }, or a list, { { \"walk\", 1.5, 0.1 } }; up to 40" },
  table = { "function", "lines of text: function(run) returns a list of strings or of rows, { { \"walk\", 3 }, { \"mala\", 5 } }; up to 60 rows of 8" },
  line = { "function", "lines through points: function(run) returns { x =, y = } or several by name, up to 8 with 512 points each; a field exact beside x and y, a list of equal length or a function(x), is drawn as a broken line" },
  histogram = { "function", "bars side by side: function(run) returns { values = a list }, which is binned and scaled to a density, or { x = n + 1 borders, y = n heights }; a field exact is as for line, at the middle of each bin" },
  draw = { "function", "a drawing: function(run, d) calls d:range(left, right, bottom, top), d:line(x, y, x2, y2, as), d:point(x, y, mark, as), d:text(x, y, words, as); `as` is the name of an arm, or accept, reject, truth, warn, label, value; up to 2000 shapes; if `axis` is given, axes are drawn" },
  key = { "table", "functions called for keys (single letters except q, Q and z) while the panel has the focus: { j = function(run) end }; they may change the contents of the panel, but not the run" },
  of = { "number string", "the coordinate, mode or other argument of the figure, as in a claim" },
  head = { "table", "the column headings of `table`" },
}
local forms = { "curves", "bars", "table", "line", "histogram", "draw" }
local most = { curves = 12, points = 128, bars = 40, rows = 60, columns = 8, lines = 8, places = 512,
               bins = 200, values = 2 ^ 20, letters = 80, shapes = 2000 }

local spec_of = setmetatable({}, { __mode = "k" })

local function check_name(name)
  if not name:find "^%a[%w_]*$" or #name > 24 then
    m.fail("'" .. name .. "' is not a valid name for a panel", "use up to 24 letters, digits and '_'")
  end
  if core.panel_probes[name] then
    m.fail("the panel '" .. name .. "' is built in", "give the panel another name")
  end
end

local function form_of(t)
  local found
  for _, form in ipairs(forms) do
    if t[form] ~= nil and found then
      m.fail(("panel %s has both %s and %s"):format(t.name, found, form), "make two panels")
    end
    found = t[form] ~= nil and form or found
  end
  return found or m.fail(("panel %s shows nothing"):format(t.name),
    "give one of " .. table.concat(forms, ", ") .. ", for example curves = \"ess\"")
end

-- Fails for the fields that set the size of a panel in earlier versions.
local function refuse_size(t)
  for _, word in ipairs { "width", "height" } do
    if type(t) == "table" and t[word] ~= nil then
      m.fail(("cs.panel: the field '%s' was removed, since the layout chooses the size of panels"):format(word),
        "remove the field")
    end
  end
end

cs.panel = core.located(function(t)
  refuse_size(t)
  m.check("cs.panel", t, rows.own_panel)
  check_name(t.name)
  local spec = { form = form_of(t), place = core.place() }
  for field, value in next, t do spec[field] = value end
  local figure = type(t[spec.form]) == "string"
  if figure then m.check_figure(t[spec.form], t.of)
  elseif t.of ~= nil then m.fail("only a panel that shows a figure takes `of`", "leave out `of`") end
  m.check_list("head", t.head or {}, function(one)
    if type(one) ~= "string" then m.fail("`head` must be a list of strings") end
  end)
  for letter, f in next, t.key or {} do
    if type(letter) ~= "string" or not letter:find "^%a$" or letter:find "[qQz]" then
      m.fail(("panel %s cannot use the key %s"):format(t.name, tostring(letter)), "use single letters, but not q, Q and z")
    end
    if type(f) ~= "function" then m.fail(("key %s is a %s"):format(letter, core.kind(f)), "write { j = function(run) ... end }") end
  end
  local panel = { t.name }
  spec_of[panel] = spec
  return panel
end)

-- Returns the panels of a scenario as a list and by name. Panels that the field
-- `screen` contains come first.
function m.own_panels(t)
  local list = {}
  local function add(panel)
    local spec = spec_of[panel]
    if spec and list[spec.name] then
      m.fail("two panels have the name '" .. spec.name .. "'")
    elseif spec then
      list[#list + 1], list[spec.name] = spec, spec
    end
  end
  for _, panel in ipairs(t.screen or {}) do add(panel) end
  m.check_list("panels", t.panels or {}, function(panel)
    if not spec_of[panel] then
      m.fail("panels may contain only panels made by cs.panel", "write panels = { cs.panel { ... } }; name built-in panels in screen")
    end
    add(panel)
  end)
  if #list > 8 then m.fail("a scenario may have at most 8 panels of its own, not " .. #list) end
  return list
end

-- Returns the figures that the scenario's panels display, in the form of claims.
function m.panel_figures(list)
  local out = {}
  for _, spec in ipairs(list) do
    local stat = spec[spec.form]
    if type(stat) == "string" then out[#out + 1] = { stat = stat, of = spec.of } end
  end
  return out
end

-- ---- contents ---------------------------------------------------------------

local function wrong(spec, what, mend)
  m.fail(("panel %s: %s"):format(spec.name, what), mend)
end

local function text_of(spec, x)
  if math.type(x) == "float" then x = ("%.6g"):format(x) end
  if type(x) ~= "string" and type(x) ~= "number" then wrong(spec, "a " .. core.kind(x) .. " instead of a text") end
  x = tostring(x):gsub("%c", " ")
  if #x > most.letters then x = x:sub(1, (utf8.offset(x, 0, most.letters) or most.letters) - 1) .. "..." end
  return x
end

-- Returns x as a number, which is NaN if x is nil.
local function number_of(spec, name, x)
  if x ~= nil and type(x) ~= "number" then
    wrong(spec, ("%s is a %s"):format(name, core.kind(x)), "return a number, or nil if the number is not known")
  end
  return x or nan
end

local function check_count(spec, n, what, limit)
  if n > limit then wrong(spec, ("%d %s"):format(n, what), "return at most " .. limit) end
end

-- Returns the result of the panel's function or, for a panel of a figure, the figure of each arm.
local function say(spec, run)
  local f = spec[spec.form]
  local out = {}
  if type(f) == "function" then
    out = f(run)
    if out ~= nil and type(out) ~= "table" then
      wrong(spec, "its function returned a " .. core.kind(out), "return a table")
    end
    return out or {}
  end
  for i = 1, #run.arms do out[run.arms[i].name] = m.figure(run.arms[i], f, spec.of) end
  return out
end

-- Returns the names in a result: first the names of arms, in the order of the
-- arms, then the other names, sorted.
local function names_in(spec, run, said)
  local names, seen = {}, {}
  for i = 1, #run.arms do
    local name = run.arms[i].name
    if said[name] ~= nil then names[#names + 1], seen[name] = name, true end
  end
  for _, name in ipairs(m.sorted_keys(said)) do
    if said[name] == nil then wrong(spec, "entry " .. name .. " has no name", "return { name = value }") end
    if not seen[name] then names[#names + 1] = name end
  end
  return names
end

local function labels_of(spec, names)
  local out = {}
  for i, name in ipairs(names) do out[i] = text_of(spec, name) end
  return out
end

local show = {}

-- Samples of the curves. time[i] is the step of sample i, and each curve has one value per
-- sample. Old samples are thinned so that at most most.points samples remain.
local function trail_of(memory)
  memory.trail = memory.trail or { every = 1, time = {}, by = {} }
  return memory.trail
end

local function curves_of(trail, spec)
  trail.by[spec.name] = trail.by[spec.name] or {}
  return trail.by[spec.name]
end

local function values_now(spec, run)
  local said = say(spec, run)
  local names = names_in(spec, run, said)
  check_count(spec, #names, "curves", most.curves)
  for i, name in ipairs(names) do names[name] = number_of(spec, name, said[name]) end
  return names
end

function show.curves(spec, run)
  local trail, now = trail_of(core.run_memory(run)), values_now(spec, run)
  local curves, n = curves_of(trail, spec), #trail.time
  local out = { time = table.move(trail.time, 1, n, 1, {}), curves = {} }
  local more = trail.time[n] ~= run.steps
  if more then out.time[n + 1] = run.steps end
  for name in next, curves do
    if now[name] == nil then now[#now + 1], now[name] = name, nan end
  end
  for i, name in ipairs(now) do
    local curve, row = curves[name] or {}, {}
    for k = 1, n do row[k] = curve[k] or nan end
    if more then row[n + 1] = now[name] end
    out.curves[i] = row
  end
  check_count(spec, #now, "curves", most.curves)
  out.label = labels_of(spec, now)
  return out
end

-- Returns the bars in order: { { name, value, error }, ... }.
local function bars_in(spec, run, said)
  if type(said[1]) == "table" then return said end
  local list = {}
  for i, name in ipairs(names_in(spec, run, said)) do
    local one = said[name]
    if type(one) ~= "table" then one = { one } end
    list[i] = { name, one[1], one[2] }
  end
  return list
end

function show.bars(spec, run)
  local list = bars_in(spec, run, say(spec, run))
  local out = { label = {}, value = {}, error = {} }
  check_count(spec, #list, "bars", most.bars)
  for i, one in ipairs(list) do
    if type(one) ~= "table" then wrong(spec, ("bar %d is a %s"):format(i, core.kind(one)), "write { name, value, error }") end
    local name = text_of(spec, one[1])
    out.label[i] = name
    out.value[i] = number_of(spec, name, one[2])
    out.error[i] = number_of(spec, "the error of " .. name, one[3])
  end
  return out
end

local function row_text(spec, row)
  if type(row) ~= "table" then row = { row } end
  local cells = {}
  check_count(spec, #row, "columns", most.columns)
  for i, cell in ipairs(row) do cells[i] = text_of(spec, cell) end
  return table.concat(cells, "\t")
end

function show.table(spec, run)
  local said, out = say(spec, run), {}
  check_count(spec, #said, "rows", most.rows)
  for i, row in ipairs(said) do out[i] = row_text(spec, row) end
  return { row = out, head = spec.head and row_text(spec, spec.head) }
end

local function list_in(spec, name, list, n)
  if type(list) ~= "table" or (n and #list ~= n) then
    wrong(spec, ("%s is not a list of %snumbers"):format(name, n and n .. " " or ""))
  end
  local out = {}
  for i = 1, #list do out[i] = number_of(spec, name, list[i]) end
  return out
end

local function exact_at(spec, exact, x)
  if type(exact) ~= "function" then return exact and list_in(spec, "exact", exact, #x) end
  local out = {}
  for i, at in ipairs(x) do out[i] = number_of(spec, "exact", exact(at)) end
  return out
end

function show.line(spec, run)
  local said = say(spec, run)
  if said.x then said = { [""] = said } end
  local names = names_in(spec, run, said)
  local out = { label = labels_of(spec, names) }
  check_count(spec, #names, "lines", most.lines)
  for i, name in ipairs(names) do
    local one = said[name]
    if type(one) ~= "table" then wrong(spec, name .. " is a " .. core.kind(one), "write { x = { ... }, y = { ... } }") end
    local x = list_in(spec, "x", one.x)
    check_count(spec, #x, "points", most.places)
    out["x/" .. i - 1], out["y/" .. i - 1] = x, list_in(spec, "y", one.y, #x)
    out["exact/" .. i - 1] = exact_at(spec, one.exact, x)
  end
  return out
end

-- Divides the values into bins. Returns the borders of the bins and the density
-- in each bin.
local function cut(spec, values)
  local n = 0
  local low, high = math.huge, -math.huge
  check_count(spec, #values, "values", most.values)
  for i = 1, #values do
    local x = number_of(spec, "values", values[i])
    if x - x == 0 then n, low, high = n + 1, math.min(low, x), math.max(high, x) end
  end
  if n == 0 then return { 0, 1 }, { 0 } end
  if low == high then low, high = low - 0.5, high + 0.5 end
  local bins = math.max(1, math.min(60, math.floor(2 * n ^ (1 / 3) + 0.5)))
  local width, edges, heights = (high - low) / bins, {}, {}
  for i = 0, bins do edges[i + 1] = low + i * width end
  for i = 1, bins do heights[i] = 0 end
  for i = 1, #values do
    local x = values[i]
    if x - x == 0 then
      local k = math.min(bins, math.floor((x - low) / width) + 1)
      heights[k] = heights[k] + 1 / (n * width)
    end
  end
  return edges, heights
end

function show.histogram(spec, run)
  local said, x, y = say(spec, run), nil, nil
  if next(said) == nil then return {} end
  if said.values then
    if type(said.values) ~= "table" then wrong(spec, "values is not a list of numbers") end
    x, y = cut(spec, said.values)
  else
    x = list_in(spec, "x", said.x)
    check_count(spec, #x - 1, "bins", most.bins)
    y = list_in(spec, "y", said.y, #x - 1)
  end
  local middle = {}
  for i = 1, #x - 1 do
    if not (x[i] < x[i + 1]) then wrong(spec, "the borders x do not ascend") end
    middle[i] = (x[i] + x[i + 1]) / 2
  end
  return { edges = x, counts = y, exact = exact_at(spec, said.exact, middle) }
end

-- ---- drawings --------------------------------------------------------------

-- Colours of shapes. The colour of an arm is first_arm plus its index.
local looks = { value = 0, label = 1, accept = 2, reject = 3, truth = 4, warn = 5 }
local first_arm = 100

local function look_of(spec, run, as)
  if as == nil then return looks.value end
  if looks[as] then return looks[as] end
  for i = 1, #run.arms do
    if run.arms[i].name == as then return first_arm + i - 1 end
  end
  wrong(spec, "unknown colour '" .. tostring(as) .. "'", m.suggest(tostring(as), m.sorted_keys(looks)))
end

-- Writes the shapes that are to be drawn: { kind, x, y, x2, y2, colour, index
-- of its text (counted from 0) }.
function show.draw(spec, run)
  local out = { range = { 0, 1, 0, 1 }, shape = {}, word = {} }
  local d = {}
  local function add(kind, x, y, x2, y2, as, words)
    local n = #out.shape + 1
    check_count(spec, n, "shapes", most.shapes)
    if words ~= nil then out.word[#out.word + 1] = text_of(spec, words) end
    out.shape[n] = { kind, number_of(spec, "x", x), number_of(spec, "y", y), number_of(spec, "x2", x2),
                     number_of(spec, "y2", y2), look_of(spec, run, as), #out.word - 1 }
  end
  function d:range(left, right, bottom, top)
    out.range = list_in(spec, "range", { left, right, bottom, top }, 4)
    local wide, high = right - left, top - bottom
    if not (wide > 0 and high > 0) then wrong(spec, "its range is empty", "call d:range(left, right, bottom, top)") end
    if wide == math.huge or high == math.huge then wrong(spec, "its range is infinite", "give ends that are finite, and less than 1e308 apart") end
  end
  function d:line(x, y, x2, y2, as) add(1, x, y, x2, y2, as) end
  function d:point(x, y, mark, as) add(2, x, y, nan, nan, as, mark or "o") end
  function d:text(x, y, words, as) add(2, x, y, nan, nan, as, words) end
  spec.draw(run, d)
  return out
end

-- ---- for the program -------------------------------------------------------

local function specs_of(run) return core.run_memory(run).panels or {} end

-- Returns the constant parts of the panels, as a list of { name =, title =, ... }.
function m.words.panels(run)
  local out = {}
  for i, spec in ipairs(specs_of(run)) do
    local title = spec.title and spec.name .. ": " .. spec.title or spec.name
    out[i] = { name = spec.name, title = title, help = spec.help or spec.title or "A panel of this scenario's own.",
               unit = spec.unit or "", axis = spec.axis or "", form = spec.form,
               keys = table.concat(m.sorted_keys(spec.key or {})) }
  end
  return out
end

-- Returns the current contents of panel i, as entries of a snapshot.
function m.words.show_panel(run, i)
  local spec = specs_of(run)[i]
  return m.blame(spec.place, show[spec.form], spec, run)
end

-- Passes a key press to the function of panel i.
function m.words.panel_key(run, i, key)
  local spec = specs_of(run)[i]
  if not spec.key or not spec.key[key] then wrong(spec, "it has no key " .. key) end
  m.blame(spec.place, spec.key[key], run)
end

-- Removes every second sample.
local function thin(trail)
  local function halve(list, n)
    for k = 1, n do list[k] = 2 * k <= n and list[2 * k] or nil end
  end
  local n = #trail.time
  for _, curves in next, trail.by do
    for _, curve in next, curves do halve(curve, n) end
  end
  halve(trail.time, n)
  trail.every = 2 * trail.every
end

-- Removes the samples after `step`. The program calls this function when the
-- run goes back to this step.
local function cut_trail(trail, step)
  for n = #trail.time, 1, -1 do
    if trail.time[n] <= step then break end
    trail.time[n] = nil
    for _, curves in next, trail.by do
      for _, curve in next, curves do curve[n] = nil end
    end
  end
end

-- Removes the samples after the current step. If curves need a sample at the current step, adds
-- it, and thins older samples so that at most `room` samples are stored. Returns the step of the
-- next sample, or math.huge if there are no curves.
function m.words.sample_panels(run, room)
  local any = false
  for _, spec in ipairs(specs_of(run)) do any = any or spec.form == "curves" end
  if not any then return math.huge end
  local trail, now = trail_of(core.run_memory(run)), run.steps
  cut_trail(trail, now)
  room = math.min(room, most.points)
  if room > 0 and now > 0 and trail.time[#trail.time] ~= now then
    while #trail.time >= room do thin(trail) end
    if now % trail.every == 0 then trail.time[#trail.time + 1] = now end
  end
  return (now // trail.every + 1) * trail.every
end

-- Stores the current values of the curves of panel i in the newest sample.
function m.words.sample_panel(run, i)
  local spec = specs_of(run)[i]
  local trail = trail_of(core.run_memory(run))
  local n = #trail.time
  if spec.form ~= "curves" or trail.time[n] ~= run.steps then return end
  local now = m.blame(spec.place, values_now, spec, run)
  local curves = curves_of(trail, spec)
  for _, name in ipairs(now) do
    curves[name] = curves[name] or {}
    curves[name][n] = now[name]
  end
end
