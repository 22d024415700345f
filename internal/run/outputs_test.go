package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
)

// FuzzFlags reads values of flags: an accepted value prints as it was, and a refused one has an error of one line.
func FuzzFlags(f *testing.F) {
	for _, text := range []string{"64MiB", "1", "-1k", "9223372036854775807G", "text", "json=a=b", "sarif=", "json=\n", "xml", " 1 i", "\x1b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, given string) {
		var size, again limit.Size
		if err := size.Set(given); err == nil && (size <= 0 || again.Set(size.String()) != nil || again != size) {
			t.Errorf("%q is %d, which prints as %s", given, size, size)
		}
		all, err := ParseOutputs([]string{given})
		if err != nil {
			if line := text.Harmless(err.Error()); line == "" || strings.Contains(line, "\n") {
				t.Errorf("%q: %q", given, line)
			}
			return
		}
		back := all[0].Format
		if all[0].Path != "" {
			back += "=" + all[0].Path
		}
		if len(all) != 1 || back != given || !slices.Contains(report.Formats(), all[0].Format) {
			t.Errorf("%q is read as %+v", given, all)
		}
	})
}
