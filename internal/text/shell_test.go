package text

import "testing"

func TestShellWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"config/crd/a.yaml": "config/crd/a.yaml", "": "''", "a b": "'a b'", "$(id)": "'$(id)'", "it's": `'it'\''s'`,
	} {
		if got := ShellWord(word); got != want {
			t.Errorf("%q: got %s, want %s", word, got, want)
		}
	}
}
