package web

import "embed"

// Files are the templates and the assets of the site. What npm bundles is not among them.
//
//go:embed templates assets
var Files embed.FS
