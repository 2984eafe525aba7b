-- Checks the quotations of four papers in the scenarios. Each claim that comes
-- from a paper is quoted with its place, or a reason is given why it cannot be
-- quoted. If CHAINSCOPE_PAPERS names a folder with the texts of the papers
-- (edlp.txt, acs.txt, csgld.txt, auxiliary-mcmc.txt), the quoted words must be
-- at the named place. An optional argument names a folder of scenarios that is
-- used instead of the gallery.
local root = arg[1] or "../scenarios"
local papers = { edlp = "edlp", acs = "acs", csgld = "csgld", auxiliary = "auxiliary-mcmc" }
local faults = 0
local function fault(...)
  print((...):format(select(2, ...)))
  faults = faults + 1
end

-- ---- texts of the papers -------------------------------------------------------

-- The comparison ignores white space, LaTeX and Markdown marks, and the kinds
-- of dashes and quotation marks.
local same = { ["–"] = "-", ["—"] = "-", ["−"] = "-", ["‐"] = "-", ["’"] = "'", ["‘"] = "'", ["“"] = '"', ["”"] = '"',
               [" "] = "", ["​"] = "" }
local function plain(text)
  text = text:gsub("[\xC2\xE2][\x80-\xBF][\x80-\xBF]?", function(c) return same[c] end)
  return (text:gsub("\\[a-z]+{", ""):gsub("[%s$\\{}^_*~#|`]", ""))
end

-- Reads the lines of a paper as a single text without marks, with the positions
-- of section headings and captions.
local function heading_of(line)
  if #line > 120 then return nil end
  line = line:gsub("^#+%s*", ""):gsub("^Appendix%s+", "")
  return line:match "^(%d+[%d.]*)%s+%u" or line:match "^(%u%.[%d.]+)%s+[%u%d]" or line:match "^(%u)%s+%u%l"
end

local function read(path)
  local file = io.open(path)
  if not file then return nil end
  local p, parts, at = { headings = {} }, {}, 1
  for line in file:lines() do
    local name = heading_of(line)
    -- In an appendix, a number at the start of a line belongs to a list and not
    -- to a heading. Before the first section, a letter at the start of a line
    -- begins a title.
    if name and (name:match "^%d" or p.headings[1]) and not (name:match "^%d" and (p.headings[#p.headings] or { name = "" }).name:match "^%u") then
      p.headings[#p.headings + 1] = { name = name:gsub("%.$", ""), at = at }
    end
    parts[#parts + 1] = plain(line)
    at = at + #parts[#parts]
  end
  file:close()
  p.text = table.concat(parts)
  return p
end

-- Returns the start and the end of a quotation whose first part is at `first`
-- or later. The parts must be in order, and each must be within `far`
-- characters of the part before it. If only the first part is found, returns
-- only its start.
local function find(p, quote, first, far)
  local from, to
  for part in (quote .. " ... "):gmatch "(.-) %.%.%. " do
    local a, b = p.text:find(plain(part), to and to + 1 or first, true)
    if not a or to and a - to > far then return from end
    from, to = from or a, b
  end
  return from, to
end

local function section_at(p, at)
  local name = ""
  for _, h in ipairs(p.headings) do
    if h.at <= at then name = h.name end
  end
  return name
end

-- Returns true if the text `name` ("Table 2", "Theorem 5.6") is near the
-- positions from .. to.
local function is_near(p, name, from, to, far)
  local word, number = name:match "^(%a+) (.+)$"
  local head = plain(word:sub(1, 1):upper() .. word:sub(2) .. " " .. number)
  local a = math.max(from - far, 1)
  while true do
    local at, last = p.text:find(head, a, true)
    if not at or at > to + far then return false end
    if not p.text:sub(last + 1, last + 1):match "%d" then return true end
    a = last
  end
end

-- Returns true if the positions from .. to are in the place `where`: "section
-- 6.1", "appendix E.4", "table 2", ...
local function is_in(p, where, from, to)
  local section = where:match "^section (.+)$" or where:match "^appendix (.+)$"
  if section then
    local name = section_at(p, from)
    return name == section or name:sub(1, #section + 1) == section .. "."
  end
  if where == "abstract" then return from < (p.headings[1] or { at = 4000 }).at + 4000 end
  return is_near(p, where, from, to, 4000)
end

-- A quotation may occur more than once in a paper. A quotation from a table may
-- consist of the name of a row and one number of this row. Other numbers of the
-- row may then be omitted between the two, but less than a whole row.
local function check_text(p, quote, places)
  local of_row = places:find "^table" and not (quote .. " ... "):match("^(.-) %.%.%. "):find "%d"
  local first, found, far = 1, nil, of_row and 90 or places:find "^table" and 500 or 2500
  while true do
    local from, to = find(p, quote, first, far)
    if not from then return found end
    if to then
      found = section_at(p, from)
      local all = true
      for place in (places .. ", "):gmatch "(.-), " do all = all and is_in(p, place, from, to) end
      if all then return true end
    end
    first = from + 1
  end
end

-- ---- claims --------------------------------------------------------------------

local folder = os.getenv "CHAINSCOPE_PAPERS"
local checked, in_words, count = 0, 0, {}

local function check(file, p, claim)
  local said = ("%s: %s of %s"):format(file, claim.stat, claim.arm)
  if claim.paper and not claim.quote and not claim.source then
    fault("%s: '%s' has no quotation, nor says where it is from", said, claim.paper)
  end
  if claim.source then in_words = in_words + 1 end
  if not claim.quote or not p then return end
  checked = checked + 1
  local found = check_text(p, claim.quote, claim.where)
  if not found then
    fault("%s: the paper does not have '%s'", said, claim.quote)
  elseif found ~= true then
    fault("%s: '%s' is in section %s, not in %s", said, claim.quote, found, claim.where)
  end
end

local function each(name, p)
  local list = io.popen(("ls %s/%s/*.lua"):format(root, name))
  for file in list:lines() do
    package.path = ("%s/%s/?.lua;%s"):format(root, name, package.path)
    local t = dofile(file)
    for _, claim in ipairs(t.claims or {}) do
      check(file:match "[^/]+/[^/]+$", p, claim)
      if claim.quote or claim.paper then count[name] = (count[name] or 0) + 1 end
    end
    package.path = package.path:match ";(.*)"
    for loaded in pairs(package.loaded) do
      if loaded:find(".", 1, true) and not loaded:find "^chainscope" then package.loaded[loaded] = nil end
    end
  end
  list:close()
end

for name, file in pairs(papers) do
  local p = folder and read(("%s/%s.txt"):format(folder, file))
  if folder and not p then fault("%s has no %s.txt", folder, file) end
  each(name, p)
end
for name, n in pairs(count) do print(("%s: %d claims of the paper"):format(name, n)) end
print(("%d in our words, with their source"):format(in_words))
if faults > 0 then os.exit(1) end
if not folder then
  print "skipped: CHAINSCOPE_PAPERS names no folder of the papers' texts; only sources were checked"
  os.exit(77)
end
print(("%d quotations are in the named places"):format(checked))
