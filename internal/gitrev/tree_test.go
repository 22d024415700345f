package gitrev

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestReadObject(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"":                                "unexpected EOF",
		"abc blob 3":                      "unexpected EOF",
		"abc blob 3\nxy":                  "unexpected EOF",
		"abc blob 3\nxyz":                 "unexpected EOF",
		"abc blob 3\nxyzA":                "does not end",
		"abc blob -1\n\n":                 "unexpected size",
		"abc blob 99999999999999999999\n": "unexpected size",
		"abc tree 3\nxyz\n":               "unexpected answer",
		"abc missing\n":                   "missing",
		"abc blob 11\n" + strings.Repeat("x", 11) + "\n": "larger",
		strings.Repeat("x", 1<<17):                       "too long",
	} {
		if _, err := readObject(bufio.NewReader(strings.NewReader(answer)), 10); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", answer, err, want)
		}
	}
}

func TestParseTree(t *testing.T) {
	t.Parallel()
	for _, out := range []string{"x", "100644 blob id\ta", "100644 blob\ta\x00", "100644 blob id\t\x00"} {
		if _, _, err := parseTree(out); err == nil {
			t.Errorf("%q is taken", out)
		}
	}
	files, modules, err := parseTree("100644 blob 1\ta\x00120000 blob 2\tb\x00160000 commit 3\tc\x00100755 blob 4\td\x00")
	if err != nil || !slices.Equal(files, []entry{{"a", "1"}, {"d", "4"}}) || !slices.Equal(modules, []entry{{"c", "3"}}) {
		t.Errorf("%v, %v, %v", files, modules, err)
	}
}

// FuzzReadObject reads whatever comes, and what cat-file prints before it: that is always told apart.
func FuzzReadObject(f *testing.F) {
	f.Add([]byte("content"), []byte("abc blob 3\nxyz\n"))
	f.Add([]byte(""), []byte("abc missing\n"))
	f.Add([]byte("\n"), []byte("abc blob 9223372036854775807\n"))
	f.Fuzz(func(t *testing.T, content, rest []byte) {
		const limit = 64
		stream := append(fmt.Appendf(nil, "abc blob %d\n%s\n", len(content), content), rest...)
		r := bufio.NewReader(bytes.NewReader(stream))
		got, err := readObject(r, limit)
		if large := len(content) > limit; large != errors.Is(err, ErrTooLarge) || !large && (err != nil || !bytes.Equal(got, content)) {
			t.Fatalf("%q: %q, %v", content, got, err)
		}
		if got, err = readObject(r, limit); err == nil && len(got) > limit {
			t.Fatalf("%d bytes above the limit of %d", len(got), limit)
		}
	})
}

// FuzzParseTree reads any text after a valid entry: the entry is read as it is, and the text is rejected or read as
// files by the same rules.
func FuzzParseTree(f *testing.F) {
	f.Add("config/crd/foos.yaml", "100644 blob 1\ta\x00")
	f.Add("a\tb\nc", "120000 blob 2\tb\x00")
	f.Add(" ", "100644 blob id")
	f.Fuzz(func(t *testing.T, path, rest string) {
		if path == "" || strings.Contains(path, "\x00") {
			return
		}
		files, modules, err := parseTree("100644 blob 0123\t" + path + "\x00" + rest)
		alone, modulesAlone, errAlone := parseTree(rest)
		if (err == nil) != (errAlone == nil) {
			t.Fatalf("%v, but %v alone", err, errAlone)
		}
		if err == nil && (len(files) != len(alone)+1 || files[0] != (entry{path, "0123"}) || !slices.Equal(modules, modulesAlone)) {
			t.Errorf("%q, %q alone", files, alone)
		}
		for _, b := range slices.Concat(alone, modulesAlone) {
			if b.path == "" || b.id == "" || strings.ContainsAny(b.id, " \n") {
				t.Errorf("%q is a file", b)
			}
		}
	})
}
