-- Checks that every header compiles without other includes before it, and also
-- if it is included twice. `#pragma once` permits including it twice. If a .c
-- file includes a header first, directly or through another header, the header
-- is known to need no other includes. The compiler checks all other headers,
-- except those that the file STAMP lists as accepted and that are unchanged
-- since.
-- Usage: lua5.4 headers.lua SOURCE_DIR STAMP COMPILER [FLAG ...]
local source = assert(arg[1], "which source folder?")
local stamp = assert(arg[2], "which stamp?")
assert(arg[3], "which compiler?")
local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function output(command)
  local p = io.popen(("cd %s && %s"):format(quoted(source), command))
  local text = p:read("a")
  p:close()
  return text
end

local function files(pattern)
  return output(("find . -name '%s' | sort"):format(pattern)):gmatch("%./([^\n]+)")
end

local function read(path)
  local f <close> = io.open(path)
  return f and f:read("a")
end

-- Returns the text without its comments and without `#pragma once`. Also
-- returns whether the text had a line `#pragma once`.
local function code_of(path)
  local code = read(source .. "/" .. path):gsub("/%*.-%*/", ""):gsub("^%s+", "")
  local inside, once = code:gsub("^#pragma once%s+", "")
  return inside, once > 0
end

-- Marks the header that a file includes first, the header that this header
-- includes first, and so on.
local opens = {}
local function mark(path)
  local name = code_of(path):match('^#include "([^"]+)"')
  if not name then return end
  local beside = (path:match("^.*/") or "") .. name
  name = read(source .. "/" .. beside) and beside or name
  if opens[name] or not read(source .. "/" .. name) then return end
  opens[name] = true
  mark(name)
end
for path in files("*.c") do mark(path) end

local n, try = 0, {}
for path in files("*.h") do
  n = n + 1
  local _, guarded = code_of(path)
  if not opens[path] or not guarded then try[#try + 1] = path end
end
assert(n > 0, "no headers under " .. source)

local compiler = {}
for i = 3, #arg do compiler[#compiler + 1] = quoted(arg[i]) end
local compile = ([[printf '#include "%%s"\n#include "%%s"\n' "$0" "$0" |
  %s -Werror -fsyntax-only -x c - || { echo "$0 does not compile alone, or twice"; exit 1; }]])
  :format(table.concat(compiler, " "))
local key = table.concat(try, "\n") .. compile ..
  output("find . -name '*.h' | sort | xargs cat | md5sum")
if read(stamp) == key then return end
local xargs = io.popen("xargs -P 2 -n 1 sh -c " .. quoted(compile), "w")
if #try > 0 then xargs:write(table.concat(try, "\n"), "\n") end
if not xargs:close() then os.exit(1) end
local out = assert(io.open(stamp, "w"))
out:write(key)
out:close()
