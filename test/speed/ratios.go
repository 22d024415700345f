package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// tolerance is how many times a ratio may be what the page says of it.
	tolerance = 1.15
	// tries is how often a course is run that has a ratio that is worse, each time with twice as many rounds as before.
	tries = 3
)

// A ratioOf says of which command a ratio is, on which course, and to which other program.
type ratioOf struct{ command, on, to string }

// run runs a course and returns what its programs took, and the ratios of CPU times. While there are some for which ok is
// false, it runs it again with twice as many rounds, up to a limit, so that only what is worse every time is worse.
func (b *bench) run(c course, rounds int, ok func(ratioOf, float64) bool) (map[string]sample, map[ratioOf]float64, error) {
	samples, took, ratios := map[string][]sample{}, map[string]sample{}, map[ratioOf]float64{}
	for try := range tries {
		if err := b.race(rounds<<try, slices.Concat(c.ours, c.bases), samples); err != nil {
			return nil, nil, err
		}
		for name, s := range samples {
			took[name] = result(s)
		}
		again := false
		for _, ours := range c.ours {
			for _, base := range c.bases {
				if z, found := took[base.name]; found { // a peer may have failed
					of := ratioOf{ours.name, c.on, base.name}
					ratios[of] = float64(took[ours.name].cpu) / float64(z.cpu)
					again = again || !ok(of, ratios[of])
				}
			}
		}
		if !again {
			break
		}
	}
	return took, ratios, nil
}

// ratioBases are the columns of ratios.
var ratioBases = []string{"the bare parse", "the reference", kubeconform}

const (
	noRatio = "–"
	head    = "| command | on | wall time | CPU time | peak memory | the bare parse | the reference | kubeconform | target |\n|---|---|---:|---:|---:|---:|---:|---:|---|\n"
)

// table measures all courses for the page. Rows of what cannot be measured here stay.
func (b *bench) table(before string) (string, error) {
	kept, err := b.courses()
	if err != nil {
		return "", err
	}
	promised, err := b.promises()
	if err != nil {
		return "", err
	}
	rows := rowsOf(before)
	for _, c := range slices.Concat(kept, promised) {
		rounds := 3 * b.rounds
		if len(c.bases) == 0 {
			rounds = 1
		}
		took, ratios, err := b.run(c, rounds, func(ratioOf, float64) bool { return true })
		if err != nil {
			return "", err
		}
		for _, ours := range c.ours {
			row := rowOf(ours, c.on, took[ours.name], ratios)
			i := slices.IndexFunc(rows, func(other []string) bool { return slices.Equal(other[:2], row[:2]) })
			if i < 0 {
				i, rows = len(rows), append(rows, nil)
			}
			rows[i] = row
		}
	}
	text := head
	for _, row := range rows {
		text += "| " + strings.Join(row, " | ") + " |\n"
	}
	return text, nil
}

func rowOf(c contestant, on string, s sample, ratios map[ratioOf]float64) []string {
	row := []string{c.name, on, short(s.wall), short(s.cpu), fmt.Sprintf("%.0f MB", float64(s.memory)/megabyte)}
	for _, base := range ratioBases {
		row = append(row, orNone(ratios[ratioOf{c.name, on, base}]))
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
	promise("below "+short(c.goal.wall), float64(c.goal.wall), float64(s.wall))
	promise(fmt.Sprintf("below %d MB", c.goal.memory/megabyte), float64(c.goal.memory), float64(s.memory))
	promise(fmt.Sprintf("under %g× kubeconform", c.goal.kubeconform), c.goal.kubeconform, ratios[ratioOf{c.name, on, kubeconform}])
	return append(row, strings.Join(goals, "; "))
}

// short shows a duration in three digits.
func short(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 0.0995:
		return fmt.Sprintf("%.1f ms", s*1000)
	case s < 0.9995:
		return fmt.Sprintf("%.0f ms", s*1000)
	case s < 9.995:
		return fmt.Sprintf("%.2f s", s)
	default:
		return fmt.Sprintf("%.1f s", s)
	}
}

// rowsOf are the cells of a table in a section of the page, without its head.
func rowsOf(section string) (rows [][]string) {
	for line := range strings.Lines(section) {
		if line = strings.TrimRight(line, "\r\n"); strings.HasPrefix(line, "| `") {
			cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
			rows = append(rows, cells)
		}
	}
	return rows
}

// readRatios reads what the table has.
func readRatios(section string) (map[ratioOf]float64, error) {
	ratios := map[ratioOf]float64{}
	for _, cells := range rowsOf(section) {
		if len(cells) != 6+len(ratioBases) {
			return nil, fmt.Errorf("%d columns in %q, want %d", len(cells), cells, 6+len(ratioBases))
		}
		for i, cell := range cells[5 : 5+len(ratioBases)] {
			if cell == noRatio {
				continue
			}
			value, err := strconv.ParseFloat(strings.TrimSuffix(cell, "×"), 64)
			if err != nil || math.IsNaN(value) || value <= 0 {
				return nil, fmt.Errorf("%q in %q is not a ratio", cell, cells)
			}
			ratios[ratioOf{cells[0], cells[1], ratioBases[i]}] = value
		}
	}
	return ratios, nil
}

// check compares the ratios of the page with those of the program as it is now. It returns an error that names those that
// are worse, or that the page lacks.
func (b *bench) check(page string, out io.Writer) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	_, section, _, err := cut(strings.ReplaceAll(string(text), "\r\n", "\n"))
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	want, err := readRatios(section)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	courses, err := b.courses()
	if err != nil {
		return err
	}
	return b.keep(courses, want, out)
}

// keep measures courses and compares them with the ratios that are wanted.
func (b *bench) keep(courses []course, want map[ratioOf]float64, out io.Writer) error {
	var problems []string
	fmt.Fprint(out, "| CPU time of | on | to that of | page | now |  |\n|---|---|---|---:|---:|---|\n")
	for _, c := range courses {
		_, got, err := b.run(c, b.rounds, func(of ratioOf, value float64) bool { return want[of] == 0 || value <= tolerance*want[of] })
		if err != nil {
			return err
		}
		for _, ours := range c.ours {
			for _, base := range ratioBases {
				of := ratioOf{ours.name, c.on, base}
				wanted, known := want[of]
				value, measured := got[of]
				verdict := "ok"
				switch {
				case !known && !measured:
					continue
				case !measured:
					verdict = "not measured: " + base + " is not on PATH, or failed"
				case !known:
					verdict = "not in the page"
				case value > tolerance*wanted:
					verdict = "worse"
				}
				if measured && verdict != "ok" {
					problems = append(problems, fmt.Sprintf("%s, on %s, to %s: %s", ours.name, c.on, base, verdict))
				}
				fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", ours.name, c.on, base, orNone(wanted), orNone(value), verdict)
			}
		}
	}
	if problems == nil {
		return nil
	}
	return fmt.Errorf("crdlift has become slower beside other programs: these ratios are more than %.0f%% above those of docs/performance.md, or are not there:\n  %s\n"+
		"If that is how it has to be, `make speed` writes the new ones into the page",
		100*(tolerance-1), strings.Join(problems, "\n  "))
}

func orNone(value float64) string {
	if value == 0 {
		return noRatio
	}
	return fmt.Sprintf("%.3f×", value)
}
