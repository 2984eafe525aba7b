-- Prints texts chosen at random, for readers who judge whether the texts are plain: 200 comments,
-- 100 messages, 40 heads of scenarios, 40 paragraphs of help.
-- Usage: sample.lua ROOT SEED
local root, seed = assert(arg[1], "which folder?"), assert(math.tointeger(arg[2]), "which seed?")
package.path = arg[0]:match("^.*/") .. "?.lua;" .. package.path
local texts = require "texts"

local function files(folders, ending)
  local out = {}
  local names <close> = io.popen(("cd '%s' && find %s -type f | LC_ALL=C sort"):format(root, folders))
  for path in names:lines() do
    if path:find(ending) then out[#out + 1] = path end
  end
  return out
end

local function read(path)
  local file <close> = assert(io.open(root .. "/" .. path))
  return file:read("a")
end

-- Returns a list of the lines in a file.
local function lines_of(path)
  local lines = {}
  for line in (read(path) .. "\n"):gmatch("([^\n]*)\n") do lines[#lines + 1] = line end
  return lines
end

local function plain(text)
  return (text:gsub("[%s]+", " "):gsub("^ ", ""):gsub(" $", ""))
end

-- Calls found(line, text) for each comment of a file. Comments after members of a
-- struct are not joined; consecutive comment lines in Lua are joined.
local function each_comment(path, found)
  if path:find("%.lua$") then
    texts.each(root .. "/" .. path, function(kind, line, text)
      if kind == "comment" then found(line, text) end
    end)
    return
  end
  local source, at, line = read(path), 1, 1
  while true do
    local from, to, text = source:find("/%*(.-)%*/", at)
    if not from then return end
    line = line + select(2, source:sub(at, from - 1):gsub("\n", ""))
    found(line, (text:gsub("\n%s*%*", "\n")))
    line = line + select(2, text:gsub("\n", ""))
    at = to + 1
  end
end

-- Returns the comments of C and Lua, each with the code on its line or on the next.
local function comments()
  local out = {}
  for _, path in ipairs(files("src lua tests", "%.[chl]u?a?$")) do
    local lines = lines_of(path)
    each_comment(path, function(line, text)
      if not text:find("%a+%s+%a+") then return end
      local _, breaks = text:gsub("\n", "")
      local before = lines[line]:match("^%s*(.-)%s*/%*") or ""
      local after = lines[line + breaks + 1] or ""
      out[#out + 1] = ("%s:%d\n    %s\n    code: %s"):format(path, line, plain(text),
        before ~= "" and before or plain(after))
    end)
  end
  return out
end

-- Returns the format of each error and hint of C, and each error of Lua.
local function messages()
  local out = {}
  for _, path in ipairs(files("src", "%.c$")) do
    texts.each_message(root .. "/" .. path, function(text)
      if text:find(" ") then out[#out + 1] = path .. "\n    " .. plain(text) end
    end)
  end
  for _, path in ipairs(files("lua", "%.lua$")) do
    for call in read(path):gmatch("m%.fail(%b())") do
      out[#out + 1] = path .. "\n    " .. plain(call)
    end
  end
  return out
end

local function heads()
  local out = {}
  for _, path in ipairs(files("scenarios", "%.lua$")) do
    local head = read(path):match("^(%-%-[^\n]*\n.-)\n[^%-]")
    if head then out[#out + 1] = path .. "\n    " .. plain(head:gsub("\n%-%-", "\n"):gsub("^%-%-", "")) end
  end
  return out
end

-- Returns the help texts in C sources, except very short texts.
local function help()
  local out = {}
  for _, path in ipairs(files("src", "%.[ch]$")) do
    texts.each_help(root .. "/" .. path, function(text)
      if #text > 60 then out[#out + 1] = path .. "\n    " .. plain(text) end
    end)
  end
  return out
end

math.randomseed(seed)
local function draw(title, list, n)
  print(("==== %s: %d of %d ===="):format(title, math.min(n, #list), #list))
  for i = 1, math.min(n, #list) do
    local k = math.random(i, #list)
    list[i], list[k] = list[k], list[i]
    print(("%d. %s"):format(i, list[i]))
  end
end

draw("comments", comments(), 200)
draw("messages", messages(), 100)
draw("heads", heads(), 40)
draw("help", help(), 40)
