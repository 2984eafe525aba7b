-- Tests a page (README.md or a page of assets/doc). It writes the Lua blocks of
-- the page to files, runs every command in its shell blocks in a separate
-- folder, and looks up every name and every link in its prose.
-- Usage: lua5.4 page.lua PAGE SOURCE_DIR BUILD_DIR [names | commands]
-- With the last word it checks only the names and links, or only the commands.
local page, source, build, only = table.unpack(arg)
local is_readme = page == source .. "/README.md"
local longest = is_readme and 150 or 200
local faults = 0
local function fault(...) print(string.format(...)) faults = faults + 1 end

local function read(path)
  local f = assert(io.open(path))
  local text = f:read("a")
  f:close()
  return text
end

local function output(command)
  local p = io.popen(command .. " 2>&1")
  local text = p:read("a")
  return text, p:close()
end

-- Returns the code blocks of a page. A Lua block that starts with the comment
-- "-- NAME.lua" is a file. Other blocks are examples of a few lines.
local function blocks_of(text)
  local blocks = {}
  for kind, body in text:gmatch("```(%w*)\n(.-)\n```") do
    blocks[#blocks + 1] = { kind = kind, body = body,
      file = kind == "lua" and body:match("^%-%- ([%w_]+%.lua)") }
  end
  return blocks
end

local function exists_at(path)
  return os.execute(("[ -e '%s' ]"):format(path))
end

local text = read(page)
local blocks, prose = blocks_of(text), text:gsub("```(%w*)\n(.-)\n```", "")

-- Returns the paths to which the links in the prose lead, relative to the page.
local function links()
  return prose:gmatch("%]%(([^%s)#]+)")
end
local folder = page:match("^(.*)/") or "."

-- ---- commands -------------------------------------------------------------

-- Returns one command per line. A backslash at the end of a line joins it with
-- the next.
local function commands(body)
  return (body:gsub("\\\n%s*", "")):gmatch("[^\n]+")
end

local work = output("mktemp -d"):match("%S+")
assert(os.execute(("cd '%s' && ln -s '%s' build && ln -s '%s/scenarios' . &&" ..
  " mkdir assets && ln -s '%s/assets/models' assets"):format(work, build, source, source)))
-- Runs a command as a user types it.
local shell = ("cd '%s' && export HOME=$PWD TERM=xterm-256color " ..
  "PATH=\"$PWD/.local/bin:%s:$PATH\" && "):format(work, build)

-- The commands that .ci/run takes from the README are not run here, because
-- .ci/run runs them.
local set_up = is_readme and {
  "^%.ci/setup && cmake %-G Ninja %-S %. %-B build && .+ && build/chainscope$",
  "^cmake %-%-build build %-%-target check$",
} or {}

-- Opens the screen in a pseudo-terminal, and types Q until the screen closes.
local function in_terminal(command)
  return ("(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do " ..
    "sleep 0.5; printf Q || exit; done) 2>/dev/null | script -qec " ..
    "'stty rows 40 cols 120; %s' /dev/null"):format(command)
end

-- Serves a page for a few seconds, then types Ctrl-C.
local function run_server(command)
  local out, ok = output(("%stimeout --preserve-status -s INT 4 %s || [ $? = 130 ]"):format(
    shell, command))
  if not ok then fault("%s: fails: %s", command, out:sub(1, 500)) end
  if not out:find("http://", 1, true) then fault("%s: prints no address", command) end
end

local function run(command)
  if command:find(" --serve", 1, true) then return run_server(command) end
  local screen = command == "chainscope" or
    command:match("^chainscope [%w_/]+%.lua") or
    command:match("^chainscope watch ")
  local line = screen and in_terminal(command) or command
  local out, ok = output(shell .. line)
  if not ok then fault("%s: fails: %s", command, out:sub(1, 500)) end
  if screen and not out:find("leave", 1, true) and not out:find("run/pause", 1, true) and
    not out:find("quit", 1, true) then
    fault("%s: no screen appears", command)
  end
end

-- Runs only the first and the last job of a Slurm array. The command with GNU
-- parallel runs all parts of the run.
local function run_array(script)
  local first, last = script:match("#SBATCH %-%-array=(%d+)%-(%d+)")
  local f = assert(io.open(work .. "/array.sh", "w"))
  f:write(script, "\n")
  f:close()
  for _, k in ipairs { tonumber(first), tonumber(last) } do
    run(("SLURM_ARRAY_TASK_ID=%d sh array.sh"):format(k))
  end
end

local has_parallel = os.execute("command -v parallel >/dev/null")
local has_mpi = os.execute("command -v mpirun >/dev/null")
-- Options that mpirun needs for root in a container, with fewer processors than
-- ranks.
local mpi = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 " ..
  "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 " ..
  "OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm_rsh_agent= "

local function write(block)
  local f = assert(io.open(work .. "/" .. block.file, "w"))
  f:write(block.body, "\n")
  f:close()
end

