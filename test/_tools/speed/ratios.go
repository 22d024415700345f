package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/testing/corpus"
)

const (
	// tolerance is how many times a ratio may be what the page says of it.
	tolerance = 1.15
	// tries is how often a course is run that has a ratio that is worse, each time with twice as many rounds as before.
	tries = 3
)

// ratioBases are the commands of the reference by their names, and bases the columns of ratios.
var (
	ratioBases = map[string]string{"parse": "the bare parse", "judge": "the reference"}
	bases      = []string{ratioBases["parse"], ratioBases["judge"], kubeconform}
)

// A ratioOf says of which command a ratio of CPU times is, on what, and to which other program.
type ratioOf struct{ command, on, to string }

func (of ratioOf) String() string { return fmt.Sprintf("%s, on %s, to %s", of.command, of.on, of.to) }

// run runs a course and returns what its command took, and its ratios. While there are some for which ok is false, it runs
// it again with twice as many rounds, up to a limit, so that only what is worse every time is worse.
func (b *bench) run(c course, rounds int, ok func(ratioOf, float64) bool) (ours sample, ratios map[ratioOf]float64, err error) {
	samples, ratios, again := map[string][]sample{}, map[ratioOf]float64{}, true
	for try := 0; again && try < tries; try++ {
		if err := b.race(rounds<<try, b.contestants(c), samples); err != nil {
			return sample{}, nil, err
		}
		ours, again = result(samples[c.name()]), false
		for _, base := range bases {
			if samples[base] != nil {
				of := ratioOf{c.name(), c.on, base}
				ratios[of] = float64(ours.cpu) / float64(result(samples[base]).cpu)
				again = again || !ok(of, ratios[of])
			}
		}
	}
	return ours, ratios, nil
}

const (
	noRatio = "–"
	head    = "| command | on | wall time | CPU time | peak memory | the bare parse | the reference | kubeconform | target |\n|---|---|---:|---:|---:|---:|---:|---:|---|\n"
)

// table measures all courses for the page. Rows of what cannot be measured here stay.
func (b *bench) table(before string) (string, error) {
	courses := slices.Concat(kept, promised)
	folder, err := filepath.Abs(corpus.Dir())
	if _, none := os.Stat(folder); none == nil {
		courses = append(courses, ofCorpus...)
		err = errors.Join(err, os.Symlink(folder, filepath.Join(b.dir, "real")))
	}
	err = errors.Join(err, b.write(batches, "crds"), b.write(more, "kinds"), writeDump(filepath.Join(b.dir, "dump.yaml"), 1000*megabyte))
	if err != nil {
		return "", err
	}
	rows := rowsOf(before)
	for _, c := range courses {
		rounds := 3 * b.rounds
		if c.bases == "" {
			rounds = 1
		}
		ours, ratios, err := b.run(c, rounds, func(ratioOf, float64) bool { return true })
		if err != nil {
			return "", err
		}
		row := c.row(ours, ratios)
		if i := slices.IndexFunc(rows, func(other []string) bool { return slices.Equal(other[:2], row[:2]) }); i >= 0 {
			rows[i] = row
		} else {
			rows = append(rows, row)
		}
	}
	text := head
	for _, row := range rows {
		text += "| " + strings.Join(row, " | ") + " |\n"
	}
	return text, nil
}

func (c course) row(s sample, ratios map[ratioOf]float64) []string {
	row := []string{c.name(), c.on, short(s.wall), short(s.cpu), fmt.Sprintf("%.0f MB", float64(s.memory)/megabyte)}
	for _, base := range bases {
		row = append(row, orNone(ratios[ratioOf{c.name(), c.on, base}]))
	}
	var goals []string
	promise := func(text string, limit, value float64) {
		switch {
		case limit == 0 || value == 0:
		case value < limit:
			goals = append(goals, text)
		default:
			goals = append(goals, "**"+text+"**")
		}
	}
	promise("below "+short(c.wall), float64(c.wall), float64(s.wall))
	promise(fmt.Sprintf("below %d MB", c.memory), float64(c.memory*megabyte), float64(s.memory))
	promise(fmt.Sprintf("under %g× kubeconform", c.kubeconform), c.kubeconform, ratios[ratioOf{c.name(), c.on, kubeconform}])
	return append(row, strings.Join(goals, "; "))
}

// short shows a duration in three digits.
func short(d time.Duration) string { return fmt.Sprintf("%.3g s", d.Seconds()) }

func orNone(ratio float64) string {
	if ratio == 0 {
		return noRatio
	}
	return fmt.Sprintf("%.3f×", ratio)
}

// rowsOf are the cells of a table in a section of the page, without its head.
func rowsOf(section string) (rows [][]string) {
	for line := range strings.Lines(section) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "| `") {
			rows = append(rows, strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | "))
		}
	}
	return rows
}

// readRatios reads what the table has.
func readRatios(section string) (map[ratioOf]float64, error) {
	ratios := map[ratioOf]float64{}
	for _, cells := range rowsOf(section) {
		if len(cells) != 6+len(bases) {
			return nil, fmt.Errorf("%d columns in %q, want %d", len(cells), cells, 6+len(bases))
		}
		for i, base := range bases {
			cell := cells[5+i]
			if cell == noRatio {
				continue
			}
			value, err := strconv.ParseFloat(strings.TrimSuffix(cell, "×"), 64)
			if err != nil || math.IsNaN(value) || value <= 0 {
				return nil, fmt.Errorf("%q in %q is not a ratio", cell, cells)
			}
			ratios[ratioOf{cells[0], cells[1], base}] = value
		}
	}
	return ratios, nil
}

// check compares the ratios of the page with those of the program as it is now.
func (b *bench) check(page string, out io.Writer) error {
	_, section, _, err := cut(page)
	if err != nil {
		return err
	}
	want, err := readRatios(section)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	if err := b.write(batches, "crds"); err != nil {
		return err
	}
	return b.keep(kept, want, out)
}

// keep measures courses and compares them with the ratios that are wanted. It returns an error that names those that are
// worse, or that the page lacks.
func (b *bench) keep(courses []course, want map[ratioOf]float64, out io.Writer) error {
	var problems []string
	fmt.Fprint(out, "| CPU time of | on | to that of | page | now |  |\n|---|---|---|---:|---:|---|\n")
	for _, c := range courses {
		_, got, err := b.run(c, b.rounds, func(of ratioOf, value float64) bool { return want[of] == 0 || value <= tolerance*want[of] })
		if err != nil {
			return err
		}
		for _, base := range bases {
			of := ratioOf{c.name(), c.on, base}
			verdict := "ok"
			switch {
			case want[of] == 0 && got[of] == 0:
				continue
			case got[of] == 0:
				verdict = "not measured: " + base + " is not on PATH, or failed"
			case want[of] == 0:
				verdict = "not in the page"
			case got[of] > tolerance*want[of]:
				verdict = "worse"
			}
			if got[of] > 0 && verdict != "ok" {
				problems = append(problems, of.String()+": "+verdict)
			}
			fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", of.command, of.on, of.to, orNone(want[of]), orNone(got[of]), verdict)
		}
	}
	if problems == nil {
		return nil
	}
	return fmt.Errorf("crdlift has become slower beside other programs: these ratios are more than %.0f%% above those of docs/internals/performance.md, or are not there:\n  %s\n"+
		"If that is how it has to be, `make speed` writes the new ones into the page",
		100*(tolerance-1), strings.Join(problems, "\n  "))
}
