package action

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// workspace is a checkout with files, and no event.
func workspace(t *testing.T, files map[string]string) string {
	t.Helper()
	needs(t, "bash", "git")
	dir := t.TempDir()
	git(t, dir, "init", "--quiet")
	for name, text := range files {
		write(t, dir, name, text)
	}
	return dir
}

const (
	broken = "schedule: {type: strin, maxLength: 9, description: When.}"
	old    = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: olds.example.com}
spec:
  group: example.com
  version: v1
  names: {kind: Old, plural: olds}
  validation: {openAPIV3Schema: {type: object}}
`
)

func TestInputs(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"good/a.yaml":              crd("crons", schedule),
		"api/config/b.yaml":        crd("queues", broken),
		"old/o.yaml":               old,
		"notes/n.yaml":             "kind: Note\n",
		"api/.crdlift.yaml":        "rules:\n  schema-type-invalid: warning\n",
		"elsewhere/with space.yml": crd("others", broken),
	}
	const error, warning = "::error file=api/config/b.yaml,line=24,", "::warning file=api/config/b.yaml,line=24,"
	for _, c := range []struct {
		name   string
		env    []string
		exit   int
		stdout []string // parts of it
		output []string
		lacks  string
	}{
		{"all there is", nil, 1, []string{error, "file=elsewhere/with space.yml"}, []string{"findings=3\n", "errors=3\n"}, ""},
		{"a folder", []string{"CRDLIFT_PATHS=./good"}, 0, nil, []string{"findings=0\n", "errors=0\n"}, "::error"},
		{"several paths", []string{"CRDLIFT_PATHS=\n  good\r\n  elsewhere/with space.yml\n\n"}, 1, []string{"file=elsewhere/with space.yml,line=24,"}, nil, "api/"},
		{"nothing", []string{"CRDLIFT_PATHS= \n "}, 2, nil, nil, "::error file"},
		{"no such file", []string{"CRDLIFT_PATHS=nowhere"}, 2, []string{"nowhere"}, nil, "::error file"},
		{"no CRD", []string{"CRDLIFT_PATHS=good\nnotes"}, 2, []string{"notes: no CustomResourceDefinition in 1 file"}, nil, "::error file"},
		{"no CRD that is meant", []string{"CRDLIFT_PATHS=good\nnotes", "CRDLIFT_ARGS=--allow-empty", "CRDLIFT_CONVERT_CHECK=true"}, 0, nil, []string{"findings=0\n"}, ""},
		{"no CRD to convert", []string{"CRDLIFT_COMMAND=convert", "CRDLIFT_PATHS=good\nnotes"}, 2, nil, nil, ""},
		{"no CRD to convert that is meant", []string{"CRDLIFT_COMMAND=convert", "CRDLIFT_PATHS=good\nnotes", "CRDLIFT_ARGS=--allow-empty"}, 0, nil, nil, ""},
		{"a folder to work in", []string{"CRDLIFT_WORKING_DIRECTORY=api/config"}, 0, []string{warning}, []string{"findings=1\n", "errors=0\n"}, "elsewhere"},
		{"a path above it", []string{"CRDLIFT_WORKING_DIRECTORY=api/config", "CRDLIFT_PATHS=../../elsewhere"}, 0, []string{"::warning file=elsewhere/with space.yml"}, nil, "api/"},
		{"no folder to work in", []string{"CRDLIFT_WORKING_DIRECTORY=nowhere"}, 2, nil, nil, "::error file"},
		{"another configuration", []string{"CRDLIFT_WORKING_DIRECTORY=api", "CRDLIFT_ARGS=--config=off"}, 1, []string{error}, nil, ""},
		{"warnings count", []string{"CRDLIFT_WORKING_DIRECTORY=api", "CRDLIFT_FAIL_ON=warning"}, 1, []string{warning}, nil, ""},
		{"nothing counts", []string{"CRDLIFT_FAIL_ON=never"}, 0, []string{error}, []string{"errors=3\n"}, ""},
		{"no severity", []string{"CRDLIFT_FAIL_ON=often"}, 2, nil, nil, "::error file"},
		{"errors only", []string{"CRDLIFT_MIN_SEVERITY=error"}, 1, []string{error}, []string{"findings=3\n", "errors=3\n"}, "::warning"},
		{"what fails the step is reported", []string{"CRDLIFT_MIN_SEVERITY=never"}, 1, []string{error}, []string{"findings=3\n"}, "::warning"},
		{"silence", []string{"CRDLIFT_MIN_SEVERITY=never", "CRDLIFT_FAIL_ON=never"}, 0, nil, []string{"findings=0\n"}, "::error"},
		{"nothing to report from", []string{"CRDLIFT_MIN_SEVERITY=rarely"}, 2, nil, nil, "::error file"},
		{"more flags", []string{"CRDLIFT_ARGS=--rule=schema-type-invalid=info\n--fail-on=info"}, 1, []string{"::notice file=api/config/b.yaml"}, []string{"findings=3\n", "errors=1\n"}, ""},
		{"a server", []string{"CRDLIFT_KUBERNETES_VERSION=x"}, 2, nil, nil, "::error file"},
		{"text", []string{"CRDLIFT_FORMAT=text"}, 1, []string{"api/config/b.yaml:24:", "::stop-commands::"}, []string{"errors=3\n"}, "::error"},
		{"not to a file", []string{"CRDLIFT_FORMAT=json=x"}, 2, nil, nil, "::error file"},
		{"conversion, too", []string{"CRDLIFT_CONVERT_CHECK=true", "CRDLIFT_PATHS=old"}, 1, []string{"::error file=old/o.yaml,line=1,", "title=deprecated-api-version", "title=conversion-pending"}, []string{"findings=2\n", "errors=2\n"}, ""},
		{"conversion only", []string{"CRDLIFT_COMMAND=convert", "CRDLIFT_PATHS=good\nold"}, 1, []string{"::error file=old/o.yaml,line=1,"}, []string{"findings=1\n"}, "::warning"},
		{"neither true nor false", []string{"CRDLIFT_CONVERT_CHECK=perhaps"}, 2, nil, nil, "::error file"},
		{"no command", []string{"CRDLIFT_COMMAND=fn"}, 2, nil, nil, "::error file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := lint(t, workspace(t, files), c.env)
			got.want(t, c.exit, got.stdout, c.stdout...)
			got.want(t, c.exit, got.output, c.output...)
			if c.lacks != "" && strings.Contains(got.stdout, c.lacks) {
				t.Errorf("there is %q:\n%s", c.lacks, got)
			}
		})
	}
}

// TestLeftOut counts what is only counted, as it is in tests and releases. A copy counts for nothing.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	wrong := crd("crons", broken, "weight: {type: string, format: quantity, description: How much.}")
	files := map[string]string{
		"config/crd/crons.yaml": wrong, "deploy/all/crons.yaml": wrong, "pkg/testdata/crons.yaml": wrong, "releases/v1.2.0/crons.yaml": wrong,
	}
	for _, c := range []struct {
		env    string
		output []string
	}{
		{"CRDLIFT_PATHS=.", []string{"findings=2\n", "errors=1\n", "left-out=4\n"}},
		{"CRDLIFT_PATHS=config", []string{"findings=2\n", "errors=1\n", "left-out=0\n"}},
		{"CRDLIFT_ARGS=--all-files", []string{"findings=8\n", "errors=4\n", "left-out=0\n"}},
	} {
		got := lint(t, workspace(t, files), []string{c.env})
		got.want(t, 1, got.output, c.output...)
	}
}

// TestFailure: what stops crdlift is annotated, and nothing says that there are no findings. What was found before is told.
func TestFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, config string
		env          []string
		says         string
		found        bool
	}{
		{"everything is excluded", "exclude: ['**']\n", nil, "::error title=crdlift::crdlift: .: excluded by", false},
		{"a wrong configuration", "excluded: ['**']\n", nil, `::error title=crdlift::crdlift: .crdlift.yaml:1:1: unknown key "excluded"`, false},
		{"a wrong flag", "", []string{"CRDLIFT_ARGS=--onlly=a"}, "::error title=crdlift::crdlift: unknown flag: --onlly; did you mean '--only'?", false},
		{"a rule that never runs", "", []string{"CRDLIFT_ARGS=--only=object-type"}, "::error title=crdlift::crdlift: --only object-type: ", false},
		{"no custom resource", "", []string{"CRDLIFT_COMMAND=validate"}, "::error title=crdlift::crdlift: there are only CRDs", false},
		{"no CRD to convert", "", []string{"CRDLIFT_COMMAND=convert", "CRDLIFT_PATHS=notes"}, "::error title=crdlift::crdlift: notes: no CustomResourceDefinition", false},
		{"one path of two", "", []string{"CRDLIFT_PATHS=api\nnowhere"}, "::error title=crdlift::crdlift: nowhere: no such file or directory", true},
		{"a file name with a command in it", "", []string{"CRDLIFT_PATHS=api\nno%0A::notice::where"}, "::error title=crdlift::crdlift: no%250A::notice::where: no such file", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"api/b.yaml": crd("queues", broken), "notes/n.yaml": "kind: Note\n"}
			if c.config != "" {
				files[".crdlift.yaml"] = c.config
			}
			got := lint(t, workspace(t, files), c.env)
			got.want(t, 2, got.stderr, c.says)
			if told := strings.Contains(got.output, "findings="); told != c.found {
				t.Errorf("findings are counted: %v", told)
			}
			if told := got.summary != ""; told != c.found || strings.Contains(strings.ToLower(got.summary), "no findings") {
				t.Errorf("the summary is\n%s", got.summary)
			}
		})
	}
}

// TestSARIF leaves a file that the next step can upload.
func TestSARIF(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"api/b.yaml": crd("queues", broken)})
	got := lint(t, dir, []string{"CRDLIFT_SARIF=out/crdlift.sarif", "CRDLIFT_WORKING_DIRECTORY=api"})
	got.want(t, 1, got.output, "sarif=out/crdlift.sarif\n")
	text, err := os.ReadFile(filepath.Join(dir, "out", "crdlift.sarif"))
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct {
				Locations []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				}
			}
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	if at := log.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; at != "api/b.yaml" {
		t.Errorf("the result is in %q", at)
	}
}

// TestReportsBehindLinks has a pull request bring links where reports go.
func TestReportsBehindLinks(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"b.yaml": crd("queues", broken), "precious": "x"})
	for link, target := range map[string]string{"out.sarif": "precious", "reports": "."} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, input := range []string{"CRDLIFT_SARIF=out.sarif", "CRDLIFT_JSON=./out.sarif", "CRDLIFT_JSON=" + dir + "/out.sarif", "CRDLIFT_SARIF=reports/precious", "CRDLIFT_JSON=reports/new/out"} {
		got := lint(t, dir, []string{input})
		got.want(t, 2, got.stderr, "is a symbolic link")
	}
	if text, err := os.ReadFile(filepath.Join(dir, "precious")); err != nil || string(text) != "x" {
		t.Errorf("the file has %q, %v", text, err)
	}
	outside := filepath.Join(t.TempDir(), "new", "report.json")
	got := lint(t, dir, []string{"CRDLIFT_JSON=" + outside})
	got.want(t, 1, got.output, "json="+outside+"\n")
}

// TestJSON leaves the reports of all commands in a file, and crdlift report reads it.
func TestJSON(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"api/b.yaml": crd("queues", broken)})
	got := lint(t, dir, []string{"CRDLIFT_JSON=out/crdlift.json", "CRDLIFT_CONVERT_CHECK=true"})
	got.want(t, 1, got.output, "json=out/crdlift.json\n")
	in, err := os.Open(filepath.Join(dir, "out", "crdlift.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var commands []string
	for d := json.NewDecoder(in); ; {
		var report struct{ Command string }
		if err := d.Decode(&report); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		commands = append(commands, report.Command)
	}
	slices.Sort(commands)
	if want := []string{"convert", "lint"}; !slices.Equal(commands, want) {
		t.Errorf("the file has reports of %q, want %q", commands, want)
	}
}

// TestSummaryFull keeps a summary that others have filled below what GitHub takes.
func TestSummaryFull(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"b.yaml": crd("queues", broken)})
	full := write(t, t.TempDir(), "summary", strings.Repeat("x", 1_040_000))
	got := lint(t, dir, nil, "GITHUB_STEP_SUMMARY="+full)
	got.want(t, 1, got.stderr, "no room")
	if info, err := os.Stat(full); err != nil || info.Size() != 1_040_000 {
		t.Error("the summary grew", err)
	}
}

// TestInjection puts into names and inputs what a shell or the runner would act on.
func TestInjection(t *testing.T) {
	t.Parallel()
	const (
		command = "::set-output name=pwned::1.yaml"
		shell   = "$(touch pwned)`touch pwned`;touch pwned"
		lines   = "a\n::error::pwned\nx.yaml"
		flag    = "--fix.yaml"
	)
	files := map[string]string{}
	for i, name := range []string{command, shell + ".yaml", lines, flag} {
		files[name] = crd([]string{"as", "bs", "cs", "ds"}[i], broken)
	}
	for _, c := range []struct {
		name string
		env  []string
		exit int
	}{
		{"annotations", nil, 1},
		{"text", []string{"CRDLIFT_FORMAT=text", "CRDLIFT_CONVERT_CHECK=true"}, 1},
		{"paths", []string{"CRDLIFT_PATHS=" + shell + ".yaml\n" + flag}, 1},
		{"the folder", []string{"CRDLIFT_WORKING_DIRECTORY=" + shell}, 2},
		{"a revision", []string{"CRDLIFT_AGAINST=" + shell}, 2},
		{"the format", []string{"CRDLIFT_FORMAT=" + shell}, 2},
		{"the severity", []string{"CRDLIFT_FAIL_ON=" + shell}, 2},
		{"the server", []string{"CRDLIFT_KUBERNETES_VERSION=" + shell}, 2},
		{"the file", []string{"CRDLIFT_SARIF=" + shell}, 1},
		{"the reports", []string{"CRDLIFT_JSON=" + shell}, 1},
		{"the file and an output", []string{"CRDLIFT_SARIF=x\npwned=1"}, 2},
		{"flags", []string{"CRDLIFT_ARGS=" + shell}, 2},
		{"yes and no", []string{"CRDLIFT_CONVERT_CHECK=a[$(touch pwned)]", "CRDLIFT_NEW_ONLY=true"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := workspace(t, files)
			got := lint(t, dir, c.env)
			got.want(t, c.exit, "")
			if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
				t.Errorf("a shell has run it:\n%s", got)
			}
			if strings.Contains(got.output, "pwned=") {
				t.Errorf("an output was set:\n%s", got)
			}
			if heard := "\n" + commands(got.stdout+got.stderr); strings.Contains(heard, "\n::set-output") || strings.Contains(heard, "\n::error::pwned") {
				t.Errorf("the runner would take a command:\n%s", got)
			}
			for name, text := range files {
				if now, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(now) != text {
					t.Errorf("%q has changed", name)
				}
			}
		})
	}
}

// commands returns the lines that the runner takes for commands.
func commands(log string) string {
	var heard []string
	token := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if token != "" {
			if line == "::"+token+"::" {
				token = ""
			}
			continue
		}
		if t, ok := strings.CutPrefix(line, "::stop-commands::"); ok {
			token = t
		} else if strings.HasPrefix(line, "::") {
			heard = append(heard, line)
		}
	}
	return strings.Join(heard, "\n")
}

// TestOwnManifests does what .github/workflows/crdlift.yml does.
func TestOwnManifests(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for _, name := range []string{
		"testdata/action/good/crontabs.yaml", "testdata/action/bad/crontabs.yaml",
		"examples/validate/crd/databases.yaml", "examples/validate/samples/orders.yaml", "examples/validate/samples/users.yaml",
	} {
		text, err := os.ReadFile(repository(t, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	dir := workspace(t, files)
	got := lint(t, dir, []string{"CRDLIFT_PATHS=testdata/action/good", "CRDLIFT_CONVERT_CHECK=true"})
	got.want(t, 0, got.output, "findings=0\n")
	got = lint(t, dir, []string{"CRDLIFT_PATHS=bad", "CRDLIFT_WORKING_DIRECTORY=testdata/action"})
	got.want(t, 1, got.output, "errors=1\n")
	got.want(t, 1, got.stdout, "::error file=testdata/action/bad/crontabs.yaml,line=31,")
	got = lint(t, dir, []string{"CRDLIFT_COMMAND=validate", "CRDLIFT_PATHS=samples", "CRDLIFT_CRDS=crd", "CRDLIFT_WORKING_DIRECTORY=examples/validate"})
	got.want(t, 1, got.output, "objects=2\n", "refused=1\n")
}
