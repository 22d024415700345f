package compare

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestUnanchored(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern string
		told    bool
		mixed   bool
	}{
		{`[a-z]+`, true, false},
		{`[0-9]{1,3}\.[0-9]{1,3}`, true, false},
		{`any|\d+`, true, false},
		{`READY|FAILED`, true, false},
		{`disk-[0-9a-f]+`, true, false},
		{`(\d{1,3})/(\d{1,2})$`, true, false},
		{`service.namespace.svc`, true, false}, // its dots are any character
		{`^Allow|Deny$`, true, true},
		{`^a|b|c$`, true, true},
		{`(^a$)|b`, true, true},
		{`a|b$`, true, true},
		{`[a-z]+$|\d+$`, true, false},
		{`^[a-z]+$`, false, false},
		{`\A[a-z]+\z`, false, false},
		{`(^[a-z]+$)|(^[0-9]+$)`, false, false},
		{`^$|^[a-z]+$`, false, false},
		{`^(a|b)$`, false, false},
		{`^http`, false, false},
		{`^(https?|ssh)://`, false, false},
		{`\.yaml$`, false, false},
		{`example`, false, false},
		{`example\.com`, false, false},
		{`Y|N`, true, false},
		{`\d{1,3}`, true, false},
		{`\S`, false, false},
		{`(\S)`, false, false},
		{`[^\s]`, false, false},
		{`[A-Za-z]`, false, false},
		{`\S+`, false, false}, // as good as any
		{`.`, false, false},
		{`.+`, false, false},
		{`.*`, false, false},
		{`.+:.+`, false, false},
		{`(?s).*`, false, false},
		{`(`, false, false},
		{``, false, false},
	} {
		witness, mixed := Unanchored(tt.pattern)
		if told := witness != ""; told != tt.told || told && mixed != tt.mixed {
			t.Errorf("%q: %q, mixed %t", tt.pattern, witness, mixed)
		}
		if witness != "" && !regexp.MustCompile(tt.pattern).MatchString(witness) {
			t.Errorf("%q does not accept %q", tt.pattern, witness)
		}
		if witness == "" {
			continue
		}
		whole := Anchored(tt.pattern)
		if left, _ := Unanchored(whole); left != "" || regexp.MustCompile(whole).MatchString(witness) {
			t.Errorf("%q is not anchored", whole)
		}
	}
}

func TestAnchored(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		`[a-z]+`:               `^[a-z]+$`,
		`[a-z]+$`:              `^[a-z]+$`,
		`[a-z]+\$`:             `^[a-z]+\$$`,
		`(a|b)+`:               `^(a|b)+$`,
		`[0-9]+(ms|s|m|h)`:     `^([0-9]+(ms|s|m|h))+$`,
		`\d+(d|h)$`:            `^(\d+(d|h))+$`,
		`[0-9]+(s)`:            `^[0-9]+(s)$`,
		`[0-9]+(s|x)`:          `^[0-9]+(s|x)$`,
		`[0-9]+(ms|s|m|h)-old`: `^[0-9]+(ms|s|m|h)-old$`,
		`any|\d+`:              `^(any|\d+)$`,
		`^Allow|Deny$`:         `^(Allow|Deny)$`,
		`a|b$`:                 `^(a|b)$`,
		`Y|N`:                  `^(Y|N)$`,
		`|`:                    `^(|)$`,
		`(`:                    `^(()$`,
	} {
		if got := Anchored(pattern); got != want {
			t.Errorf("%q: got %q, want %q", pattern, got, want)
		}
	}
}

// TestSpellings has texts that a pattern accepts, of characters that are easy to read where it has some.
func TestSpellings(t *testing.T) {
	t.Parallel()
	long := int64(70)
	for pattern, want := range map[string][]string{
		`^[ -~]{2}$`: {"aa", "11", "--"},
		`^[b-y]$`:    {"b", "y"},
		`^[^a]$`:     {"1", "A"},
		`^(x|y)z?$`:  {"x", "y", "xz", "yz"},
		`^a+$`:       {"a", "aa", "aaa", strings.Repeat("a", 70)},
		`^.$`:        {"a", "-", "/"},
		`^(`:         nil,
		`^$a`:        nil,
	} {
		all := Spellings(pattern, &long)
		for _, text := range all {
			if !regexp.MustCompile(pattern).MatchString(text) {
				t.Errorf("%s does not accept %q", pattern, text)
			}
		}
		for _, text := range want {
			if !slices.Contains(all, text) {
				t.Errorf("%s: %q is not among %q", pattern, text, all)
			}
		}
		if want == nil && len(all) > 0 {
			t.Errorf("%s: there is %q", pattern, all)
		}
	}
}
