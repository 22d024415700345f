package text

import "testing"

func TestHarmless(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"crd.yaml":           "crd.yaml",
		"größe 世界.yaml":      "größe 世界.yaml",
		"\x1b[31mred\x1b[0m": `\x1b[31mred\x1b[0m`,
		"a\nb\tc\rd":         `a\nb\tc\rd`,
		"\xff\x00":           `\xff\x00`,
		"\u009b31m":          `\u009b31m`,
		"a\u202eb":           `a\u202eb`,
		"\ufffd":             "\ufffd",
		"::error::b.yaml":    `\x3a:error::b.yaml`,
		"  ::error::b.yaml":  `  \x3a:error::b.yaml`,
		"a::b":               "a::b",
		"a ###[error]b":      `a #\x23#[error]b`,
	} {
		if got := Harmless(in); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", in, got, want)
		}
	}
}
