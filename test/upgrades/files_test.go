package upgrades

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// having is the clone that has a commit; without one the test is skipped.
func having(t *testing.T, clones []string, commit string) string {
	t.Helper()
	for _, clone := range clones {
		if exec.Command("git", "-C", clone, "cat-file", "-e", commit+"^{commit}").Run() == nil {
			return clone
		}
	}
	t.Skipf("no clone has the commit %s", commit)
	return ""
}

// extract writes the files below a folder of a repository, as they are at a commit, into another folder.
func extract(t *testing.T, clone, commit, path, into string) {
	t.Helper()
	if err := os.MkdirAll(into, 0o700); err != nil {
		t.Fatal(err)
	}
	// Upgrades are of manifests, which are small beside the rest.
	archive := exec.Command("git", "-C", clone, "archive", "--format=tar", commit, "--", path)
	out, err := archive.Output()
	if err != nil {
		t.Fatalf("git archive %s %s: %v", commit, path, err)
	}
	unpack := exec.Command("tar", "-x", "-C", into, "--wildcards", "--no-wildcards-match-slash", "--no-anchored", "*.yaml", "*.yml", "*.json")
	unpack.Stdin = bytes.NewReader(out)
	if said, err := unpack.CombinedOutput(); err != nil && !bytes.Contains(said, []byte("Not found in archive")) {
		t.Fatalf("tar: %v\n%s", err, said)
	}
}

// read is the content of all files below a folder, by their paths.
func read(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = src
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func sorted(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }

// diff is what differs between two texts, as diff -u prints it.
func diff(a, b []byte) string {
	dir, err := os.MkdirTemp("", "diff")
	if err != nil {
		return err.Error()
	}
	defer func() { _ = os.RemoveAll(dir) }()
	one, other := filepath.Join(dir, "by-hand"), filepath.Join(dir, "crdlift")
	if os.WriteFile(one, a, 0o600) != nil || os.WriteFile(other, b, 0o600) != nil {
		return "the texts cannot be written"
	}
	out, _ := exec.Command("diff", "-U0", one, other).Output() // it fails if they differ
	_, hunks, _ := strings.Cut(string(out), "\n@@")
	return "@@" + hunks
}

// changed are the lines of a diff that differ.
func changed(a, b []byte) string {
	var lines []string
	for line := range strings.Lines(diff(a, b)) {
		if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// missing counts the comments of a text that are not in another, whatever a schema comment names.
func missing(t *testing.T, path string, before, after []byte) (lost int) {
	t.Helper()
	is := comments(after)
	for comment, n := range comments(before) {
		if is[comment] < n {
			lost += n - is[comment]
			t.Errorf("%s: %d times lost: %s", path, n-is[comment], comment)
		}
	}
	return lost
}

// comments counts the comments of a text by their lines.
func comments(src []byte) map[string]int {
	all := map[string]int{}
	for _, part := range bytes.Split(src, []byte("\n---")) {
		var root yaml.Node
		if yaml.Unmarshal(part, &root) == nil {
			count(&root, all)
		}
	}
	return all
}

func count(n *yaml.Node, all map[string]int) {
	for _, text := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		for _, line := range strings.Split(text, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				if strings.Contains(line, "$schema") {
					line = "a schema comment"
				}
				all[line]++
			}
		}
	}
	for _, child := range n.Content {
		count(child, all)
	}
}
