package helm

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/rules"
)

// TestFixCommutes: to fix a template and render it gives what fixing its rendering gives.
func TestFixCommutes(t *testing.T) {
	commutes(t, fix(false), false)
}

// TestUnsafeFixCommutes is TestFixCommutes with the fixes that may change a meaning.
func TestUnsafeFixCommutes(t *testing.T) {
	commutes(t, fix(true), false)
}

// TestConvertCommutes: to convert a template and render it gives what converting its rendering gives.
func TestConvertCommutes(t *testing.T) {
	t.Run("v1", func(t *testing.T) { commutes(t, to(policy.Options{}), true) })
	t.Run("v1beta1", func(t *testing.T) {
		commutes(t, to(policy.Options{To: policy.V1beta1, OnLoss: policy.DropLoss}), false)
	})
}

// commutes holds a change against the renderings of all templates. The server judges what is new, if asked to.
func commutes(t *testing.T, do change, judged bool) {
	t.Run("handwritten", func(t *testing.T) {
		all := changeTally{do: do, judged: judged, reasons: map[string]int{}}
		for _, src := range handwritten(t) {
			refused := all.refused
			all.count(t, src)
			if byHand := filepath.Base(filepath.Dir(src.path)) == "byhand"; judged && byHand != (all.refused > refused) {
				t.Errorf("%s is rejected: %v", src.path, !byHand)
			}
		}
		all.log(t)
		if all.passedOver > 0 {
			t.Errorf("%d files are passed over", all.passedOver)
		}
	})
	t.Run("charts", func(t *testing.T) {
		all := changeTally{do: do, judged: judged, reasons: map[string]int{}}
		public(t, func(src *template) { all.count(t, src) })
		all.log(t)
	})
}

// A changeTally is what became of templates and their renderings.
type changeTally struct {
	do     change
	judged bool

	files, passedOver, changed int
	renderings, failed, random int
	crds, same, blanks         int // CRDs of renderings that the change rewrites
	refused, accepted, bad     int
	reasons                    map[string]int
	failures                   []string
}

// count changes a template, and its renderings.
func (all *changeTally) count(t *testing.T, src *template) {
	t.Helper()
	renderings, failed := src.renderings(src.text)
	all.failed += len(failed)
	made := all.do.try(src.path, src.text)
	if made.passedOver {
		all.passedOver++
		return
	}
	all.files++
	if made.err != nil {
		all.fail(src, "", made.err.Error())
		return
	}
	if made.text != src.text {
		all.changed++
		all.kept(src, made.text)
	}
	for _, r := range renderings {
		all.renderings++
		after := r.texts
		if made.text != src.text {
			var err error
			if after, err = src.render(made.text, r.setting); err != nil {
				all.fail(src, r.setting.name, err.Error())
				continue
			}
		}
		for name, text := range r.texts {
			p := pair{r.setting, made, text, after[name]}
			if text != "" {
				all.compare(t, src, p)
			}
		}
	}
}

// kept checks what a change must leave in a template.
func (all *changeTally) kept(src *template, text string) {
	before, after := actions(src.text), actions(text)
	if gone, added := lost(before, after), lost(after, before); len(gone)+len(added) > 0 {
		all.fail(src, "", fmt.Sprintf("actions %q are lost and %q added", gone, added))
	}
	if gone := lost(once(comments(src.text)), comments(text)); len(gone) > 0 { // what two versions share is once in v1beta1
		all.fail(src, "", fmt.Sprintf("comments %q are lost", gone))
	}
	if again := all.do.try(src.path, text); again.text != text {
		all.fail(src, "", "a second run changes it again:\n"+difference(text, again.text))
	}
}

// A pair is a file as it is rendered before and after a change of its template.
type pair struct {
	setting       setting
	made          outcome
	before, after string
}

// compare holds the rendering of the changed template against the changed rendering.
func (all *changeTally) compare(t *testing.T, src *template, p pair) {
	t.Helper()
	wanted := all.do.try("crd.yaml", p.before)
	before, after, want := documents(p.before), documents(p.after), documents(wanted.text)
	if len(before) != len(after) || len(before) != len(want) {
		all.differ(src, p, p.after, wanted.text)
		return
	}
	for i := range before {
		names := crdNames(before[i])
		if len(names) == 0 && before[i] == after[i] {
			continue
		}
		if want[i] != before[i] {
			all.crds++
		}
		if after[i] != before[i] && all.judged {
			all.judge(src, p.setting, after[i])
		}
		switch {
		case after[i] == want[i]:
			if want[i] != before[i] {
				all.same++
			}
		case blanksOnly(after[i], want[i]):
			if all.blanks++; all.blanks == 1 {
				t.Logf("%s, %s: blanks differ:\n%s", src.path, p.setting.name, difference(after[i], want[i]))
			}
		case after[i] == before[i] && all.isRefused(t, src, p, wanted, names):
		default:
			all.differ(src, p, after[i], want[i])
		}
	}
}