-- Writes the files of other pages that this page uses and to which it links.
local function write_linked()
  for path in links() do
    if path:find("%.md$") and exists_at(folder .. "/" .. path) then
      for _, block in ipairs(blocks_of(read(folder .. "/" .. path))) do
        if block.file and prose:find("`" .. block.file .. "`", 1, true) then write(block) end
      end
    end
  end
end

local function follow()
  local n = 0
  write_linked()
  for _, block in ipairs(blocks) do
    if block.file then
      if not text:find(" " .. block.file .. "\n", 1, true) and
         not text:find(" " .. block.file .. " ", 1, true) then
        fault("%s is never run", block.file)
      end
      write(block)
    elseif block.kind == "lua" then
      local ok, message = load(block.body, "=example")
      if not ok then fault("an example in Lua: %s", message) end
    elseif block.body:find("| parallel ", 1, true) and not has_parallel then
      print("skipped: GNU parallel is not installed")
    elseif block.body:find("^mpirun ") and not has_mpi then
      print("skipped: MPI is not installed")
    elseif block.kind == "sh" then
      for command in commands(block.body) do
        n = n + 1
        if not set_up[n] then run((command:gsub("^mpirun ", mpi .. "%0")))
        elseif not command:match(set_up[n]) then
          fault("command %d is not what .ci/run expects: %s", n, command)
        end
      end
    elseif block.kind == "slurm" then
      run_array(block.body)
    elseif block.kind ~= "text" then
      fault("a block of '%s'", block.kind)
    end
  end
  -- The pictures of the page are stored in the repository. A command on the
  -- page creates each picture again, and the new picture must have the same
  -- size.
  for picture in text:gmatch("%]%((assets/[%w_.]+%.svg)%)") do
    local shown = read(source .. "/" .. picture)
    local made = io.open(work .. "/" .. picture)
    if not made then fault("no command makes %s", picture)
    elseif made:read(200) ~= shown:sub(1, 200) then
      fault("the command for %s makes another size", picture)
    end
  end
end

-- ---- names ----------------------------------------------------------------

local program = build .. "/chainscope"
local manual = output(program .. " manual"):gsub("\\%-", "-"):gsub("\\&", "")
local known = {}
for name in manual:gmatch("\n%.TP\n\\fB(.-)\\fR") do known[name] = true end
for name in manual:gmatch("\n%.SS chainscope (%w+)") do known[name] = true end
local keys = {}
local key_part = manual:match("%.SH KEYS\n(.-)%.SH")
for label in key_part:gmatch("\n?%.TP\n\\fB(.-)\\fR") do
  for key in label:gmatch("%S+") do keys[key] = true end
end

-- Words that each have a line of their own in the configuration file.
local configured = output(program .. " config")
local function exists(path)
  local first = path:match("^%w+")
  return exists_at(source .. "/" .. path) or exists_at(work .. "/" .. path) or
    -- If only names are checked, the folder that a command would write need not
    -- exist.
    only and first and text:find("--out " .. first .. "%f[^%w_]")
end

-- True for Lua files of this page and of the pages to which it links.
local function is_file(name)
  local function has(page_text)
    for _, block in ipairs(blocks_of(page_text)) do
      if block.file == name then return true end
    end
  end
  if has(text) then return true end
  for path in links() do
    if path:find("%.md$") and exists_at(folder .. "/" .. path) and
        has(read(folder .. "/" .. path)) then
      return true
    end
  end
end

-- True for a word of the protocol for models in another process.
local protocol = read(source .. "/src/targets/outside/line_protocol.c") ..
  read(source .. "/src/targets/outside/process.c")
local function is_protocol(name)
  return page:find("/models%.md$") and protocol:find('"' .. name .. "%f[^%w]")
end

-- True for a command line with placeholders in capitals whose sub-command and
-- options exist.
local function is_command(code)
  for token in code:match("chainscope (.*)"):gmatch("%S+") do
    if token:find("^[%l-]") and not known[token] then return false end
  end
  return true
end

-- Names that the module itself contains.
local ok, cs = pcall(require, "chainscope")
local function word(code)
  if not ok then return true end
  local object, rest = code:match("^(%a+)[.:]([%a_.]+)$")
  local at
  if object == "cs" then
    at = cs
    for name in rest:gmatch("[^.]+") do at = at and at[name] end
  elseif object then
    local opened = cs.open { target = cs.target.gaussian { dim = 1 },
      arms = { a = cs.kernel.random_walk {} } }
    local all = { run = opened, arm = opened:arm(1),
                  chain = opened:arm(1):chain(1),
                  target = cs.target.gaussian { dim = 1 } }
    at = all[object] and all[object][rest]
  end
  return at ~= nil
end

-- True for a field of a scenario, a claim, a target or a panel. The help lists
-- all fields.
local function field(name)
  if not ok then return true end
  for _, topic in ipairs { "scenario", "full", "claim", "target", "own_panel", "budget",
      "kernel", "stan", "process", "course_step", "course_choice", "course_truth", "course_point" } do
    local there, help = pcall(cs.help, topic)
    if there and help and help:find("\n  " .. name .. " ", 1, true) then return true end
  end
  return false
end

