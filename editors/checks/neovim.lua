-- Works on the project in $CHECK_PROJECT as a user would, and writes what it sees to $CHECK_REPORT.
-- The configuration of the README is loaded before.

local project = vim.env.CHECK_PROJECT
local report_file = io.open(vim.env.CHECK_REPORT, "w")

local function report(step, value)
  local encode = vim.json and vim.json.encode or vim.fn.json_encode
  report_file:write(encode({ step = step, value = value }) .. "\n")
  report_file:flush()
end

local function wait(condition) return vim.wait(10000, condition, 50) end

local function open(path)
  vim.cmd("edit " .. project .. "/" .. path)
  return vim.api.nvim_get_current_buf()
end

local function findings(buffer)
  local diagnostics = vim.diagnostic.get(buffer)
  table.sort(diagnostics, function(a, b) return a.lnum < b.lnum or (a.lnum == b.lnum and a.col < b.col) end)
  return vim.tbl_map(function(d)
    return { d.code, vim.api.nvim_buf_get_text(buffer, d.lnum, d.col, d.end_lnum, d.end_col, {})[1] }
  end, diagnostics)
end

local function wait_for_count(buffer, count)
  wait(function() return #vim.diagnostic.get(buffer) == count end)
  return findings(buffer)
end

local function request(buffer, method, params)
  for _, response in pairs(vim.lsp.buf_request_sync(buffer, method, params, 10000) or {}) do
    return response.result
  end
end

local function text(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n" end

-- The position of some text in the buffer, in the units of the client.
local function at(buffer, needle)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(needle, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { number, column - 1 })
      local client = (vim.lsp.get_clients or vim.lsp.get_active_clients)({ bufnr = buffer })[1]
      return vim.lsp.util.make_position_params(0, client.offset_encoding)
    end
  end
  error("no " .. needle)
end

local function places(locations)
  return vim.tbl_map(function(location)
    local file = vim.uri_to_fname(location.uri or location.targetUri)
    return file:sub(#project + 2) .. ":" .. (location.range or location.targetSelectionRange).start.line + 1
  end, locations or {})
end

-- Chooses an action as the menu would show it.
local titles
local function act(buffer, needle, wanted, done)
  at(buffer, needle)
  titles = {}
  vim.ui.select = function(items, options, callback)
    for number, item in ipairs(items) do
      local title = options.format_item and options.format_item(item) or ""
      table.insert(titles, title)
    end
    for number, title in ipairs(titles) do
      if title:find(wanted) then return callback(items[number], number) end
    end
    callback(nil)
  end
  vim.lsp.buf.code_action()
  wait(done)
end

local buffer = open("engine/decode.py")
wait(function() return #vim.diagnostic.get(buffer) >= 2 end)
report("findings", findings(buffer))

local hover = request(buffer, "textDocument/hover", at(buffer, "DEMO_POISON"))
report("hover", hover and hover.contents.value or "")
report("definition", places(request(buffer, "textDocument/definition", at(buffer, "DEMO_POISON"))))
local position = at(buffer, "DEMO_POISON")
position.context = { includeDeclaration = true }
report("references", places(request(buffer, "textDocument/references", position)))

if vim.lsp.inlay_hint then
  vim.lsp.inlay_hint.enable(true)
  wait(function() return #vim.lsp.inlay_hint.get({ bufnr = buffer }) > 0 end)
  report("hints", vim.tbl_map(function(hint)
    local label = hint.inlay_hint.label
    return type(label) == "string" and label or label[1].value
  end, vim.lsp.inlay_hint.get({ bufnr = buffer })))
end

vim.api.nvim_buf_set_lines(buffer, 7, 7, false, { '    trace = "😀é"; trace = flag("DEMO_TRACE")' })
report("typed", wait_for_count(buffer, 3))
vim.api.nvim_buf_set_lines(buffer, 7, 8, false, {})
report("typed and removed", wait_for_count(buffer, 2))

local flags = open("engine/flags.py")
vim.api.nvim_buf_set_lines(flags, 4, 5, false, { "    return False" })
report("wrapper edited", wait_for_count(buffer, 1))
vim.cmd("edit!")
wait_for_count(buffer, 2)

vim.cmd("buffer " .. buffer)
act(buffer, "os.environ.get", "[Ss]uppress", function() return text(buffer):find("allow%(") ~= nil end)
report("actions", titles)
report("suppressed", text(buffer))
report("left", wait_for_count(buffer, 1))

act(buffer, "flag(\"DEMO_POISON\")", "Levers.get", function() return not text(buffer):find("DEMO_POISON") end)
report("fixed", text(buffer))

local rust = open("kernel/src/lib.rs")
wait(function() return #vim.diagnostic.get(rust) >= 1 end)
report("rust", findings(rust))

local settings = { leverlint = { ignore = { "raw-read" } } }
for _, client in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
  client.config.settings = settings
  client.settings = settings
  client.notify("workspace/didChangeConfiguration", { settings = settings })
end
report("settings", wait_for_count(rust, 0))

report_file:close()
vim.cmd("qall!")
