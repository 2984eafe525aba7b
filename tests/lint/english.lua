-- Counts phrases that are hard to read, for each file and kind of text, and
-- compares the counts with the recorded counts. A count may fall but not rise.
-- Usage: english.lua ROOT           compares with tests/lint/english.txt
--        english.lua ROOT --write   writes that file
--        english.lua ROOT --list P  prints each phrase in files that match P (a Lua pattern)
local root = assert(arg[1], "which folder?")
package.path = arg[0]:match("^.*/") .. "?.lua;" .. package.path
local texts = require "texts"
local record = root .. "/tests/lint/english.txt"

-- Habits, as Lua patterns for words in lower case. `but` lists exceptions:
-- words before or after a match that make it acceptable.
local habits = {
  { "of-opening", "%. of ", "^of ", ": of ", "; of " },
  { "is of", "%f[%a]is of%f[%A]", "%f[%a]are of%f[%A]", "%f[%a]was of%f[%A]",
    but = { "is of order", "is of the form", "are of order", "are of the form" } },
  { "what is", "%f[%a]what is%f[%A]", "%f[%a]what was%f[%A]", "%f[%a]what are%f[%A]",
    "%f[%a]what were%f[%A]", "%f[%a]what they%f[%A]", "%f[%a]what it%f[%A]",
    "%f[%a]what has%f[%A]", "%f[%a]what comes%f[%A]", "%f[%a]whoever%f[%A]",
    but = { ". what is the ", "? what is the ", ". what is its ", ". what is r-hat" } },
  { "so many", "%f[%a]so many%f[%A]", "%f[%a]as many%f[%A]", "%f[%a]so much%f[%A]",
    "%f[%a]as much%f[%A]", "%f[%a]so large%f[%A]", "%f[%a]so few%f[%A]" },
  { "places", "%f[%a]behind%f[%A]", "%f[%a]beneath%f[%A]", "%f[%a]stands%f[%A]",
    "%f[%a]stood%f[%A]", "%f[%a]lies%f[%A]", "%f[%a]anew%f[%A]", "%f[%a]goes on%f[%A]",
    "%f[%a]go on%f[%A]", "%f[%a]gone on%f[%A]", "%f[%a]the way in%f[%A]",
    "%f[%a]the way back%f[%A]" },
  { "told", "%f[%a]told%f[%A]", "%f[%a]is said%f[%A]", "%f[%a]are said%f[%A]",
    "%f[%a]was said%f[%A]", "%f[%a]be said%f[%A]", "%f[%a]looked at%f[%A]",
    "%f[%a]looks at%f[%A]", "%f[%a]held against%f[%A]", "%f[%a]is asked%f[%A]",
    "%f[%a]are asked%f[%A]" },
  { "is no", "%f[%a]is no%f[%A]", "%f[%a]are none%f[%A]", "%f[%a]is none%f[%A]",
    "%f[%a]nobody%f[%A]", "%f[%a]are no%f[%A]", "%f[%a]was none%f[%A]",
    but = { "there is no ", "there are no ", "is no longer", "is no more than",
      "are no longer", "is no less", "is no worse", "is no better" } },
  { "alone", "%f[%a]alone%f[%A]", "%f[%a]two of them%f[%A]",
    but = { "stand alone", "stand-alone" } },
}

