package repository

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/lint"
)

// What labels are called here.
var labelled = map[string]lint.Role{
	"gen": lint.RoleSource, "hand": lint.RoleSource, "dist": lint.RoleBuilt, "chart": lint.RoleChart, "bundle": lint.RoleBundle,
	"catalog": lint.RoleOld, "sample": lint.RoleSample, "fixture": lint.RoleTest, "test": lint.RoleTest, "golden": lint.RoleTest,
	"assert": lint.RoleTest, "vendor": lint.RoleForeign, "doc": lint.RoleDocs, "app": lint.RoleProduct, "config": lint.RoleProduct,
}

// A score counts what is found of what is looked for, and what is found beside it.
type score struct{ right, more, missed int }

func (s *score) count(found, wanted bool) bool {
	switch {
	case found && wanted:
		s.right++
	case found:
		s.more++
	case wanted:
		s.missed++
	}
	return found == wanted
}

func (s *score) check(t *testing.T, of string) {
	t.Helper()
	precision, recall := float64(s.right)/float64(s.right+s.more), float64(s.right)/float64(s.right+s.missed)
	if t.Logf("%s: precision %.2f%%, recall %.2f%% (%+v)", of, 100*precision, 100*recall, *s); !(precision >= 0.98 && recall >= 0.95) {
		t.Errorf("%s: want at least 98%% and 95%%", of)
	}
}

// CRDLIFT_ROLES names a folder with checkouts of the repositories whose files people labelled: whether a finding about a CRD belongs to
// the user there, and whether custom resources are the user's own or those of tests and old releases.
func TestRolesAreThoseOfLabels(t *testing.T) {
	top, table := os.Getenv("CRDLIFT_ROLES"), filepath.Join(corpus.Cases(), "roles", "roles.tsv")
	f, err := os.Open(table)
	if top == "" || err != nil {
		t.Skipf("no labelled repositories: set CRDLIFT_ROLES to a folder with those of %s", table)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var documents, objects score
	for len(rows) > 1 {
		rows = rows[1:] // the head, and then the last row of a repository
		end := slices.IndexFunc(rows, func(row []string) bool { return row[0] != rows[0][0] })
		if end < 0 {
			end = len(rows)
		}
		name := rows[0][0]
		t.Run(name, func(t *testing.T) { scoreRepository(t, filepath.Join(top, name), rows[:end], &documents, &objects) })
		rows = rows[end-1:]
	}
	documents.check(t, "CRDs")
	objects.check(t, "custom resources")
}

func scoreRepository(t *testing.T, top string, rows [][]string, documents, objects *score) {
	tree := OnDisk(top)
	r := Look(tree)
	for _, row := range rows {
		file, want := row[1], labelled[row[4]]
		if other, ok := labelled[row[5]]; ok {
			want = other
		}
		for _, d := range r.in[file] {
			checkReason(t, r, tree, d.Because)
			isSource := d.Role == lint.RoleSource
			if d.Source != "" && (isSource && (want == lint.RoleBuilt || want == lint.RoleChart) || !isSource && d.Role == lint.RoleBuilt) {
				isSource = want == lint.RoleSource // another folder that a generator writes is either
			}
			if !documents.count(isSource, want == lint.RoleSource) {
				t.Logf("%s, %s: %s, %s; labelled %s", file, d.Name, d.Role, d.Because, row[4])
			}
		}
		if row[3] == "0" {
			continue
		}
		want = labelled[row[4]]
		d := r.File(file)
		checkReason(t, r, tree, d.Because)
		if !objects.count(d.Role != lint.RoleTest && d.Role != lint.RoleOld, want != lint.RoleTest && want != lint.RoleOld) {
			t.Logf("%s: %s, %s; labelled %s", file, d.Role, d.Because, row[4])
		}
	}
}

// checkReason fails for a role without a reason, or one whose place is not there.
func checkReason(t *testing.T, r *Repository, tree Tree, why Reason) {
	t.Helper()
	lines := strings.Count(string(tree.Read(why.File)), "\n") + 1
	if why.Text == "" || why.File != "" && !r.folders.has(why.File) || why.Line > lines {
		t.Errorf("no such reason: %s", why)
	}
}
