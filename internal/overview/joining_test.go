package overview_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/lint"
)

// TestFindOnce tests that what two runs report about the same place counts once, as the gravest, and that a run which finds two things
// at one place keeps both.
func TestFindOnce(t *testing.T) {
	t.Parallel()
	warned := reportOn("o/a", "v1", finding("unknown-field", "warning", 4), finding("unknown-field", "warning", 4), finding("unknown-field", "warning", 7))
	failed := strings.ReplaceAll(reportOn("o/a", "v1", finding("unknown-field", "error", 4)), `"m4"`, `"in the words of another run"`)
	for _, order := range [][]string{{warned, failed}, {failed, warned}, {warned, failed, warned, failed}} {
		r := read(t, order...).Repositories[0]
		if r.Count(lint.Error) != 1 || r.Count(lint.Warning) != 2 || len(r.CRDs) != 1 || r.CRDs[0].Counts[lint.Error] != 1 || r.CRDs[0].Counts[lint.Warning] != 2 {
			t.Errorf("%d errors, %d warnings, %d CRDs; of the first %v", r.Count(lint.Error), r.Count(lint.Warning), len(r.CRDs), r.CRDs[0].Counts)
		}
		told := 0
		for _, m := range r.Rules()[0].Messages() {
			told += m.Count
		}
		if told != 3 {
			t.Errorf("the messages stand for %d findings", told)
		}
		if one := r.CRDs[0].Rules()[0]; one.Text != "in the words of another run" || one.Count != 3 {
			t.Errorf("of the CRD, %+v is said", one)
		}
	}
}

// TestUnnamed: reports that name no repository are of one where they lie side by side, are of different commands, and know a CRD at the
// same place. Nobody can tell otherwise.
func TestUnnamed(t *testing.T) {
	t.Parallel()
	lint := reportOn("", "v1beta1", finding("scope-invalid", "error", 1))
	convert := strings.Replace(lint, `"command": "lint"`, `"command": "convert"`, 1)
	for story, c := range map[string]struct {
		names  [2]string
		second string
		want   int
		name   string
	}{
		"two commands":         {[2]string{"lint", "convert"}, convert, 1, "lint and convert"},
		"in a folder":          {[2]string{"out/lint", "out/convert"}, convert, 1, "out/lint and convert"},
		"in different folders": {[2]string{"a/crdlift", "b/crdlift"}, convert, 2, ""},
		"the same command":     {[2]string{"a", "b"}, lint, 2, ""},
		"another CRD":          {[2]string{"lint", "convert"}, strings.ReplaceAll(convert, "a.yaml", "b.yaml"), 2, ""},
		"a named repository":   {[2]string{"lint", "convert"}, strings.Replace(convert, `"repository": ""`, `"repository": "o/a"`, 1), 2, ""},
	} {
		var all overview.Builder
		for i, text := range []string{lint, c.second} {
			if err := overview.Read(strings.NewReader(text), c.names[i], all.Add); err != nil {
				t.Fatal(err)
			}
		}
		got := all.Overview().Repositories
		if len(got) != c.want || c.want == 1 && (got[0].Name != c.name || len(got[0].CRDs) != 1 || got[0].Findings() != 1) {
			t.Errorf("%s: %d repositories, the first %s with %d CRDs", story, len(got), got[0].Name, len(got[0].CRDs))
		}
	}
}

// TestIgnoredByOne tests that a finding counts as ignored only if all runs ignore it.
func TestIgnoredByOne(t *testing.T) {
	t.Parallel()
	told := reportOn("o/a", "v1", finding("scope-invalid", "error", 1))
	ignored := strings.Replace(told, `"message"`, `"ignored": "a reason", "message"`, 1)
	for _, c := range []struct {
		reports         []string
		errors, ignored int
	}{{[]string{told, ignored}, 1, 0}, {[]string{ignored, told}, 1, 0}, {[]string{ignored, ignored}, 0, 1}} {
		if r := read(t, c.reports...).Repositories[0]; r.Count(lint.Error) != c.errors || r.Ignored != c.ignored {
			t.Errorf("%d errors and %d ignored, want %d and %d", r.Count(lint.Error), r.Ignored, c.errors, c.ignored)
		}
	}
}

