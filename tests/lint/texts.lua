-- Finds the texts of a file that are written for people: comments and strings of C and Lua, and the
-- prose of pages.
local M = {}

-- Calls found(kind, line, text) for each comment and string of C.
local function of_c(source, found)
  source = source:gsub('(\n%s*#%s*include%s*)"[^"\n]*"', "%1")
  local at, line = 1, 1
  local function skip(to) -- counts the lines up to `to`
    for _ in source:sub(at, to - 1):gmatch("\n") do line = line + 1 end
    at = to
  end
  while true do
    local from = source:find("[/\"']", at)
    if not from then return end
    skip(from)
    local two = source:sub(from, from + 1)
    if two == "/*" then
      local last = source:find("*/", from + 2, true) or #source
      local text = source:sub(from + 2, last - 1):gsub("\n%s*%*", "\n")
      found("comment", line, text)
      skip(last + 2)
    elseif two == "//" then
      local last = source:find("\n", from, true) or #source
      found("comment", line, source:sub(from + 2, last - 1))
      skip(last)
    elseif two:sub(1, 1) == '"' then
      local last, escaped = from, nil
      repeat
        last = source:find('[\\"]', last + 1) or #source
        escaped = source:byte(last) == 92 and last < #source
        if escaped then last = last + 1 end
      until not escaped
      found("string", line, source:sub(from + 1, last - 1))
      skip(last + 1)
    elseif two == "''" or two:sub(1, 1) == "'" then
      local _, last = source:find("^'\\?.[^'\n]*'", from)
      skip((last or from) + 1)
    else
      skip(from + 1)
    end
  end
end

-- Calls found(kind, line, text) for each comment and string of Lua.
local function of_lua(source, found)
  local at, line = 1, 1
  local function skip(to)
    for _ in source:sub(at, to - 1):gmatch("\n") do line = line + 1 end
    at = to
  end
  while true do
    local from = source:find("[%-\"'%[]", at)
    if not from then return end
    skip(from)
    local comment = source:sub(from, from + 1) == "--"
    local open = source:match("^%[(=*)%[", comment and from + 2 or from)
    if open then
      local _, last = source:find("]" .. open .. "]", from, true)
      last = last or #source
      found(comment and "comment" or "string", line,
        source:sub(from + #open + (comment and 4 or 2), last - #open - 2))
      skip(last + 1)
    elseif comment then
      local last = source:find("\n", from, true) or #source + 1
      found("comment", line, source:sub(from + 2, last - 1))
      skip(last)
    elseif source:find("^[\"']", from) then
      local quote, last = source:sub(from, from), from
      repeat
        last = source:find("[\\\n" .. quote .. "]", last + 1) or #source
        local escaped = source:sub(last, last) == "\\"
        if escaped then last = last + 1 end
      until not escaped
      found("string", line, source:sub(from + 1, last - 1))
      skip(last + 1)
    else
      skip(from + 1)
    end
  end
end

-- Joins consecutive comment lines to one text. Also joins C strings that are
-- separated only by blanks.
local function joined(found)
  local last
  local function flush()
    if last then found(last.kind, last.line, last.text) end
    last = nil
  end
  local function add(kind, line, text)
    if last and last.kind == kind and kind == "comment" and line == last.stop + 1 then
      last.text, last.stop = last.text .. "\n" .. text, line
      return
    end
    flush()
    local _, breaks = text:gsub("\n", "")
    last = { kind = kind, line = line, text = text, stop = line + breaks }
  end
  return add, flush
end

-- Calls found for each paragraph of a page, without its code.
local function of_page(source, found)
  local line, code, start, text = 0, false, nil, {}
  local function flush()
    if #text > 0 then found("page", start, table.concat(text, "\n")) end
    text = {}
  end
  for l in (source .. "\n"):gmatch("([^\n]*)\n") do
    line = line + 1
    if l:find("^%s*```") then
      flush()
      code = not code
    elseif l:find("^%s*$") then
      flush()
    elseif not code then
      if #text == 0 then start = line end
      text[#text + 1] = (l:gsub("`[^`]*`", "CODE"))
    end
  end
  flush()
end

local readers = { c = of_c, h = of_c, def = of_c, lua = of_lua, md = of_page }

-- Calls found(kind, line, text) for each text of a file. `kind` is comment,
-- string or page.
function M.each(path, found)
  local read = readers[path:match("%.(%w+)$")]
  if not read then return end
  local file <close> = assert(io.open(path))
  local add, flush = joined(found)
  read(file:read("a"), add)
  flush()
end

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read("a")
end

-- Returns the C string literals that start at the position `at`, joined.
local function literals(source, at)
  local text = {}
  while true do
    local from, to, escaped = at, at, nil
    if source:sub(at, at) ~= '"' then break end
    repeat
      to = source:find('[\\"]', to + 1) or #source
      escaped = source:byte(to) == 92 and to < #source
      if escaped then to = to + 1 end
    until not escaped
    text[#text + 1] = source:sub(from + 1, to - 1)
    at = source:match("^[%s\\]*()", to + 1)
  end
  return table.concat(text)
end

-- Calls found(text, line) for each string literal of C that follows a match of
-- `pattern`. The pattern ends with "()" at the start of the literal.
local function after(source, pattern, found)
  for at in source:gmatch(pattern) do
    local text = literals(source, at)
    if text ~= "" then
      local _, line = source:sub(1, at):gsub("\n", "")
      found(text, line + 1)
    end
  end
end

-- Calls found(text, line) for the format of each error and hint of a C file.
function M.each_message(path, found)
  local source = read(path)
  after(source, "%f[%w_]cs_hint%([^\",;]*,%s*()", found)
  after(source, "%f[%w_]cs_fail%([^\",;]*,[^\",;]*,%s*()", found)
end

-- Calls found(text, line) for each help text of a C file.
function M.each_help(path, found)
  after(read(path), "%.help%s*=%s*()", found)
end

return M
