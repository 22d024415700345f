-- crdlift for Neovim. Put this file into ~/.config/nvim/plugin.
local cmd = { "crdlift", "lsp" }
local filetypes = { "yaml", "json", "helm", "go" } -- of Go, the markers of CRDs; gopls has the rest

if vim.lsp.config then -- Neovim 0.11 and newer
  vim.lsp.config("crdlift", { cmd = cmd, filetypes = filetypes, root_markers = { ".git" } })
  vim.lsp.enable("crdlift")
  return
end

-- Earlier ones: a server for each repository, or for the folder of a file in none.
local clients = {}

local function folder(file)
  local dir = vim.fn.fnamemodify(file, ":p:h")
  local git = vim.fn.finddir(".git", dir .. ";")
  if git == "" then
    git = vim.fn.findfile(".git", dir .. ";") -- of a git worktree
  end
  return git == "" and dir or vim.fn.fnamemodify(git, ":p:h:h")
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = filetypes,
  callback = function(event)
    if event.file == "" then
      return
    end
    local root = folder(event.file)
    if not clients[root] then
      clients[root] = vim.lsp.start_client({
        name = "crdlift",
        cmd = cmd,
        root_dir = root,
        workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
        on_exit = function()
          clients[root] = nil
        end,
      })
    end
    if clients[root] then
      vim.lsp.buf_attach_client(event.buf, clients[root])
    end
  end,
})
