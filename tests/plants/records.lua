-- Reads the records of planted faults, FOLDER/*.txt. A record is
--
--   fault NAME: what is wrong then, in words
--   file src/FILE, as git names it
--   test KIND/NAME, as ctest names the one that must fail
--   -old text, a line or a part of one
--   +new text
--
-- with as many lines of each as it takes: old and new text are those lines
-- without their sign, a line feed between two. Lines that begin with # are
-- comments.
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
    say("no line of a record: use fault, file, test, - or +")
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

-- All records of a folder, in order of file and line; say(text) is called for each
-- one that is not well formed, and one whose name there is already.
function records.read(folder, say)
  local list, seen = {}, {}
  for _, path in ipairs(records.lines(("ls '%s'/*.txt"):format(folder))) do
    read_file(path, list, say)
  end
  for _, r in ipairs(list) do
    if seen[r.name] then r.say("a second fault is called %s", r.name) end
    seen[r.name] = true
  end
  return list
end

-- Text with what is old once replaced; nil and why not.
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
