package page

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/lint"
)

var (
	//go:embed coverage.html
	coverageLayout string
	//go:embed coverage.css
	coverageStyle string
)

// maxLines is how long a CRD is at most that is shown as a whole.
const maxLines = 2000

// A coveredCRD is a CRD with what is tested of it.
type coveredCRD struct {
	*lint.Coverage
	Summary string
	Lines   []*coveredLine
	Left    string // which lines are not shown
}

// A coveredLine is a line of a CRD with the constraints on it.
type coveredLine struct {
	Number      int
	Text, Class string
	Constraints []*lint.CoveredConstraint
}

// WriteCoverage writes the page of what suites test of CRDs. Read reads a file; of one that cannot be read, only the lines with
// constraints are shown, without their text.
func WriteCoverage(w io.Writer, all []lint.Coverage, read func(path string) ([]byte, error)) error {
	var shown []coveredCRD
	for i := range all {
		shown = append(shown, covered(&all[i], read))
	}
	return write(w, coverageLayout, style+coverageStyle, shown)
}

func covered(c *lint.Coverage, read func(path string) ([]byte, error)) coveredCRD {
	out := coveredCRD{Coverage: c, Summary: coverage.Summary(c)}
	source, err := read(c.File)
	lines := strings.Split(strings.TrimSuffix(string(source), "\n"), "\n")
	on := map[int]*coveredLine{}
	switch {
	case err != nil:
		out.Left = "The file cannot be read: only the numbers of the lines with constraints are shown."
	case len(lines) > maxLines:
		out.Left = fmt.Sprintf("Only the lines with constraints are shown, of %d.", len(lines))
	default:
		for i := range lines {
			out.add(on, lines, i+1)
		}
	}
	for i := range c.Constraints {
		one := &c.Constraints[i]
		if on[one.Line] == nil {
			out.add(on, lines, one.Line)
		}
		on[one.Line].Constraints = append(on[one.Line].Constraints, one)
	}
	for _, line := range out.Lines {
		line.Class = classOf(line.Constraints)
	}
	return out
}

func (c *coveredCRD) add(on map[int]*coveredLine, lines []string, number int) {
	line := &coveredLine{Number: number}
	if number <= len(lines) {
		line.Text = lines[number-1]
	}
	on[number] = line
	c.Lines = append(c.Lines, line)
}

// classOf is what is known of the constraint on a line of which least is tested.
func classOf(all []*lint.CoveredConstraint) string {
	class := "none"
	for _, c := range all {
		switch c.State {
		case coverage.Unreached.String():
			return "missed"
		case coverage.Reached.String(), coverage.Met.String():
			class = "reached"
		case coverage.Tested.String():
			if class == "none" {
				class = "tested"
			}
		}
	}
	return class
}
