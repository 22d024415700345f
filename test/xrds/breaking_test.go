package xrds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	diff "github.com/google/go-cmp/cmp"
)

// A pair is an XRD before and after a change.
type pair struct {
	about    string
	old, new request.Object
}

// TestBreakingFixtures takes one thing out of the XRDs of testdata, and puts it in.
func TestBreakingFixtures(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	random, all := rand.New(rand.NewPCG(corpus.Seed(t), 0)), []pair{}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if byCrossplane(t, objectOf(t, src)).err != nil {
			continue
		}
		for range 8 {
			less, way := objectOf(t, src), random.IntN(len(removals(objectOf(t, src))))
			removals(less)[way]()
			if spec, _ := less["spec"].(map[string]any); spec["group"] == nil || byCrossplane(t, less).err != nil {
				continue
			}
			if about := fmt.Sprint(file, " ", way); random.IntN(2) == 0 {
				all = append(all, pair{about + " removed", objectOf(t, src), less})
			} else {
				all = append(all, pair{about + " added", less, objectOf(t, src)})
			}
		}
	}
	compareBreaking(t, all)
}

// TestBreakingReal takes what commits changed of real XRDs.
func TestBreakingReal(t *testing.T) {
	t.Parallel()
	var all []pair
	for _, dir := range clones(t) {
		git := func(args ...string) string {
			out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
			if err != nil {
				return "" // a file that a commit does not have
			}
			return string(out)
		}
		files := strings.Fields(git("grep", "-lE", "^ *kind: *.?CompositeResourceDefinition", "--", "*.yaml", "*.yml"))
		n := 0
		for _, file := range corpus.Sample(t, files, 1+len(files)/40) {
			var after [][]byte
			for commit := range strings.FieldsSeq(git("log", "--format=%H", "--", file)) {
				before := xrdsOf(t, []byte(git("show", commit+":"+file)))
				for _, a := range after {
					for _, b := range before {
						if len(a) > 100_000 || bytes.Equal(a, b) {
							continue // large ones take minutes, and have few changes among them
						}
						old, new := objectOf(t, b), objectOf(t, a)
						if nameOf(old) == nameOf(new) && byCrossplane(t, old).err == nil && byCrossplane(t, new).err == nil {
							n++
							all = append(all, pair{fmt.Sprintf("%s, %s before %s", filepath.Base(dir), file, commit[:10]), old, new})
						}
					}
				}
				after = before
			}
		}
		t.Logf("%s: %d changes", filepath.Base(dir), n)
	}
	compareBreaking(t, all)
}

func nameOf(o request.Object) any { return o["metadata"].(map[string]any)["name"] }

// compareBreaking compares what crdlift breaking says of pairs of XRDs with what it says of pairs of the CRDs that Crossplane makes of them.
func compareBreaking(t *testing.T, pairs []pair) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "crdlift")
	if out, err := exec.Command("go", "build", "-C", filepath.Join("..", ".."), "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for i := range pairs {
		for side, o := range map[string]request.Object{"old": pairs[i].old, "new": pairs[i].new} {
			apart(o, i)
			write(t, filepath.Join(dir, "xrds", side, strconv.Itoa(i)+".yaml"), asYAML(t, o))
			x, err := admitted(t, o)
			if err != nil {
				t.Fatal(err)
			}
			crds, err := makeCRDs(x)
			if err != nil {
				t.Fatal(err)
			}
			for j, one := range crds {
				write(t, filepath.Join(dir, "crds", side, fmt.Sprintf("%d-%d.yaml", i, j)), asYAML(t, one))
			}
		}
	}
	got, want := breaking(t, program, filepath.Join(dir, "xrds"), pairs), breaking(t, program, filepath.Join(dir, "crds"), pairs)
	findings := 0
	for i, p := range pairs {
		a, b := slices.Sorted(maps.Keys(want[i])), slices.Sorted(maps.Keys(got[i]))
		findings += len(b)
		told := slices.ContainsFunc(b, func(finding string) bool { return strings.Contains(finding, " immutable-field-changed ") })
		fixed := func(finding string) bool { // of CRDs, these may change
			return strings.Contains(finding, " immutable-field-changed spec.names") || strings.Contains(finding, " immutable-field-changed spec.claimNames")
		}
		a, b = slices.DeleteFunc(a, fixed), slices.DeleteFunc(b, fixed)
		if differ := diff.Diff(a, b); differ != "" && !slices.Equal(a, b) {
			t.Errorf("%s (- of the CRDs, + of the XRDs):\n%s", p.about, differ)
		}
		// Where nothing differs but an empty list, no rule about changes runs.
		if why, asked := refusedUpdate(t, p); asked && (why != "") != told && !strings.Contains(p.about, "nulls.yaml") {
			t.Errorf("%s: immutable-field-changed is found: %v, and the server says %q", p.about, told, why)
		}
		if os.Getenv("CRDLIFT_SHOW") != "" {
			t.Logf("%s:\n%s", p.about, strings.Join(b, "\n"))
		}
	}
	t.Logf("%d pairs, %d findings", len(pairs), findings)
}

