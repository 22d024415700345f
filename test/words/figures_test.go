package words

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// figures are the numbers with a unit that pages for users may have, and where the repository has them: a text of a file, which
// changes with the number. Times and sizes that somebody measured once are not among them: docs/internals/performance.md has those
// that `make speed` writes.
var figures = []struct{ figure, file, has string }{
	{"64 MiB", "internal/limit/limit.go", "FileSize    = 64 << 20"},
	{"8 MiB", "internal/limit/limit.go", "EditorSize    = 8 << 20"},
	{"32 MiB", "internal/limit/limit.go", "AnswerSize    = 32 << 20"},
	{"4 MiB", "internal/run/session.go", "defaultStreamFrom = 4 << 20"},
	{"30 days", "internal/cache/pack.go", "maxAge    = 30 "},
	{"128 MiB", "internal/cache/pack.go", "maxPack   = 128 << 20"},
	{"512 MiB", "internal/cache/pack.go", "maxFolder = 512 << 20"},
	{"3 MiB", "internal/serve/limit.go", "maxBody     = 3 << 20"},
	{"1.5 MiB", "internal/serve/store.go", "maxObject = 3 << 19"},
	{"1 GiB", "internal/serve/limit.go", "stored: 1 << 30"},
	{"30 s", "internal/serve/limit.go", "slowReader: 30 * time.Second"},
	{"30 seconds", "internal/cli/audit_cluster.go", "30*time.Second"},
	{"20 seconds", "internal/cli/webhook.go", "patience = 20 * time.Second"},
	{"100 objects", "internal/objectpass/piece.go", "maxAlike = 100"},
	{"1 MiB", "internal/report/markdown.go", "may write 1 MiB"}, // GitHub's own
	{"4 MB", "web/playground/read.js", "largest = 4_000_000"},
	{"200 files", "web/playground/read.js", "most = 200"},
	{"32,000 characters", "web/playground/share.js", "longest = 32_000"},
}

// measured is a number with a unit.
var measured = regexp.MustCompile(`(?:^|[^\w.,-])([0-9][0-9.,]*(?:-| )?(?:ms|s|seconds?|minutes?|hours?|days?|[kKMG]i?B|%|bytes|(?:public |real )?(?:CRDs|XRDs|objects|repositories|operators)|rules|files|words|lines|characters|levels|times))\b`)

// TestFigures looks for them outside code, and checks that the repository still has each that is listed.
func TestFigures(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	known := map[string]bool{}
	for _, f := range figures {
		known[f.figure] = true
		if text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.file))); err != nil || !strings.Contains(string(text), f.has) {
			t.Errorf("%s does not have %q, which makes it %s: %v", f.file, f.has, f.figure, err)
		}
	}
	pages := []string{"README.md", "SECURITY.md", "examples/README.md", "editors/vscode/README.md"}
	for _, shelf := range []string{"guides", "reference"} {
		more, err := fs.Glob(os.DirFS(root), "docs/"+shelf+"/*.md")
		if err != nil || len(more) == 0 {
			t.Fatal(shelf, err)
		}
		pages = append(pages, more...)
	}
	for _, page := range pages {
		lines, err := passages(filepath.Join(root, filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			for _, m := range measured.FindAllStringSubmatch(line.text, -1) {
				if !known[m[1]] {
					t.Errorf("%s:%d: nothing makes the figure %q: have a test make it and list it in figures, or leave it out", page, line.line, m[1])
				}
			}
		}
	}
}
