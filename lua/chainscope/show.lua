-- Formats values for the console.
local m = ...

-- Formats a value. A plain table is formatted with its entries and their entries. For a long table,
-- only the first twenty entries, sorted, and the number of the remaining entries are included.
local function shown(value, depth)
  if type(value) == "string" and depth > 0 then return ("%q"):format(value) end
  if type(value) ~= "table" or getmetatable(value) then return tostring(value) end
  if depth > 3 then return "{ ... }" end
  local lines, most, more = {}, 20, 0
  local function add(text)
    if #lines < most then lines[#lines + 1] = text else more = more + 1 end
  end
  for _, x in ipairs(value) do add(#lines < most and shown(x, depth + 1)) end
  if #lines == 0 then
    for _, key in ipairs(m.sorted_keys(value)) do
      add(#lines < most and tostring(key) .. " = " .. shown(value[key], depth + 1))
    end
    if depth == 0 and #lines > 0 then
      if more > 0 then lines[#lines + 1] = "... " .. more .. " more" end
      return table.concat(lines, "\n")
    end
  end
  if #lines == 0 then return "{}" end
  if more > 0 then lines[#lines + 1] = "... " .. more .. " more" end
  return "{ " .. table.concat(lines, ", ") .. " }"
end

function m.words.show(value) return shown(value, 0) end
