package sample

import (
	"regexp"
	"testing"
)

// TestText makes texts for patterns: natural ones where the pattern takes one, else what is spelt by it.
func TestText(t *testing.T) {
	t.Parallel()
	at := Path{}.To(Property, "spec").To(Property, "maxSize")
	for _, test := range []struct{ pattern, want string }{
		{`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, "maxsize-7"},
		{`^(\d+|\d+%)$`, "7"},
		{`^([0-9]+(ms|s|m|h))+$`, "17s"},
		{`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`, "7"},
		{`^(http|https)://.+$`, "https://example.com/maxsize/7"},
		{`^v[0-9]+$`, "v7"},
		{`a|b`, "maxsize-7"},
		{`^\S+@\S+\.\S+$`, "a7@example.com"},
		{`^[0-9a-f]{8}-[0-9a-f]{4}$`, ""},
		{`^[^.]+$`, "maxsize-7"},
		{``, "maxsize-7"},
		{`^(?i)yes$`, ""},
	} {
		s := &shape{}
		if test.pattern != "" {
			s.patterns = []string{test.pattern}
		}
		text := s.text(at, 7)
		if !regexp.MustCompile(test.pattern).MatchString(text) || test.want != "" && text != test.want {
			t.Errorf("%s: %q, want %q", test.pattern, text, test.want)
		}
	}
	ten, twelve := int64(10), int64(12)
	s := &shape{patterns: []string{`^[a-z]+$`}}
	s.MinLength, s.MaxLength = &ten, &twelve
	if text := s.text(at, 1); len(text) < 10 || len(text) > 12 || !regexp.MustCompile(`^[a-z]+$`).MatchString(text) {
		t.Errorf("of 10 to 12 letters: %q", text)
	}
}
