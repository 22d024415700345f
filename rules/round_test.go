package rules

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// wrong is the mistake that a line of testdata/round may have: its value, or its item, is another one.
var wrong = regexp.MustCompile(`^(\s*(?:- (?:required|properties): |(?:- )?[\w-]+: |- ))(.*?) # wrong: (.*)$`)

// A mistaken is a manifest with a mistake in some of its lines.
type mistaken struct {
	lines []string
	made  []int // indexes of lines
}

func (m mistaken) text() []byte {
	lines := slices.Clone(m.lines)
	for i, line := range lines {
		parts := wrong.FindStringSubmatch(line)
		switch {
		case parts == nil:
		case !slices.Contains(m.made, i):
			lines[i] = parts[1] + parts[2]
		case strings.HasPrefix(parts[3], "{") && strings.Contains(parts[1], "- "):
			lines[i] = parts[1][:strings.Index(parts[1], "- ")+2] + parts[3]
		case parts[3] == "{}":
			lines[i] = strings.Replace(parts[1], "type: ", "description: none", 1)
		default:
			lines[i] = parts[1] + parts[3]
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// refused are the errors of the API server, by rule and path. That no server has v1beta1 any more is none of a manifest.
func (m mistaken) refused(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, f := range everyRule().File("crd.yaml", m.text()).Findings {
		if f.Severity == lint.Error && f.Rule.ID != "deprecated-api-version" {
			all[f.Rule.ID+" at "+f.Path] = true
		}
	}
	return all
}

// TestOneRound makes all mistakes of a manifest, takes them back one after the other, and wants nothing new after any of
// them. Each mistake by itself is one error, and all together are as many.
func TestOneRound(t *testing.T) {
	t.Parallel()
	for name, few := range map[string]int{"v1.yaml": 20, "v1beta1.yaml": 14} {
		src, err := os.ReadFile(filepath.Join("..", "testdata", "round", name))
		if err != nil {
			t.Fatal(err)
		}
		m := mistaken{lines: strings.Split(string(src), "\n")}
		if told := m.refused(t); len(told) > 0 {
			t.Errorf("%s without mistakes: %v", name, told)
		}
		var every []int
		alone := map[string]bool{}
		for i, line := range m.lines {
			if !wrong.MatchString(line) {
				continue
			}
			every = append(every, i)
			m.made = []int{i}
			told := m.refused(t)
			if len(told) != 1 {
				t.Errorf("%s: %d errors for %s: %v", name, len(told), strings.TrimSpace(line), told)
			}
			for row := range told {
				alone[row] = true
			}
		}
		if len(every) < few {
			t.Errorf("%s: %d mistakes", name, len(every))
		}
		m.made = every
		for row := range m.refused(t) {
			if !alone[row] {
				t.Errorf("%s: with all mistakes there is %s, which none of them is", name, row)
			}
		}
		for seed := range uint64(4) {
			order := slices.Clone(every)
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			m.made = order
			before := m.refused(t)
			for len(m.made) > 0 {
				mended := strings.TrimSpace(m.lines[m.made[0]])
				m.made = m.made[1:]
				now := m.refused(t)
				for row := range now {
					if !before[row] {
						t.Errorf("%s: %s comes up when this is mended: %s", name, row, mended)
					}
				}
				before = now
			}
		}
	}
}
