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

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

const (
	// tolerance is how many times a ratio may be what the page says of it.
	tolerance = 1.15
	// tries is how often a course is run that has a ratio that is worse, each time with twice as many rounds as before.
	tries = 3
)

// A course is work whose cost, in times that of simpler work on the same files, has to stay as the page says. All files are
// generated, so that a fresh clone has them.
type course struct {
	on    string // what the programs look at
	ours  []contestant
	bases []contestant
}

// A ratioOf says of which command a ratio is, on which course, and to which other program.
type ratioOf struct{ command, on, to string }

// courses writes the files.
func (b *bench) courses() ([]course, error) {
	dir := filepath.Join(b.dir, "courses")
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := writeMixed(at("v1")); err != nil {
		return nil, err
	}
	if _, err := writeFiles(at("v1beta1"), 100, specimen.CRD{Version: "v1beta1", Parts: 16}); err != nil {
		return nil, err
	}
	// So many that it counts little (a tenth) if a program of changed files has to be read for the key of its cache.
	if _, err := writeFiles(at("many"), 10_000, specimen.CRD{Version: "v1", Parts: 1}); err != nil {
		return nil, err
	}
	if err := (population{kinds: 20, objects: 2000, wrong: 101}).write(at("crds"), at("objects")); err != nil {
		return nil, err
	}
	if err := writeAges(at("older"), at("newer")); err != nil {
		return nil, err
	}
	if _, err := put(at("large"), "crd.yaml", specimen.Sized("v1", 0, 2*megabyte).YAML()); err != nil {
		return nil, err
	}
	small, err := put(at("small"), "crd.yaml", specimen.Sized("v1", 0, 20_000).YAML())
	if err != nil {
		return nil, err
	}
	oneByOne := func(c contestant) contestant { // a single process is too short
		c.args, c.each = c.args[:len(c.args)-1], slices.Repeat([][]string{{small}}, 20)
		return c
	}
	kubeconform := func(peers []peer, s subject) []contestant {
		found, _, failed := b.find(peers[:1], s)
		err = errors.Join(err, failed)
		return found
	}
	parse := func(paths ...string) contestant { return b.parse(paths...)[0] }
	judge := func(paths ...string) contestant { return b.judge(paths...)[0] }
	convert := b.converting(at("v1beta1"))
	all := []course{
		{"CRDs", []contestant{b.linting("", at("v1"))},
			append([]contestant{parse(at("v1")), judge(at("v1"))}, kubeconform(linters, subject{path: at("v1")})...)},
		{"CRDs of v1beta1", []contestant{convert[0], convert[2]}, []contestant{parse(at("v1beta1")), judge(at("v1beta1"))}},
		{"custom resources", []contestant{b.validating(at("crds"), at("objects"))},
			append([]contestant{parse(at("objects"))}, kubeconform(judges, subject{path: at("objects"), crds: at("crds")})...)},
		{"CRDs and older ones", b.comparing(at("older"), at("newer")), []contestant{parse(at("older"), at("newer")), judge(at("older"), at("newer"))}},
		{"CRDs seen before", []contestant{b.recalling(at("many"))}, []contestant{parse(at("many"))}},
		{"one large CRD", []contestant{b.linting("", at("large"))}, []contestant{parse(at("large")), judge(at("large"))}},
		{"one small CRD", []contestant{oneByOne(b.linting("", small))}, []contestant{oneByOne(judge(small))}},
	}
	for _, c := range all {
		for _, side := range [][]contestant{c.ours, c.bases} {
			for i := range side {
				side[i].env = append(slices.Clip(side[i].env), twoCores...)
			}
		}
	}
	return all, err
}

// writeMixed writes CRDs whose parsing, judging and linting cost about as much beside each other as those of real ones do:
// some of kinds that have many rules, and more with large schemas and few rules.
func writeMixed(dir string) error {
	if err := (population{kinds: 30}).write(dir, filepath.Join(dir, "none")); err != nil {
		return err
	}
	for i := range 60 {
		c := specimen.Sized("v1", i, 60_000)
		c.Rules = max(0, i%4-1)
		if _, err := put(dir, fmt.Sprintf("large-%d.yaml", i), c.YAML()); err != nil {
			return err
		}
	}
	return nil
}

