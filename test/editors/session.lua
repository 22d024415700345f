-- A session in Neovim, without a window: manifests are opened, typed in, repaired and converted, with the keys of no user.
-- It runs in a folder with copies of the examples; CRDLIFT_WANT is a folder with what crdlift makes of them by itself.
local want = vim.env.CRDLIFT_WANT
local patience = 60 * 1000 -- milliseconds, after which a step has failed

local function fail(...)
  error(string.format(...), 0)
end

-- read returns the bytes of a file.
local function read(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- same fails unless the file has the bytes that are wanted.
local function same(name, wanted)
  if read(name) ~= read(wanted) then
    fail("%s is not as crdlift writes it:\n%s", name, vim.fn.system({ "diff", "-u", wanted, name }))
  end
end

-- diagnostics are those of the buffer, a line each: rule, line and column, both from 1, columns in bytes.
local function diagnostics()
  local all = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    assert(d.source == "crdlift", d.source)
    table.insert(all, string.format("%s %d:%d", d.code or d.user_data.lsp.code, d.lnum + 1, d.col + 1))
  end
  table.sort(all)
  return table.concat(all, "\n")
end

-- says waits until the diagnostics of the buffer are these.
local function says(...)
  local wanted = table.concat({ ... }, "\n")
  if not vim.wait(patience, function() return diagnostics() == wanted end, 20) then
    fail("%s: the diagnostics are\n%s\nand not\n%s", vim.fn.bufname(), diagnostics(), wanted)
  end
end

-- act chooses the code action at the cursor whose title begins so, as a person does in the list that Neovim shows, and waits
-- until the buffer has changed.
local function act(line, column, title)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  local before, offered = vim.api.nvim_buf_get_changedtick(0), nil
  vim.ui.select = function(items, options, choose)
    offered = {}
    for _, item in ipairs(items) do
      table.insert(offered, (options.format_item(item)))
    end
    for i, item in ipairs(items) do
      if vim.startswith(offered[i], title) then
        return choose(item, i)
      end
    end
  end
  vim.lsp.buf.code_action()
  if not vim.wait(patience, function() return vim.api.nvim_buf_get_changedtick(0) > before end, 20) then
    fail("no action %q was carried out; offered is\n%s", title, table.concat(offered or { "nothing" }, "\n"))
  end
end

local steps = {
  { "findings of a CRD, at their places", function()
    vim.cmd("edit lint/backups.yaml")
    says("default-invalid 30:26", "pattern-unanchored 33:26", "printer-column-unresolved 43:17", "scope-invalid 11:10")
  end },
  { "columns behind letters that take two units in UTF-16", function()
    vim.api.nvim_buf_set_lines(0, 26, 26, false, { "              more: { type: string, title: 💾💾, default: 7 }" })
    says("default-invalid 27:63", "default-invalid 31:26", "pattern-unanchored 34:26", "printer-column-unresolved 44:17",
      "scope-invalid 11:10")
    vim.cmd("edit!")
    says("default-invalid 30:26", "pattern-unanchored 33:26", "printer-column-unresolved 43:17", "scope-invalid 11:10")
  end },
  { "the page of a rule", function()
    vim.api.nvim_win_set_cursor(0, { 11, 11 })
    local shown
    vim.lsp.buf_request(0, "textDocument/hover", vim.lsp.util.make_position_params(), function(_, result)
      shown = result and result.contents.value or "nothing"
    end)
    vim.wait(patience, function() return shown end, 20)
    if not shown:find("Reports CRDs whose scope", 1, true) then
      fail("the pointer shows %s", shown)
    end
  end },
  { "a fix", function()
    act(11, 12, "Set scope to Namespaced")
    says("default-invalid 30:26", "pattern-unanchored 33:26", "printer-column-unresolved 43:17")
    vim.cmd("silent write")
    same("lint/backups.yaml", want .. "/lint/backups.yaml")
  end },
  { "a conversion, of a file with CRLF too", function()
    for _, name in ipairs({ "crontabs.yaml", "crlf.yaml" }) do
      vim.cmd("edit convert/" .. name)
      says("deprecated-api-version 1:13")
      act(3, 1, "Convert this document to apiextensions.k8s.io/v1")
      vim.cmd("silent write")
      same("convert/" .. name, want .. "/convert/" .. name)
      says()
    end
  end },
  { "a custom resource by a CRD that is not saved", function()
    vim.cmd("edit validate/samples/users.yaml")
    says("object-constraint 10:19", "object-rule 9:13", "object-unknown-field 13:5")
    vim.cmd("edit validate/crd/databases.yaml")
    vim.cmd("%substitute/maximum: 7/maximum: 1/")
    vim.cmd("buffer samples/users.yaml")
    says("object-constraint 10:19", "object-constraint 9:13", "object-rule 9:13", "object-unknown-field 13:5")
  end },
  { "markers in Go, beside what gopls says", function()
    vim.fn.mkdir("api/v1", "p")
    vim.cmd("edit api/v1/types.go")
    vim.api.nvim_buf_set_lines(0, 0, -1, false, {
      "package v1", "", "type WidgetSpec struct {", "\t// +kubebuilder:validation:MaxItem=3", "\t// +kubebuilder:val", "\tParts []string", "}",
    })
    says("marker-ignored 4:5")
    act(4, 1, "Replace +kubebuilder:validation:MaxItem=3 by +kubebuilder:validation:MaxItems=3 above WidgetSpec.Parts")
    says()
    local offered
    local params = vim.lsp.util.make_position_params()
    params.position = { line = 4, character = 20 }
    vim.lsp.buf_request(0, "textDocument/completion", params, function(_, result)
      offered = result or {}
    end)
    vim.wait(patience, function() return offered end, 20)
    local labels = {}
    for _, item in ipairs(offered) do
      labels[item.label] = item.textEdit.newText
    end
    if labels["+kubebuilder:validation:MinItems"] ~= "+kubebuilder:validation:MinItems=" or labels["+kubebuilder:validation:MaxItems"] then
      fail("offered is %s", vim.inspect(labels))
    end
    vim.cmd("bdelete!")
  end },
  { "a custom resource, by completion only", function()
    vim.cmd("edit validate/samples/typed.yaml")
    -- take puts the cursor at the end of the text behind what is typed, and takes what is offered there.
    local function take(typed, label)
      local row = vim.api.nvim_buf_line_count(0)
      local line = vim.api.nvim_buf_get_lines(0, row - 1, row, false)[1] .. typed
      vim.api.nvim_buf_set_lines(0, row - 1, row, false, vim.split(line, "\n"))
      row = vim.api.nvim_buf_line_count(0)
      line = vim.api.nvim_buf_get_lines(0, row - 1, row, false)[1]
      local items
      vim.lsp.buf_request(0, "textDocument/completion", {
        textDocument = vim.lsp.util.make_text_document_params(), position = { line = row - 1, character = #line },
      }, function(_, result) items = result or {} end)
      vim.wait(patience, function() return items end, 20)
      for _, item in ipairs(items) do
        if item.label == label then
          vim.lsp.util.apply_text_edits({ item.textEdit }, 0, "utf-16")
          return
        end
      end
      fail("%s is not offered at %d:%d, but %s", label, row, #line, vim.inspect(vim.tbl_map(function(i) return i.label end, items)))
    end
    take("", "Database")
    take("typed\ns", "spec")
    take("e", "engine")
    take("", "mariadb")
    take("\n  ", "storage")
    take("", "size")
    take("20Gi\n    ", "class")
    take("", "standard")
    take("\n  b", "backup")
    take("", "schedule")
    vim.api.nvim_buf_set_lines(0, -2, -1, false, { '    schedule: "@daily"' })
    says()
    vim.cmd("silent write")
    local said = vim.fn.system({ "crdlift", "validate", "--crds", "validate/crd", "validate/samples/typed.yaml" })
    if vim.v.shell_error ~= 0 or not said:find("no findings in 1 object", 1, true) then
      fail("crdlift validate says %s of\n%s", said, read("validate/samples/typed.yaml"))
    end
  end },
  { "what declares a field, what sets it, and the outline", function()
    vim.cmd("edit validate/samples/users.yaml")
    vim.api.nvim_win_set_cursor(0, { 9, 4 })
    vim.lsp.buf.definition()
    local there = function() return vim.fn.bufname():find("databases.yaml", 1, true) and vim.api.nvim_win_get_cursor(0)[1] == 37 end
    if not vim.wait(patience, there, 20) then
      fail("replicas is declared in %s:%d", vim.fn.bufname(), vim.api.nvim_win_get_cursor(0)[1])
    end
    vim.cmd("edit validate/samples/users.yaml")
    local answers = {}
    for _, method in ipairs({ "references", "documentSymbol" }) do
      local params = vim.lsp.util.make_position_params()
      params.position, params.context = { line = 8, character = 4 }, { includeDeclaration = true }
      vim.lsp.buf_request(0, "textDocument/" .. method, params, function(_, result) answers[method] = result or {} end)
      vim.wait(patience, function() return answers[method] end, 20)
    end
    local first = answers.documentSymbol[1]
    if #answers.references < 2 or first.name ~= "Database/users" or #first.children ~= 4 then
      fail("there are %s", vim.inspect(answers))
    end
  end },
  { "the defaults of a custom resource", function()
    vim.cmd("edit validate/samples/typed.yaml")
    act(1, 1, "Write the defaults the server adds")
    if not vim.tbl_contains(vim.api.nvim_buf_get_lines(0, 0, -1, false), "  replicas: 1") then
      fail("the text is\n%s", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))
    end
    vim.cmd("edit!")
  end },
  { "a configuration, completed and checked", function()
    vim.cmd("edit .crdlift.yaml")
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { "pre" })
    vim.api.nvim_win_set_cursor(0, { 1, 2 })
    local offered
    local params = vim.lsp.util.make_position_params()
    params.position.character = 3
    vim.lsp.buf_request(0, "textDocument/completion", params, function(_, result)
      offered = vim.lsp.util.text_document_completion_list_to_complete_items(result or {}, "pre")
    end)
    vim.wait(patience, function() return offered end, 20)
    if #offered ~= 1 or offered[1].word ~= "preset: " then
      fail("offered is %s", vim.inspect(offered))
    end
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { "preset: recomended" })
    says("configuration 1:9")
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { "preset: all" })
    says()
  end },
  { "the end", function()
    local client = vim.lsp.get_active_clients()[1]
    assert(client and client.name == "crdlift" and #vim.lsp.get_active_clients() == 1, "one server has to run")
    client.stop()
    if not vim.wait(patience, client.is_stopped, 20) then
      fail("the server does not end")
    end
  end },
}

for _, step in ipairs(steps) do
  local ok, message = pcall(step[2])
  if not ok then
    io.stdout:write("FAIL  ", step[1], "\n", message, "\n")
    vim.cmd("cquit 1")
  end
  io.stdout:write("ok    ", step[1], "\n")
end
vim.cmd("qall!")
