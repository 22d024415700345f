package upgrades

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestExample compares the upgrade of a repository that is made for it: the files of testdata/example.txtar whose names begin with old/
// are those of the first commit, and those of new/ the ones that people wrote.
func TestExample(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "example.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	clone := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", clone, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out[:max(len(out)-1, 0)])
	}
	git("init", "-q")
	for _, commit := range []string{"old", "new"} {
		for _, f := range archive.Files {
			in, path, _ := strings.Cut(f.Name, "/")
			if in != commit {
				continue
			}
			path = filepath.Join(clone, filepath.FromSlash(path))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		git("add", ".")
		git("commit", "-q", "-m", commit)
	}
	head := git("rev-parse", "HEAD")
	is := compare(t, []string{clone}, upgrade{
		commit: head, about: "pots to v1",
		crds:   []folder{{head, "crds"}},
		runs:   [][]string{{"--to", "kiln.example.com/v1", "."}},
		differ: []difference{{"apps/lid.yaml", "somebody gave it another label", `[-+]  labels: .*\n`}},
	})
	if want := (counts{equal: 2, comments: 1, differ: 1}); is != want {
		t.Errorf("it is %+v, and not %+v", is, want)
	}
}
