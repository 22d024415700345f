package rewrite

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

func TestCheckNeighbours(t *testing.T) {
	const src = "a: 1\n---\nb: 2\n...\nc: 3\n---\nd: 4\n"
	for name, c := range map[string]struct{ old, new, want string }{
		"nothing changed":                         {"", "", ""},
		"the one that may change":                 {"b: 2", "b: 5", ""},
		"another one":                             {"d: 4", "d: 5", "document 4 of 4 became another"},
		"one that kubectl reads as the same":      {"c: 3", "c: 5", "document 3 of 4 became another"},
		"an end marker is gone":                   {"...\n", "", "4 documents became 3"},
		"a marker is gone":                        {"---\nd", "d", "4 documents became 3"},
		"a marker that only we need":              {"---\nb", "...\nb", "kubectl read 3 documents and would read 2"},
		"one more":                                {"b: 2\n", "b: 2\n---\nz: 26\n", "4 documents became 5"},
		"a separator that only kubectl would see": {"b: 2", "---b: 2", "kubectl found 2 separators and would find 3"},
		"one more that only kubectl would see":    {"b: 2\n", "b: >\n---x\n", "kubectl read 3 documents and would read 4"},
		"a line moves from one to the other":      {"b: 2\n...\n", "...\nb: 2\n", "document 3 of 4 became another"},
		"a comment moves out, as kubectl sees it": {"a: 1\n---\nb: 2\n...\n", "a: 1\n---\n...\nb: 2\n", "document 3 of 4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			output := strings.Replace(src, c.old, c.new, 1)
			_, err := CheckNeighbours(manifest.Parse("test.yaml", []byte(src)), []byte(output), func(i int) bool { return i == 1 })
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestCheckNeighboursAsKubectl moves a marker from one document that may change to another: there are as many as before,
// but kubectl finds another one in the first of them.
func TestCheckNeighboursAsKubectl(t *testing.T) {
	src := "a: 1\n...\n---\nb: 2\n...\nc: 3\n...\nd: 4\n"
	output := "a: 1\n...\nb: 2\n...\nc: 3\n...\n---\nd: 4\n"
	_, err := CheckNeighbours(manifest.Parse("test.yaml", []byte(src)), []byte(output), func(i int) bool { return i == 1 || i == 3 })
	if want := "document 1 of the 2 that kubectl reads became another"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestKubectlSplit(t *testing.T) {
	texts := []string{"", "---", "a: 1\n--- # two\n\n---\r\nb: 2", "# one\n---\na: |\n  x\n ---\n...\nc: d\n---\n---\n"}
	for _, text := range documents {
		for _, change := range variants {
			texts = append(texts, change(text))
		}
	}
	compared := 0
	for _, text := range texts {
		want, err := readAsKubectl([]byte(text))
		if err != nil {
			continue // kubectl rejects the file
		}
		compared++
		var got []string
		docs, _ := kubectlSplit([]byte(text))
		for _, s := range docs {
			if doc := comparable(text[s.Start:s.End]); doc != "" {
				got = append(got, doc)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if compared < 40 {
		t.Errorf("only %d texts were compared", compared)
	}
}

// readAsKubectl returns the documents of a YAML file as kubectl reads them.
func readAsKubectl(text []byte) ([]string, error) {
	var all []string
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		doc, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if text := comparable(string(doc)); text != "" {
			all = append(all, text)
		}
	}
}

// comparable returns a document without the differences that kubectl's reader makes: it writes all line ends alike,
// ends the last line, and keeps a `---` at the very start.
func comparable(doc string) string {
	doc = strings.TrimRight(strings.ReplaceAll(doc, "\r\n", "\n"), "\n")
	if strings.HasPrefix(doc, "---") {
		_, doc, _ = strings.Cut(doc, "\n")
	}
	return doc
}
