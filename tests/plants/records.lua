-- Reads the records of planted faults, FOLDER/*.txt. A record has the lines
--
--   fault NAME: description of the fault
--   file src/FILE, as git names it
--   test KIND/NAME, the ctest name of the test that must fail
--   -old text, a line or a part of a line
--   +new text
--
-- with any number of lines of old and new text. The signs are removed, and the
-- lines are joined by line feeds. Lines that begin with # are comments.
local records = {}

local function slurp(path)
  local f = io.open(path, "rb")
  local text = f and f:read("a")
  if f then f:close() end
  return text
end
records.slurp = slurp

function records.lines(command)
  local lines, p = {}, assert(io.popen(command))
  for line in p:lines() do lines[#lines + 1] = line end
  return lines, p:close()
end

local function take(line, record, say)
  local word, rest = line:match("^(%l+) (.+)$")
  local sign = line:sub(1, 1)
  if sign == "-" or sign == "+" then
    local list = record[sign]
    list[#list + 1] = line:sub(2)
  elseif (word == "file" or word == "test") and not record[word] then
    record[word] = rest
  else
    say("not a line of a record: use fault, file, test, - or +")
  end
end

local function finish(record)
  local function part(list) return table.concat(list, "\n") end
  if not (record.file and record.test and #record["-"] > 0) then
    record.say("the fault %s needs a file, a test and old text", record.name)
    return
  end
  record.old, record.new = part(record["-"]), part(record["+"])
  if record.old == record.new then
    record.say("the fault %s changes nothing", record.name)
  end
end

local function read_file(path, list, say_all)
  local record, number = nil, 0
  for line in assert(slurp(path)):gmatch("([^\n]*)\n") do
    number = number + 1
    local at = number
    local function say(...) say_all(("%s:%d: "):format(path, at) .. string.format(...)) end
    local name, words = line:match("^fault ([%w_]+): (.+)$")
    if name then
      if record then finish(record) end
      record = { name = name, from = path, words = words, say = say,
        ["-"] = {}, ["+"] = {} }
      list[#list + 1] = record
    elseif line ~= "" and line:sub(1, 1) ~= "#" then
      if record then take(line, record, say)
      else say("before the first fault: begin with `fault NAME: words`") end
    end
  end
  if record then finish(record) end
end

-- Returns all records of a folder, in order of file and line. Calls say(text)
-- for each malformed record, and for each repeated name.
function records.read(folder, say)
  local list, seen = {}, {}
  for _, path in ipairs(records.lines(("ls '%s'/*.txt"):format(folder))) do
    read_file(path, list, say)
  end
  for _, r in ipairs(list) do
    if seen[r.name] then r.say("two faults are called %s", r.name) end
    seen[r.name] = true
  end
  return list
end

-- Returns the text with the only occurrence of the old text replaced, or nil
-- and the reason.
function records.replace(text, record)
  if not text then return nil, "there is no such file" end
  local from, to = text:find(record.old, 1, true)
  if not from then return nil, "its old text is not there" end
  if text:find(record.old, from + 1, true) then
    return nil, "its old text is there more than once"
  end
  return text:sub(1, from - 1) .. record.new .. text:sub(to + 1)
end

return records
