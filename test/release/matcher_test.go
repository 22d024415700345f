package release

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
)

// A pattern is one of a problem matcher, by the numbers of its groups; actions/runner's IssueMatcher.cs.
type pattern struct {
	Regexp                                      string
	File, Line, Column, Severity, Message, Code int
}

// A problem is what the runner makes of a line.
type problem struct{ file, line, column, severity, message, code string }

type matcher struct {
	Owner, Severity string
	Pattern         []pattern
}

func matchers(t *testing.T) []matcher {
	t.Helper()
	text, err := os.ReadFile(repository("action", "matcher.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ ProblemMatcher []matcher }
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	return file.ProblemMatcher
}

// problems are those of a text; each line is for one matcher at most, else it would be annotated twice.
func problems(t *testing.T, text string) []problem {
	t.Helper()
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m?") // the runner removes them first
	var found []problem
	for line := range strings.Lines(colours.ReplaceAllString(text, "")) {
		line = strings.TrimRight(line, "\r\n")
		matched := 0
		for _, m := range matchers(t) {
			p := m.Pattern[0]
			groups := regexp.MustCompile(p.Regexp).FindStringSubmatch(line)
			if groups == nil {
				continue
			}
			severity := m.Severity
			if p.Severity > 0 {
				severity = groups[p.Severity]
			}
			matched++
			found = append(found, problem{groups[p.File], groups[p.Line], groups[p.Column], severity, groups[p.Message], groups[p.Code]})
		}
		if matched > 1 {
			t.Errorf("%d matchers take %q", matched, line)
		}
	}
	return found
}

// TestMatcher reads real output with the problem matcher: findings of each severity, and nothing else of what is printed.
func TestMatcher(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "two words")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	crd := filepath.Join(folder, "crd.yaml")
	write(t, crd, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.example.com
spec:
  group: example.com
  names: {kind: CronTab, listKind: CronTabList, plural: crontabs, singular: crontab}
  scope: namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              ratio: {type: number, description: 'A share.'}
`)
	want := []problem{
		{crd, "8", "10", "error", `scope "namespaced" is unknown; use Namespaced or Cluster`, "scope-invalid"},
		{crd, "20", "15", "warning", "", "schema-float"},
	}
	severities := []string{"--rule", "schema-float=warning", "--only", "scope-invalid,schema-float"}
	for _, flags := range [][]string{{"--output=short"}, {}, {"--rule", "schema-float=info"}} {
		for _, force := range []string{"", "1"} {
			t.Setenv("FORCE_COLOR", force)
			args := append(append([]string{"lint", crd}, severities...), flags...)
			var stdout, stderr bytes.Buffer
			if code := cli.Run(args, strings.NewReader(""), &stdout, &stderr); code != 1 {
				t.Fatalf("exit code %d\n%s", code, &stderr)
			}
			if coloured := strings.Contains(stdout.String(), "\x1b"); coloured != (force != "") {
				t.Errorf("colours: %v", coloured)
			}
			got := problems(t, stdout.String()+stderr.String())
			if len(got) != len(want) {
				t.Fatalf("%v: %v\n%s", flags, got, &stdout)
			}
			for i, w := range want {
				if w.code == "schema-float" && len(flags) == 2 {
					w.severity = "notice" // the runner's word
				}
				w.file = filepath.ToSlash(w.file)
				if w.message == "" {
					w.message = got[i].message
				}
				if got[i] != w || got[i].message == "" {
					t.Errorf("%v: %v, want %v", flags, got[i], w)
				}
			}
		}
	}
}

// TestMatcherPaths is about paths that this system may not have.
func TestMatcherPaths(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]problem{
		`D:/a/crds/crd.yaml:3:1: error: it is wrong [scope-invalid]`:  {`D:/a/crds/crd.yaml`, "3", "1", "error", "it is wrong", "scope-invalid"},
		`D:\a\crds\crd.yaml:3:1: warning: a [b] c [cel-x1]`:           {`D:\a\crds\crd.yaml`, "3", "1", "warning", "a [b] c", "cel-x1"},
		`-:3:1: info: at x.yaml:1:2: info: both [metadata-something]`: {`-`, "3", "1", "notice", "at x.yaml:1:2: info: both", "metadata-something"},
	} {
		if got := problems(t, line+"\n"); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
