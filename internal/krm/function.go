// Package krm implements crdlift as a KRM function: it reads a ResourceList, converts the CRDs among its items, and
// returns it with the findings as results. kustomize and kpt call it.
//
// The ResourceList is one document with a list of CRDs in it, and is rewritten as such a file is: items that are not
// CRDs, and text that a conversion does not change, are kept byte for byte. Findings name an item's own file and a
// field, and no line: the lines of the ResourceList are not those of the files that its items were read from.
package krm

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// Declaration is a functionConfig that says all that one can, with its defaults.
//
//go:embed declaration.yaml
var Declaration string

// ErrFindings says that there are findings that the functionConfig wants the call to fail for.
var ErrFindings = errors.New("findings")

// Run reads a ResourceList, does what its functionConfig asks for, and writes the ResourceList back, with results. Each
// result is said as a line of text, too: kustomize shows nothing else. Names in it are as the items have them, line ends
// included. The error is ErrFindings when there are findings that fail the call; any other error says that the call
// itself is wrong.
func Run(in io.Reader, out io.Writer, say func(line string)) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	list, err := readList(text)
	if err != nil {
		return err
	}
	config, err := readConfig(list.field("functionConfig"))
	if err != nil {
		return err
	}
	linting, failOn := config.severities()
	f := &function{config: config, list: list}
	failed := false
	if config.Convert != nil {
		if failed, err = f.convert(*config.Convert); err != nil {
			return err
		}
	}
	if linting != nil {
		failed = f.lint(&rules.Linter{Options: lint.Options{Config: linting}}, failOn) || failed
	}
	answer, err := f.list.answer(f.results, config.Output == outputNone)
	if err != nil {
		return err
	}
	for _, r := range f.results {
		say(r.line)
	}
	for _, line := range f.notes {
		say(line)
	}
	if _, err := out.Write(answer); err != nil {
		return err
	}
	if failed {
		return ErrFindings
	}
	return nil
}

// A function is one call.
type function struct {
	notes   []string // what is to be said of the functionConfig
	config  *Config
	list    *resourceList
	results []result
}

// convert converts the CRDs and reports whether one of them needs a person.
func (f *function) convert(options policy.Options) (failed bool, err error) {
	done, err := convert.Explained(inputName, f.list.text, options, rules.Explainer())
	if err != nil {
		return false, err
	}
	encoded := slices.ContainsFunc(done.CRDs, func(c convert.CRD) bool { return c.Encoded })
	crds, meant := f.list.crds()
	for i, c := range done.CRDs {
		if encoded && c.State == policy.Converted {
			// What would be rewritten with it is not crdlift's to touch.
			c.State = policy.NeedsPerson
			c.Notes = []convert.Note{{Class: policy.Report, ID: "conversion-not-written",
				Message: "cannot be converted without rewriting the other items of the ResourceList; convert its file instead"}}
		}
		failed = f.tell(crds[i], c) || failed
	}
	for i, c := range done.Meant {
		failed = f.tell(meant[i], c) || failed
	}
	if !encoded {
		f.list, err = readList(done.Output)
	}
	return failed, err
}

// tell reports the outcome for a CRD, and whether it needs a person.
func (f *function) tell(it item, c convert.CRD) (failed bool) {
	for _, n := range c.Notes {
		switch {
		case n.Class == policy.Report:
			f.add(it, framework.Error, n.ID, n.Path, f.config.inKeys(n.Message, n.Advised))
			f.results[len(f.results)-1].converting = true
		case n.Class == policy.Changes && c.State == policy.Converted:
			f.add(it, framework.Warning, n.ID, n.Path, f.config.inKeys(n.Message, n.Advised))
		}
	}
	return c.State == policy.NeedsPerson
}

// lint looks at the CRDs, those of one file together, and reports whether there are findings from a severity on.
func (f *function) lint(linter *rules.Linter, failOn lint.Severity) (failed bool) {
	items, texts := map[string][]item{}, map[string][]byte{}
	var order []string
	for _, it := range f.list.items {
		if !it.holdsCRD() {
			continue
		}
		own, err := it.own()
		if err != nil {
			f.add(it, framework.Error, "yaml-syntax", "", fmt.Sprintf("cannot be read by itself: %v", err))
			failed = true
			continue
		}
		path := cmp.Or(it.path, it.position())
		if items[path] == nil {
			order = append(order, path)
		}
		items[path] = append(items[path], it)
		texts[path] = append(texts[path], "---\n"+own...)
	}
	judge := &rules.Judge{Linter: linter}
	var files []*rules.Judgement
	for _, path := range order {
		files = append(files, judge.File(path, texts[path]))
	}
	report := judge.Report(files...)
	if unknown := config.UnknownKubernetes(linter.Config); unknown != "" {
		f.notes = append(f.notes, unknown)
	}
	for _, was := range report.Renamed {
		f.notes = append(f.notes, rules.All().Renamed(was))
	}
	for _, finding := range report.Findings {
		if finding.Ignored != "" || f.config.Convert != nil && finding.Rule.ID == unconverted {
			continue
		}
		it := items[finding.Pos.File][finding.Document]
		failed = failed || failOn > lint.Off && finding.Severity >= failOn
		if finding.Severity == lint.Error {
			f.retract(it, finding.Rule.ID, finding.Path)
		}
		message := finding.Message
		if f.config.Convert != nil {
			message = f.config.inKeys(message, finding.Advised)
		}
		f.add(it, framework.Severity(finding.Severity.String()), finding.Rule.ID, finding.Path, message)
	}
	return failed
}

// unconverted is the rule that advises to convert a CRD. Where that is being done, the results give the obstacles.
const unconverted = "deprecated-api-version"

// retract removes the conversion's results on an item where lint has an error of the same rule there, or above or below
// it: they would say the same twice.
func (f *function) retract(it item, rule, path string) {
	f.results = slices.DeleteFunc(f.results, func(r result) bool {
		return r.converting && r.item == it.index && r.rule == rule && (strings.HasPrefix(r.path, path) || strings.HasPrefix(path, r.path))
	})
}

// A result is a message about an item, in the form of the ResourceList and as a line of text.
type result struct {
	*framework.Result
	line       string
	item       int // its index
	rule, path string

	converting bool // it is the reason why a CRD was not converted
}

func (f *function) add(it item, severity framework.Severity, rule, path, message string) {
	node := crd.Deref(it.node)
	name := crd.StringAt(node, "metadata", "name")
	r := &framework.Result{Message: message, Severity: severity, Tags: map[string]string{"rule": rule}}
	r.ResourceRef = &yaml.ResourceIdentifier{
		TypeMeta: yaml.TypeMeta{APIVersion: crd.StringAt(node, "apiVersion"), Kind: crd.StringAt(node, "kind")},
		NameMeta: yaml.NameMeta{Name: name},
	}
	var where []string
	if it.path != "" {
		r.File = &framework.File{Path: it.path, Index: it.fileIndex}
		where = append(where, it.path)
	}
	if name != "" {
		where = append(where, name)
	}
	if len(where) == 0 {
		where = append(where, it.position())
	}
	if path != "" {
		r.Field = &framework.Field{Path: path}
		where = append(where, path)
	}
	line := fmt.Sprintf("%s: %s: %s [%s]", strings.Join(where, ": "), severity, message, rule)
	f.results = append(f.results, result{Result: r, line: line, item: it.index, rule: rule, path: path})
}