-- The text of the CMake files, without comments.
local build_files = output(("cd '%s' && cat CMakeLists.txt tests/CMakeLists.txt " ..
  "tests/*/tests.cmake"):format(source)):gsub("#[^\n]*", "")
local targets = {}
for kind, name in build_files:gmatch("add_([%l_]+)%(([%w_-]+)") do
  if kind == "executable" or kind == "custom_target" then targets[name] = true end
end

-- True for an option of CMakeLists.txt, written with its value unless the
-- option is a switch.
local function option(name, value)
  if value == "ON" or value == "OFF" then
    return build_files:find("%f[%w_]" .. name .. "%f[^%w_]")
  end
  return build_files:find("%f[%w_]" .. name .. " STREQUAL " .. value .. "%f[^%w_]")
end

-- Kinds of code in the prose. Each function returns true if the code is valid.
local kinds = {
  { "^%-%-[%w-]+$", function(c) return known[c] end },
  { "^%-%-[%w-]+ %w+$", function(c) return known[c:match("^%S+")] end },
  { "^%-L %w+$", function(c)
    return read(source .. "/tests/CMakeLists.txt"):find(c:match("%w+$"), 1, true)
  end },
  { "^%-D[%u_]+=%w+$", function(c) return option(c:match("^%-D([%u_]+)=(%w+)")) end },
  { "^cmake %-%-build build %-%-target [%w-]+$", function(c)
    return targets[c:match("%S+$")]
  end },
  { "^chainscope %-%-%w+$", function(c)
    return select(2, output(program .. c:match(" .+") .. " </dev/null"))
  end },
  { "^chainscope %l+$", function(c) return known[c:match("%w+$")] end },
  { "^chainscope [%a-]", is_command }, { "^mpirun %-n P chainscope ", is_command },
  { '^cs%.help "%u+"$', function() return not ok or cs.help end },
  { '^cs%.help "[%l_]+"$', function(c) return not ok or cs.help(c:match('"(.*)"')) end },
  { "^%l+ %u$", function(c) return is_protocol(c:match("%l+")) end },
  { "^%l+ A B$", function(c) return is_protocol(c:match("%l+")) end },
  { "^[:]%a+", function(c) return known[c:match("%a+")] end },
  { "^;", function(c) return word(c:match("^;(%a+:%a+)")) end },
  { "^cs%.[%w_.]+ {.*}$", function(c)
    return not ok or pcall(load("return " .. c, c, "t", { cs = cs }))
  end },
  { "^[%a_]+ = .+$", function(c)
    local name = c:match("^[%a_]+")
    return field(name) or configured:find("\n  " .. name .. " ", 1, true)
  end },
  { "^%a+:[%a_]+$", word }, { "^cs%.[%a_.]+$", word },
  { "^lua5%.4$", function() return true end },
  { "^[%w_./]+$", function(c)
    return known[c] or targets[c] or exists(c) or exists("src/" .. c) or field(c) or
      is_file(c) or is_protocol(c) or
      ((c == "os" or c == "io") and not (ok and pcall(function() return cs[c] end)))
  end },
}

-- True for a name that occurs in a transcript, or in a block of the page that
-- is run.
local function in_block(code)
  for _, block in ipairs(blocks) do
    if block.body:find(code, 1, true) then return true end
  end
end

local function check_code(code)
  for _, kind in ipairs(kinds) do
    if code:match(kind[1]) then
      local fine, there = pcall(kind[2], code) -- the module raises an error for other names
      if not (fine and there) and not in_block(code) then fault("`%s` does not exist", code) end
      return
    end
  end
  if not in_block(code) then fault("`%s`: unknown kind of name", code) end
end

local function look_up()
  for code in prose:gmatch("`([^`\n]+)`") do check_code(code) end
  for key in prose:gmatch("<kbd>(.-)</kbd>") do
    key = key:gsub("&gt;", ">"):gsub("&lt;", "<")
    if not keys[key] then fault("there is no key %s", key) end
  end
  for path in links() do
    if not exists_at(folder .. "/" .. path) then fault("a link to nothing: %s", path) end
  end
  local _, lines = text:gsub("\n", "")
  if lines > longest then fault("%d lines, at most %d", lines, longest) end
end

-- Checks that the page about panels names every panel.
local function look_up_panels()
  for name in read(source .. "/src/screen/panels/panels.def"):gmatch("\nCS_PANEL%(([%w_]+)") do
    if not prose:find("`" .. name .. "`", 1, true) then fault("no panel %s on the page", name) end
  end
end

-- Checks that the README links to every page.
local function look_up_pages()
  for path in output(("ls '%s/assets/doc'"):format(source)):gmatch("%S+%.md") do
    if not prose:find("](assets/doc/" .. path .. ")", 1, true) then
      fault("no link to assets/doc/%s", path)
    end
  end
end

if only ~= "names" then follow() end
if only ~= "commands" then look_up() end
if is_readme then look_up_pages() end
if page:find("/panels%.md$") then look_up_panels() end
os.execute(("rm -rf '%s'"):format(work))
os.exit(faults == 0 and 0 or 1)
