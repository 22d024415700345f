// Package upgrading reads the table of docs/internals/verdicts.md, and the upgrades of a CRD that each of its rows is tried with: on a
// real API server, and by the code that stands for one.
package upgrading

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A Row says what becomes of stored objects that break a CRD in one way.
type Row struct {
	What                         string
	Touch, Status, Other, Create Cell
	Upgrades                     []Upgrade // which it is tried with; their names are in a comment in its first cell
}

// A Cell is what becomes of a write.
type Cell struct {
	Refused bool
	When    bool // rejected when something changes in a part of the object, and accepted else
	Warned  bool // with a warning, where it is accepted
}

// A Verdict is what a server says of a write.
type Verdict struct {
	Refused, Warned bool
	Why             any // its words
}

// Whether a write changes the part of the object that a cell with When is about.
const (
	Part      = true
	Elsewhere = false
)

// Hold fails the test unless a cell says what a write came to.
func (c Cell) Hold(t testing.TB, write string, changes bool, got Verdict) {
	t.Helper()
	refused := c.Refused && (changes || !c.When)
	if warned := c.Warned && !refused; got.Refused != refused || got.Warned != warned {
		t.Errorf("%s: rejected %v, with a warning %v: %v\nThe table says rejected %v, with a warning %v", write, got.Refused, got.Warned, got.Why, refused, warned)
	}
}

// cell is what one may say. Further words about what is accepted follow a comma.
var cell = regexp.MustCompile(`^(?:(rejected)(?:( as soon as .+?| only when .+?)(, else a warning)?)?|accepted(, with a warning)?(?:, (?:as|even) .+)?)$`)

// names are those of a row's upgrades.
var names = regexp.MustCompile(`<!-- (.+) -->`)

// Table reads the table in the repository whose root is given. The test fails unless each row has an upgrade to be tried with,
// and each upgrade a row.
func Table(t testing.TB, root string) (rows []Row) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "internals", "verdicts.md"))
	if err != nil {
		t.Fatal(err)
	}
	upgrades := all(t, filepath.Join(root, "test", "e2e", "testdata", "upgrading"))
	used := map[string]int{}
	for _, line := range tableIn(string(page)) {
		row, err := parse(line, upgrades)
		if err != nil {
			t.Fatalf("%s\n%v", line, err)
		}
		for _, u := range row.Upgrades {
			used[u.Name]++
		}
		rows = append(rows, row)
	}
	for name := range upgrades {
		if used[name] != 1 {
			t.Errorf("%d rows are tried with %s.yaml", used[name], name)
		}
	}
	return rows
}

// tableIn are the lines of the one table, without its head.
func tableIn(page string) (lines []string) {
	_, table, _ := strings.Cut(page, "\n| a stored object breaks |")
	for line := range strings.Lines(table) {
		if strings.TrimSpace(line) == "" {
			break
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines[min(2, len(lines)):]
}

func parse(line string, upgrades map[string]Upgrade) (row Row, err error) {
	parts := strings.Split(strings.Trim(line, "|"), "|")
	if len(parts) != 5 {
		return row, fmt.Errorf("it has %d cells", len(parts))
	}
	for i, to := range []*Cell{&row.Touch, &row.Status, &row.Other, &row.Create} {
		match := cell.FindStringSubmatch(strings.TrimSpace(parts[i+1]))
		if match == nil {
			return row, fmt.Errorf("the cell %q says neither rejected nor accepted", parts[i+1])
		}
		*to = Cell{Refused: match[1] != "", When: match[2] != "", Warned: match[3]+match[4] != ""}
	}
	match := names.FindStringSubmatch(parts[0])
	if match == nil {
		return row, fmt.Errorf("it does not say in a comment which upgrade it is tried with")
	}
	row.What = strings.TrimSpace(strings.Replace(parts[0], match[0], "", 1))
	for name := range strings.FieldsSeq(match[1]) {
		u, found := upgrades[name]
		if !found {
			return row, fmt.Errorf("there is no upgrade %s.yaml", name)
		}
		row.Upgrades = append(row.Upgrades, u)
	}
	return row, nil
}