// run runs a course and returns its ratios. While there are some for which ok is false, it runs it again with twice as many
// rounds, up to a limit, so that only what is worse every time is worse.
func (b *bench) run(c course, rounds int, ok func(ratioOf, float64) bool) (map[ratioOf]float64, error) {
	samples, ratios := map[string][]sample{}, map[ratioOf]float64{}
	for try := range tries {
		results, err := b.race(rounds<<try, slices.Concat(c.ours, c.bases)...)
		if err != nil {
			return nil, err
		}
		for i, r := range results {
			samples[r.name] = append(samples[r.name], r.samples...)
			results[i].samples = samples[r.name]
		}
		again := false
		for _, ours := range c.ours {
			for _, base := range c.bases {
				a, _ := named(results, ours.name)
				if z, found := named(results, base.name); found { // a peer may have failed
					of := ratioOf{ours.name, c.on, base.noun()}
					ratios[of] = quotient(a, z)
					again = again || !ok(of, ratios[of])
				}
			}
		}
		if !again {
			break
		}
	}
	return ratios, nil
}

// quotient is the ratio of CPU times. The least of each is the nearest to what the work costs: whatever else the machine
// does adds to it.
func quotient(a, z result) float64 {
	return float64(a.cpu().least) / float64(z.cpu().least)
}

// ratios measures all courses for the page.
func (b *bench) ratios() (string, error) {
	courses, err := b.courses()
	if err != nil {
		return "", err
	}
	all := map[ratioOf]float64{}
	for _, c := range courses {
		ratios, err := b.run(c, 3*b.rounds, func(ratioOf, float64) bool { return true })
		if err != nil {
			return "", err
		}
		for of, value := range ratios {
			all[of] = value
		}
	}
	return fmt.Sprintf("The least of %s each.\n\n", times(3*b.rounds)) + ratioTable(courses, all), nil
}

// ratioBases are the columns.
var ratioBases = []string{"the bare parse", "the reference", "kubeconform"}

const noRatio = "–"

func ratioTable(courses []course, ratios map[ratioOf]float64) string {
	t := table{append([]string{"CPU time of", "on"}, ratioBases...)}
	for _, c := range courses {
		for _, ours := range c.ours {
			row := []string{ours.name, c.on}
			for _, base := range ratioBases {
				cell := noRatio
				if value, found := ratios[ratioOf{ours.name, c.on, base}]; found {
					cell = fmt.Sprintf("%.3f×", value)
				}
				row = append(row, cell)
			}
			t = append(t, row)
		}
	}
	return t.String()
}

// readRatios reads what ratioTable has written, from a section of the page.
func readRatios(section string) (map[ratioOf]float64, error) {
	ratios := map[ratioOf]float64{}
	for line := range strings.SplitSeq(section, "\n") {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 2+len(ratioBases) {
			return nil, fmt.Errorf("%d columns in %q, want %d", len(cells), line, 2+len(ratioBases))
		}
		for i, cell := range cells[2:] {
			if cell == noRatio {
				continue
			}
			value, err := strconv.ParseFloat(strings.TrimSuffix(cell, "×"), 64)
			if err != nil || math.IsNaN(value) || value <= 0 {
				return nil, fmt.Errorf("%q in %q is not a ratio", cell, line)
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
	_, section, _, err := cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "ratios")
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
	t := table{{"CPU time of", "on", "to that of", "page", "now", ""}}
	for _, c := range courses {
		got, err := b.run(c, b.rounds, func(of ratioOf, value float64) bool { return want[of] == 0 || value <= tolerance*want[of] })
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
				t = append(t, []string{ours.name, c.on, base, orNone(wanted), orNone(value), verdict})
			}
		}
	}
	fmt.Fprint(out, t)
	if problems == nil {
		return nil
	}
	return fmt.Errorf("crdlift has become slower beside other programs: these ratios are more than %.0f%% above those of docs/performance.md, or are not there:\n  %s\n"+
		"If that is how it has to be, `make speed SPEEDFLAGS='-only ratios'` writes the new ones into the page",
		100*(tolerance-1), strings.Join(problems, "\n  "))
}

func orNone(value float64) string {
	if value == 0 {
		return noRatio
	}
	return fmt.Sprintf("%.3f×", value)
}
