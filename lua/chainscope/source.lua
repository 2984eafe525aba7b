-- Finds the line numbers of table entries in the script, for error messages. Lua does not record
-- these numbers.
local m = ...
local core = m.core

-- Returns the next token from `at` on: its kind, its text and the position after it. Skips
-- comments and blanks.
local function next_token(text, at)
  while true do
    at = text:find("%S", at)
    if not at then return nil end
    local equals = text:match("^%-?%-?%[(=*)%[", at)
    local comment = text:sub(at, at + 1) == "--"
    if equals and (comment or text:sub(at, at) == "[") then
      local _, last = text:find("]" .. equals .. "]", at, true)
      at = (last or #text) + 1
      if not comment then return "text", "", at end
    elseif comment then
      at = (text:find("\n", at, true) or #text) + 1
    else
      local quote = text:match("^[\"']", at)
      if quote then
        local k = at + 1
        while k <= #text and text:sub(k, k) ~= quote do
          k = k + (text:sub(k, k) == "\\" and 2 or 1)
        end
        return "text", "", k + 1
      end
      local word = text:match("^[%a_][%w_]*", at)
      if word then return "word", word, at + #word end
      return "mark", text:sub(at, at), at + 1
    end
  end
end

local opens = { ["{"] = true, ["("] = true, ["function"] = true, ["if"] = true, ["do"] = true, ["repeat"] = true }
local closes = { ["}"] = true, [")"] = true, ["end"] = true, ["until"] = true }

-- Returns the position of the n-th entry of the table that follows `field =`. The search starts
-- at position `at`. Returns nil if the table is not written as a literal.
local function find_entry(text, at, field, n)
  local kind, token, before
  repeat
    before = token
    kind, token, at = next_token(text, at)
    if not kind then return nil end
  until token == "=" and before == field
  kind, token, at = next_token(text, at)
  if token ~= "{" then return nil end
  local depth, entry, from = 1, 1, nil
  while depth > 0 do
    local begins = at
    kind, token, at = next_token(text, at)
    if not kind then return nil end
    if not from and token ~= "}" then from = text:find("%S", begins) and at - #token end
    if entry == n and from then return from end
    if opens[token] then depth = depth + 1 elseif closes[token] then depth = depth - 1 end
    if depth == 1 and (token == "," or token == ";") then entry, from = entry + 1, nil end
  end
  return nil
end

-- Calls f(). If f fails, the error names the line of entry n of the table `field` in the script's
-- current call, provided that this table is written as a literal.
function m.blame_entry(field, n, f)
  local text, line, file = core.source()
  local function again(why)
    local place = text and core.place()
    if not place or type(why) ~= "string" or why:sub(1, #place) ~= place then error(why, 0) end
    local at = 1
    for _ = 2, line do at = text:find("\n", at, true) + 1 end
    local entry = find_entry(text, at, field, n)
    if not entry then error(("%s%s: entry %d: %s"):format(place, field, n, why:sub(#place + 1)), 0) end
    local _, more = text:sub(at, entry):gsub("\n", "")
    error(("%s:%d: %s"):format(file, line + more, why:sub(#place + 1)), 0)
  end
  local ok, why = pcall(f)
  if not ok then again(why) end
end