// TestFolders tests that files of the same name in two folders of a repository are two, also of different commits, and lead to
// their own places.
func TestFolders(t *testing.T) {
	t.Parallel()
	in := func(commit, folder string) string {
		return strings.Replace(reportOn("o/a", "v1", finding("scope-invalid", "error", 1)), `"command"`,
			fmt.Sprintf(`"filesURL": "https://example.com/o/a/blob/%s/%s", "command"`, commit, folder), 1)
	}
	r := read(t, in("c1", "s/a/"), in("c1", "s/b/"), in("c2", "s/b/")).Repositories[0]
	if len(r.CRDs) != 2 || r.Count(lint.Error) != 2 {
		t.Fatalf("%d CRDs, %d errors", len(r.CRDs), r.Count(lint.Error))
	}
	var urls []string
	for _, at := range r.Rules()[0].Messages()[0].Places {
		urls = append(urls, at.FilesURL)
	}
	if want := []string{"https://example.com/o/a/blob/c1/s/a/", "https://example.com/o/a/blob/c1/s/b/"}; !reflect.DeepEqual(urls, want) || r.CRDs[1].FilesURL != want[1] {
		t.Errorf("places are at %q, the second CRD at %s", urls, r.CRDs[1].FilesURL)
	}
	if r.URL() != "https://example.com/o/a" {
		t.Errorf("the repository is at %s", r.URL())
	}
}

// TestPlansOnce tests that plans, additions and objects of a report that is read twice count once, and that those of two runs add up.
func TestPlansOnce(t *testing.T) {
	t.Parallel()
	plan := `{"version": 1, "plans": [{"crds": ["foos.example.com"], "summary": "s", "releases": []}], "repository": "o/a"}`
	added := `{"version": 1, "command": "breaking", "against": "v1", "repository": "o/a", "findings": [], "added": [{"resource": "r", "text": "added"}]}`
	objects := func(command string) string {
		return fmt.Sprintf(`{"version": 1, "command": %q, "repository": "o/a", "findings": [], "summary": {"objects": 3, "refused": 1}}`, command)
	}
	r := read(t, plan, added, objects("validate"), plan, added, objects("validate"), objects("validate samples")).Repositories[0]
	if len(r.Plans) != 1 || len(r.Added) != 1 || r.Objects.Judged != 6 || r.Objects.Refused != 2 {
		t.Errorf("%d plans, %d additions, %+v", len(r.Plans), len(r.Added), r.Objects)
	}
}

// TestGravestIsKept tests that an error after many warnings of the same rule is among what the rule says, first of all.
func TestGravestIsKept(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 60 {
		all = append(all, finding("unknown-field", "warning", i+1))
	}
	all = append(all, finding("unknown-field", "error", 99))
	messages := read(t, reportOn("o/a", "v1", all...)).Repositories[0].Rules()[0].Messages()
	if len(messages) != 50 || messages[0].Text != "m99" {
		t.Errorf("of %d messages, the first is %+v", len(messages), messages[0])
	}
}

// TestChangesAreKept tests that the changes of a rule are kept far beyond what other rules keep, and counted for each CRD.
func TestChangesAreKept(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 1200 {
		all = append(all, finding("field-removed", "warning", i+1))
	}
	all = append(all, finding("field-removed", "error", 2000))
	r := read(t, reportOn("o/a", "v1", all...)).Repositories[0].Rules()[0]
	if kept := r.Messages(); len(kept) != 1001 || kept[0].Severity != lint.Error || r.ByCRD["foos.example.com"] != 1201 {
		t.Errorf("%d are kept, the first %s; of the CRD there are %d", len(kept), kept[0].Severity, r.ByCRD["foos.example.com"])
	}
}

