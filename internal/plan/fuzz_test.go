package plan

import (
	"strconv"
	"strings"
	"testing"
)

// FuzzMake plans between versions of any names and states: a plan keeps every rule of TestEveryPlan, and is text that a
// terminal and a shell take.
func FuzzMake(f *testing.F) {
	f.Add("v1:served+storage", "v1:served+storage v2:served", "v1", "config/crd/foos.yaml")
	f.Add("v1alpha1:served+storage v1beta1:served", "v1:served+storage", "v1alpha1 v1beta1", "a b.yaml")
	f.Add("v1:deprecated v2:served+storage", "v2:served+storage+deprecated", "v0", "$(id)\n.yaml")
	f.Add("v1:served+storage v1:served", "v1:storage", "v2", "\x1b[2J'\\")
	f.Fuzz(func(t *testing.T, was, is, listed, file string) {
		from, to := crdOf(strings.Fields(was)...), crdOf(strings.Fields(is)...)
		stored := strings.Fields(listed)
		p, err := Make(from, to, Options{File: file, Stored: stored})
		if err != nil {
			return
		}
		if fault := wrong(p, from, to, stored); fault != "" {
			t.Fatalf("from %v to %v, stored %v: %s\n%s", states(from), states(to), stored, fault, p.Text())
		}
		for _, r := range p.Releases {
			for _, s := range r.Steps {
				for _, command := range s.Commands {
					if strings.ContainsFunc(command, func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }) {
						t.Errorf("no command for a shell: %q", command)
					}
				}
			}
		}
		if p.Text() == "" || !strings.HasPrefix(p.Markdown(), "## ") {
			t.Errorf("nothing is printed:\n%s\n%s", p.Text(), p.Markdown())
		}
		if same, err := Make(to, to, Options{File: file}); err != nil || len(same.Releases) > 0 {
			t.Errorf("from %v to the same: %v, %v", states(to), same, err)
		}
	})
}
