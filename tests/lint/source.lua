-- Reads C sources: a module of tests/lint.
local source = {}

function source.read(path)
  local f <close> = assert(io.open(path))
  return f:read("a")
end

local function blank(s) return (s:gsub("[^\n]", " ")) end

-- Returns the text with comments and the contents of strings replaced by
-- blanks. Line numbers are unchanged.
function source.code(text)
  text = text:gsub("/%*.-%*/", blank)
  text = text:gsub("\\\\", "  "):gsub('\\"', "  ")
  return (text:gsub('"[^"\n]*"', blank))
end

-- Returns the same text without preprocessor lines and their continuations.
function source.without_macros(code)
  code = code:gsub("\\\n", "\\\r")
  code = ("\n" .. code):gsub("\n[ \t]*#[^\n]*", function(s)
    return "\n" .. s:sub(2):gsub("[^\r]", " "):gsub("\r", "\n")
  end)
  return (code:sub(2):gsub("\\\r", " \n"))
end

-- Returns a list of the structs, unions and enums that have a body, including
-- nested ones. Each entry has the kind, the tag, the typedef name, the body,
-- and the position. The tag or the typedef name may be "".
function source.bodies(code)
  return coroutine.wrap(function()
    for _, kind in ipairs { "struct", "union", "enum" } do
      local from = 1
      while true do
        local at, last = code:find(kind, from, true)
        if not at then break end
        local _, brace, tag = code:find("^%s+([%w_]*)%s*{", last + 1)
        if brace and not code:find("^[%w_]", at - 1) then
          local body = code:match("^%b{}", brace)
          local name = code:match("^%s*([%w_]*)", brace + #body)
          local is_typedef = code:find("^typedef%s", math.max(at - 8, 1))
          coroutine.yield(kind, tag, is_typedef and name or "", body:sub(2, -2), at)
        end
        from = last + 1
      end
    end
  end)
end

function source.line(text, at)
  local _, before = text:sub(1, at):gsub("\n", "")
  return before + 1
end

-- Returns the number of names that a declaration without braces declares: two for `double *x,
-- y[2]`.
local function names_in(text)
  local _, commas = text:gsub("%b()", ""):gsub("%b[]", ""):gsub(",", "")
  return commas + 1
end

-- Returns the number of members of a struct with this body. The members of an
-- unnamed inner struct or union are counted, at any depth. A named inner struct
-- counts as one member.
function source.members(body)
  local n, at = 0, 1
  while true do
    local stop = body:find("[;{]", at)
    if not stop then return n end
    local head, tail = body:sub(at, stop - 1), stop
    if body:sub(stop, stop) == "{" then
      local inner = body:match("^%b{}", stop)
      tail = body:find(";", stop + #inner, true)
      local names = body:sub(stop + #inner, tail - 1)
      if names:find("[%w_]") then
        n = n + names_in(names)
      elseif not head:find("%f[%w_]enum%f[^%w_]") then
        n = n + source.members(inner:sub(2, -2))
      end
    elseif head:find("%S") then
      n = n + names_in(head)
    end
    at = tail + 1
  end
end

-- Returns the number of functions that a header declares without a body. `code`
-- must come from without_macros.
function source.prototypes(code)
  local n = 0
  code = code:gsub("%b{}", ";")
  for statement in code:gmatch("[^;]+") do
    local calls = statement:gsub("__attribute__%s*%b()", "")
    if not calls:find("%f[%w_]typedef%f[^%w_]") and not calls:find("=", 1, true) and
        not calls:find("%f[%w_]static%f[^%w_]") and calls:find("^%s*%a[%w_%s%*]*[%w_]%s*%b()") then
      n = n + 1
    end
  end
  return n
end

return source
