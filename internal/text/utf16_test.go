package text

import "testing"

func TestWithoutNULs(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{"": "", "kind": "kind", "k\x00i\x00": "ki", "\x00": ""} {
		if got := string(WithoutNULs([]byte(src))); got != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
	plain := []byte("kind: A")
	if got := WithoutNULs(plain); &got[0] != &plain[0] {
		t.Error("a text without them is copied")
	}
}
