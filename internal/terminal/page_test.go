package terminal

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"github.com/crdlift/crdlift/rules"
)

func TestRenderPage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ markdown, plain, colored string }{
		"a heading":        {"# scope-invalid\n\nReports it.\n", "scope-invalid\n\nReports it.\n", "\x1b[1mscope-invalid\x1b[22m\n\nReports it.\n"},
		"bold text":        {"**What to do**: mend it.", "What to do: mend it.\n", "\x1b[1mWhat\x1b[22m \x1b[1mto\x1b[22m \x1b[1mdo\x1b[22m: mend it.\n"},
		"code":             {"Write `a: **b**`, or `c`.", "Write `a: **b**`, or `c`.\n", "Write \x1b[36ma: **b**\x1b[0m, or \x1b[36mc\x1b[0m.\n"},
		"a link":           {"See [the page](https://example.com/a).", "See the page (https://example.com/a).\n", "See the page (https://example.com/a).\n"},
		"asterisks":        {"A glob such as * or **.", "A glob such as * or **.\n", "A glob such as * or **.\n"},
		"joined lines":     {"one\ntwo", "one two\n", "one two\n"},
		"a list":           {"- one\n  more\n- two", "- one more\n- two\n", "- one more\n- two\n"},
		"a quote":          {"> line 3: wrong\n> twice", "    line 3: wrong twice\n", "    line 3: wrong twice\n"},
		"fenced code":      {"```yaml\n> 1  a: **b**\n\n```\ntext", "    > 1  a: **b**\n\ntext\n", "    > 1  a: **b**\n\ntext\n"},
		"an item is wide":  {"- " + strings.Repeat("word ", 20), "- " + strings.TrimSpace(strings.Repeat("word ", 15)) + "\n  word word word word word\n", ""},
		"a word is wider":  {"a " + strings.Repeat("x", 90) + " b", "a\n" + strings.Repeat("x", 90) + "\nb\n", ""},
		"wide characters":  {strings.Repeat("漢字 ", 20), strings.TrimSpace(strings.Repeat("漢字 ", 16)) + "\n" + strings.TrimSpace(strings.Repeat("漢字 ", 4)) + "\n", ""},
		"nothing to speak": {"", "\n", "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.plain, Page(tt.markdown, false)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.colored, Page(tt.markdown, true)); tt.colored != "" && diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRenderedPages renders every rule's page: no mark is left outside of code, no word is lost, no line is too long that
// could be shorter, and without its colours the coloured page says the same.
func TestRenderedPages(t *testing.T) {
	t.Parallel()
	marks := regexp.MustCompile("[`*#>\\[\\]()\\s]+")
	escapes := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, r := range rules.All() {
		page := rules.Page(r.ID)
		text := Page(page, false)
		fences := regexp.MustCompile("(?m)^```.*$").ReplaceAllString(page, "")
		if got, want := marks.ReplaceAllString(text, ""), marks.ReplaceAllString(fences, ""); got != want {
			t.Errorf("%s: %s", r.ID, cmp.Diff(want, got))
		}
		if got, want := escapes.ReplaceAllString(Page(page, true), ""), text; marks.ReplaceAllString(got, "") != marks.ReplaceAllString(want, "") {
			t.Errorf("%s: with colours: %s", r.ID, cmp.Diff(want, got))
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "    ") {
				continue // code and quotes of it
			}
			if strings.Contains(regexp.MustCompile("`[^`]*`").ReplaceAllString(line, ""), "**") {
				t.Errorf("%s: a mark is left: %s", r.ID, line)
			}
			if words := strings.TrimSpace(line); uniseg.StringWidth(words) > pageWidth && strings.Contains(words, " ") && !strings.Contains(words, "`") {
				t.Errorf("%s: too long: %s", r.ID, line)
			}
		}
	}
}