// isRefused reports whether the template's CRDs were left alone for a reason, and counts it.
func (all *changeTally) isRefused(t *testing.T, src *template, p pair, wanted outcome, names []string) bool {
	t.Helper()
	why := p.made.unseen(wanted)
	for _, name := range names {
		if r := p.made.refused(name); r != nil {
			why = r
		}
	}
	if why == nil {
		return false
	}
	all.refused++
	if all.reasons[why.id]++; all.reasons[why.id] == 1 {
		t.Logf("%s, %s: left alone: %s %s: %s", src.path, p.setting.name, why.crd, why.id, why.message)
	}
	return true
}

// differ counts a difference, unless the chart never renders the same.
func (all *changeTally) differ(src *template, p pair, after, want string) {
	if again, err := src.render(src.text, p.setting); err == nil && !slices.Contains(slices.Collect(maps.Values(again)), p.before) {
		all.random++
		return
	}
	all.fail(src, p.setting.name, "the changed template renders to < what should be >\n"+difference(after, want))
}

// judge asks the API server about a document that was converted.
func (all *changeTally) judge(src *template, s setting, text string) {
	var linter rules.Linter
	for _, f := range linter.File("crd.yaml", []byte(text)).Findings {
		if f.RefusedBy != "" {
			all.bad++
			all.fail(src, s.name, fmt.Sprintf("%s is rejected: %s: %s", f.Resource, f.Path, f.Message))
			return
		}
	}
	all.accepted++
}

func (all *changeTally) fail(src *template, setting, message string) {
	all.failures = append(all.failures, fmt.Sprintf("%s (%s): %s", src.path, setting, message))
}

// TestCommutesNotices makes changes that must not be made.
func TestCommutesNotices(t *testing.T) {
	var r reader
	path := filepath.Join("testdata", "charts", "metadata", "templates", "labels.yaml")
	src, err := r.template(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]change{
		"of what is rendered": func(path, text string) outcome {
			return outcome{text: strings.ReplaceAll(text, "app: metadata", "app: other")}
		},
		"of an indentation": func(path, text string) outcome {
			return outcome{text: strings.ReplaceAll(text, "\n    ", "\n      ")}
		},
		"of an action":  func(path, text string) outcome { return outcome{text: strings.ReplaceAll(text, "quote", "squote")} },
		"of a comment":  func(path, text string) outcome { return outcome{text: strings.ReplaceAll(text, "# ", "#")} },
		"of the syntax": func(path, text string) outcome { return outcome{text: strings.ReplaceAll(text, "{{ include", "{{ if")} },
		"never done":    func(path, text string) outcome { return outcome{text: text + "# once more\n"} },
	} {
		all := changeTally{do: do, reasons: map[string]int{}}
		if all.count(t, src); len(all.failures) == 0 {
			t.Errorf("a change %s is not noticed", name)
		}
	}
}

// documents are the texts of a file's documents.
func documents(text string) (all []string) {
	for _, d := range manifest.Split("crd.yaml", []byte(text)).Documents {
		all = append(all, string(d.Text()))
	}
	return all
}

// crdNames are the names of a text's CRDs.
func crdNames(text string) (all []string) {
	for _, c := range crd.Parse([]byte(text)) {
		all = append(all, c.Name())
	}
	return all
}

func (all *changeTally) log(t *testing.T) {
	t.Helper()
	table := fmt.Sprintf("%d files, %d changed, %d passed over; %d renderings, %d failed or no YAML, %d at random\n"+
		"%d CRDs changed in renderings: %d the same from the template, %d but for blanks, %d left alone there; %d different\n",
		all.files, all.changed, all.passedOver, all.renderings, all.failed, all.random, all.crds, all.same, all.blanks, all.refused, len(all.failures))
	if all.judged {
		table += fmt.Sprintf("the API server accepts %d, and rejects %d\n", all.accepted, all.bad)
	}
	for _, id := range slices.Sorted(maps.Keys(all.reasons)) {
		table += fmt.Sprintf("left alone: %-40s %6d\n", id, all.reasons[id])
	}
	t.Log(strings.TrimSuffix(table, "\n"))
	for _, failure := range all.failures {
		t.Error(failure)
	}
}