// TestTasks tests that tasks count errors, and not all findings of rules that have some.
func TestTasks(t *testing.T) {
	t.Parallel()
	all := []string{finding("field-removed", "error", 1), finding("unknown-field", "error", 2), finding("unknown-field", "error", 3)}
	for i := range 60 {
		all = append(all, finding("field-removed", "warning", i+10), finding("unknown-field", "warning", i+10))
	}
	var said []string
	for _, task := range read(t, reportOn("o/a", "v1", all...)).Repositories[0].Tasks() {
		said = append(said, task.Do)
	}
	if want := []string{"Undo 1 breaking change to the API, or make it in a new version.", "Begin with unknown-field: it has 2 errors."}; !reflect.DeepEqual(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}

// TestFlawed tests that a sentence that counts infos names the CRDs with infos.
func TestFlawed(t *testing.T) {
	t.Parallel()
	r := read(t, reportOn("o/a", "v1", finding("scaffold-leftover", "info", 1)),
		strings.ReplaceAll(reportOn("o/a", "v1"), "foos", "bars")).Repositories[0]
	if got := r.Verdict()[0]; got != "1 info in 1 of 2 CRDs." {
		t.Errorf("it says %q", got)
	}
}

// TestMostFound tests that text and Markdown begin with the rules that have most findings, and that the JSON, a contract, begins
// with the gravest.
func TestMostFound(t *testing.T) {
	t.Parallel()
	o := read(t, reportOn("o/a", "v1", finding("scope-invalid", "error", 1)), reportOn("o/b", "v1", finding("deprecated-api-version", "warning", 1), finding("deprecated-api-version", "warning", 2)))
	raw, err := o.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string]string{"text": o.Text(), "Markdown": o.Markdown()} {
		if strings.Index(out, "deprecated-api-version") > strings.Index(out, "scope-invalid") {
			t.Errorf("the %s does not begin with the rule that has most findings:\n%s", name, out)
		}
	}
	if strings.Index(string(raw), "deprecated-api-version") < strings.Index(string(raw), "scope-invalid") {
		t.Errorf("the JSON does not begin with the gravest rule:\n%s", raw)
	}
}

// TestMigrationBack tests conversions to v1beta1: they count for it only where all repositories go there.
func TestMigrationBack(t *testing.T) {
	t.Parallel()
	back := func(repository, state string, written bool) string {
		return fmt.Sprintf(`{"version": 1, "command": "convert", "repository": %q, "findings": [], "migration": {"to": "v1beta1", "written": %v},
			"crds": [{"name": "foos.example.com", "file": "a.yaml", "line": 1, "document": 0, "apiVersion": "apiextensions.k8s.io/v1", "state": %q}]}`, repository, written, state)
	}
	migration := func(to string, crds ...overview.Progress) overview.Migration {
		m := overview.Migration{To: to}
		for _, at := range crds {
			m.CRDs[at]++
		}
		return m
	}
	for _, c := range []struct {
		reports []string
		want    overview.Migration
	}{
		{[]string{back("o/a", "converted", true)}, migration("v1beta1", overview.Converted)},
		{[]string{back("o/a", "converted", true), back("o/b", "converted", false)}, migration("v1beta1", overview.Converted, overview.ToConvert)},
		{[]string{reportOn("o/a", "v1"), back("o/b", "converted", false)}, migration("v1", overview.There, overview.There)},
		{[]string{reportOn("o/a", "v1"), back("o/b", "converted", true)}, migration("v1", overview.There, overview.ToConvert)},
	} {
		if got := read(t, c.reports...).Migration(); got != c.want {
			t.Errorf("got %+v, want %+v", got, c.want)
		}
	}
}

// TestSentences tests the answers of runs that find nothing to do, and their grammar.
func TestSentences(t *testing.T) {
	t.Parallel()
	for want, report := range map[string]string{
		"Nothing to plan: no version is added, removed, deprecated or served differently.": `{"version": 1, "plans": []}`,
		"No CRDs were found.": `{"version": 1, "command": "convert", "findings": [], "migration": {"to": "v1", "written": false}}`,
		"0 of 1 CRD (0%) is at apiextensions.k8s.io/v1; 1 to convert.": strings.Replace(reportOn("o/a", "v1beta1"), `"lint"`, `"convert"`, 1),
		"5 custom resources when the CRDs are replaced: 1 survives, 2 stuck forever, 2 lose fields.": `{"version": 1, "command": "convert", "findings": [],
			"summary": {"objects": 5, "upgrade": {"survives": 1, "stuck": 2, "loses-fields": 2}}}`,
	} {
		if got := read(t, report).Repositories[0].Verdict(); len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestReasons tests that only a page about one repository is said to have reasons.
func TestReasons(t *testing.T) {
	t.Parallel()
	person := strings.Replace(strings.Replace(reportOn("o/a", "v1beta1"), `"command"`, `"migration": {"to": "v1", "written": false}, "command"`, 1), `"document": 0`, `"document": 0, "state": "needsPerson"`, 1)
	for want, reports := range map[string][]string{"the reasons are below.": {person}, "a report on the repository alone has the reasons.": {person, reportOn("o/b", "v1")}} {
		for _, r := range read(t, reports...).Repositories {
			if tasks := r.Tasks(); r.Name == "o/a" && (len(tasks) == 0 || !strings.HasSuffix(tasks[0].Do, want)) {
				t.Errorf("%d reports: the tasks are %+v, want %s", len(reports), tasks, want)
			}
		}
	}
}