-- Returns the number of phrases of a habit in `text`, and calls found(at) for
-- each.
local function count(habit, text, found)
  local n = 0
  for i = 2, #habit do
    local at = 1
    while true do
      local from, to = text:find(habit[i], at)
      if not from then break end
      local fine = false
      for _, but in ipairs(habit.but or {}) do
        local a, b = text:find(but, math.max(1, from - #but), true)
        fine = fine or (a and a <= from + 1 and b >= to - 1)
      end
      if not fine then
        n = n + 1
        if found then found(from, to) end
      end
      at = to
      if at <= from then at = from + 1 end
    end
  end
  return n
end

-- Maximum length of a message, in characters. A placeholder counts with the
-- length that it has in the source.
local LONGEST = 100

-- Maximum number of sentences in a paragraph of help.
local SENTENCES = 3

local function plain(text)
  return (text:gsub('\\[nt"]', " "):gsub("[%s]+", " "):gsub("^ ", ""):lower())
end

local function kind_of(path, kind)
  if path:find("^scenarios/") then return "scenario" end
  if kind == "page" then return "page" end
  return (path:find("^tests/") and "test " or "") .. kind
end

local function files()
  local out = {}
  local names = io.popen(("cd '%s' && find README.md src lua scenarios tests assets -type f " ..
    "-not -path 'tests/lint/*' -not -path 'tests/fuzz/*' | LC_ALL=C sort"):format(root))
  for path in names:lines() do
    if path:find("%.[ch]$") or path:find("%.def$") or path:find("%.lua$") or path:find("%.md$") then
      out[#out + 1] = path
    end
  end
  return out
end

local list = arg[2] == "--list" and (arg[3] or "")
local counts, words, total = {}, {}, {}
for _, path in ipairs(files()) do
  texts.each(root .. "/" .. path, function(kind, line, text)
    kind = kind_of(path, kind)
    text = plain(text)
    if kind:find("string$") and not text:find(" ") then return end
    local _, n = text:gsub("%a+", "")
    words[kind] = (words[kind] or 0) + n
    for _, habit in ipairs(habits) do
      local m = count(habit, text, list and path:find(list) and function(from, to)
        print(("%s:%d: %s: %s: %s"):format(path, line, kind, habit[1],
          text:sub(math.max(1, from - 40), to + 40)))
      end)
      local key = path .. "\t" .. kind
      counts[key] = (counts[key] or 0) + m
      total[kind] = (total[kind] or 0) + m
    end
  end)
end

-- Counts a text that is too long; with --list, prints it.
local function too_long(kind, path, line, size, text)
  local key = path .. "\t" .. kind
  counts[key] = (counts[key] or 0) + 1
  if list and path:find(list) then
    print(("%s:%d: %s (%d): %s"):format(path, line, kind, size, text))
  end
end

-- Returns the number of sentences of a paragraph.
local function sentences(paragraph)
  local _, n = (paragraph:gsub("et al%.", "et al") .. " "):gsub("%l%l[%)\"]*[.!?] ", "")
  return n
end

for _, path in ipairs(files()) do
  if path:find("^src/.*%.[ch]$") then
    texts.each_message(root .. "/" .. path, function(text, line)
      if #text > LONGEST then too_long("long message", path, line, #text, text) end
    end)
    texts.each_help(root .. "/" .. path, function(text, line)
      for paragraph in (text .. "\\n"):gmatch("(.-)\\n") do
        local n = sentences(paragraph)
        if n > SENTENCES then too_long("long help", path, line, n, paragraph) end
      end
    end)
  end
end
-- The comment at the head of a scenario is its lesson. HEAD is the maximum
-- number of lines of this comment.
local HEAD = 12

-- Returns the number of comment lines before the first other line.
local function head_of(path)
  local n = 0
  for line in io.lines(path) do
    if not line:find("^%-%-") then break end
    n = n + 1
  end
  return n
end

local long_heads = {}
for _, path in ipairs(files()) do
  local n = path:find("^scenarios/.*%.lua$") and head_of(root .. "/" .. path) or 0
  if n > HEAD then long_heads[#long_heads + 1] = { path, n } end
end
if list then os.exit(0) end

local function measures()
  local kinds = {}
  for kind in pairs(words) do kinds[#kinds + 1] = kind end
  table.sort(kinds)
  for _, kind in ipairs(kinds) do
    print(("%-14s %6d marked phrases in %7d words: %.2f in a thousand"):format(
      kind, total[kind] or 0, words[kind], 1000 * (total[kind] or 0) / words[kind]))
  end
end

if arg[2] == "--write" then
  local keys = {}
  for key, n in pairs(counts) do if n > 0 then keys[#keys + 1] = key end end
  table.sort(keys)
  local out <close> = assert(io.open(record, "w"))
  for _, key in ipairs(keys) do out:write(counts[key], "\t", key, "\n") end
  measures()
  os.exit(0)
end

local faults, allowed = 0, {}
local function fault(...) print(string.format(...)) faults = faults + 1 end
for line in io.lines(record) do
  local n, key = line:match("^(%d+)\t(.+)$")
  allowed[key] = tonumber(n)
end
for key, n in pairs(counts) do
  local path, kind = key:match("^(.-)\t(.+)$")
  if n > (allowed[key] or 0) then
    fault("%s: %d marked phrases in its texts (%s), %d are allowed: " ..
      "lua5.4 tests/lint/english.lua . --list %s", path, n, kind, allowed[key] or 0, path)
  end
end
for key, n in pairs(allowed) do
  if n > (counts[key] or 0) then
    fault("%s: fewer marked phrases than recorded: lua5.4 tests/lint/english.lua . --write",
      key:gsub("\t", ", "))
  end
end
for _, head in ipairs(long_heads) do
  fault("%s: its head has %d lines, at most %d are allowed", head[1], head[2], HEAD)
end
measures()
os.exit(faults == 0 and 0 or 1)
