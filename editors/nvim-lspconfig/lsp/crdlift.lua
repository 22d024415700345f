---@brief
---
--- https://crdlift.github.io/crdlift/docs/editors
---
--- Language server for Kubernetes CustomResourceDefinitions and custom resources: the API server's verdict while you type, and
--- completion, hover and definitions from the CRDs of the workspace.
---
--- Install it with `go install github.com/crdlift/crdlift@latest`.
---
--- Where yaml-language-server completes fields of custom resources too, turn that off in one of the two:
---
--- ```lua
--- vim.lsp.config('crdlift', { init_options = { fields = 'off' } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'crdlift', 'lsp' },
  filetypes = { 'yaml', 'json', 'helm', 'go' },
  root_markers = { '.crdlift.yaml', '.git' },
}