// refusedUpdate is why a server rejects the change of the XRD, by the rules of its CRD. Those of another apiVersion are not asked.
func refusedUpdate(t *testing.T, p pair) (why string, asked bool) {
	t.Helper()
	server, err := definition()
	if err != nil {
		t.Fatal(err)
	}
	is, was := server.VersionOf(p.new), server.VersionOf(p.old)
	if is != was {
		return "", false
	}
	o := is.Update(p.new, is.Default(p.old), request.WithTexts())
	if o.Accepted() {
		return "", true
	}
	return o.Message(), true
}

// apart gives an XRD a group of its own, so that all are compared at once.
func apart(o request.Object, i int) {
	spec, metadata := o["spec"].(map[string]any), o["metadata"].(map[string]any)
	group, name := fmt.Sprint(spec["group"]), fmt.Sprint(metadata["name"])
	spec["group"] = fmt.Sprintf("p%d.%s", i, group)
	metadata["name"] = strings.TrimSuffix(name, group) + fmt.Sprint(spec["group"])
}

func write(t *testing.T, file string, src []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, src, 0o600); err != nil {
		t.Fatal(err)
	}
}

// breaking are the rules and paths of what is found of each pair, in the terms of XRDs.
func breaking(t *testing.T, program, dir string, pairs []pair) map[int]map[string]bool {
	t.Helper()
	cmd := exec.Command(program, "breaking", "--against", "old", "--output", "json", "--min-severity", "info", "new")
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1) {
		t.Fatalf("crdlift breaking: %v\n%s", err, out)
	}
	var report struct {
		Findings []struct{ Rule, Severity, Path, Field, File string }
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	all := map[int]map[string]bool{}
	for _, f := range report.Findings {
		base := strings.TrimSuffix(filepath.Base(f.File), ".yaml")
		number, which, _ := strings.Cut(base, "-")
		i, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		if all[i] == nil {
			all[i] = map[string]bool{}
		}
		all[i][f.Severity+" "+f.Rule+" "+inXRD(f.Path, which == "1", pairs[i])+" "+f.Field] = true
	}
	return all
}

// inXRD is the path in an XRD of what is at a path of a CRD: the nearest one where Crossplane writes what is there.
func inXRD(path string, claim bool, p pair) string {
	if claim {
		for of, is := range map[string]string{"spec.names": "spec.claimNames", "spec.scope": "spec.claimNames", "metadata.name": "spec.claimNames.plural"} {
			if rest, in := strings.CutPrefix(path, of); in {
				path = is + rest
				break
			}
		}
	}
	if before, in := strings.CutSuffix(path, ".storage"); in {
		path = before + ".referenceable"
	}
	above, _ := crd.Above(path)
	if strings.HasSuffix(path, "]") && has(p.old, path) && has(p.new, above) { // it is gone
		return path
	}
	for ; path != "" && !has(p.new, path); path, _ = crd.Above(path) {
	}
	return path
}

func has(value any, path string) bool {
	for _, step := range crd.Steps(path) {
		switch in := value.(type) {
		case map[string]any:
			if value = in[step]; value == nil {
				return false
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil {
				return slices.ContainsFunc(in, func(item any) bool { return fmt.Sprint(item) == step })
			}
			if i >= len(in) {
				return false
			}
			value = in[i]
		default:
			return false
		}
	}
	return true
}
