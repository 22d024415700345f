// Package krm answers a call of crdlift as a KRM function: a ResourceList comes in, and goes out with the CRDs among its
// items converted and with what there is to say about them as results. kustomize and kpt call it.
//
// The items come as trees, without the text of the files they were read from: findings name a file and a field, and
// no line.
package krm

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// ErrFindings says that there are findings that the functionConfig wants the call to fail for.
var ErrFindings = errors.New("findings")

// Run reads a ResourceList, does what its functionConfig asks for, and writes the ResourceList back, with results. Each
// result is said as a line of text, too: kustomize shows nothing else. Names in it are as the items have them, line ends
// included. The error is ErrFindings when there are findings that fail the call; any other error says that the call
// itself is wrong.
func Run(in io.Reader, out io.Writer, say func(line string), rules []*lint.Rule) error {
	f := &function{rules: rules, say: say}
	return framework.Execute(framework.ResourceListProcessorFunc(f.process),
		&kio.ByteReadWriter{Reader: in, Writer: out, KeepReaderAnnotations: true})
}

// A function is one call.
type function struct {
	rules   []*lint.Rule
	say     func(line string)
	results framework.Results
}

func (f *function) process(list *framework.ResourceList) error {
	config, err := readConfig(list.FunctionConfig)
	if err != nil {
		return err
	}
	if config.Output != "" && config.Output != "items" && config.Output != "none" {
		return fmt.Errorf("functionConfig: output %q is neither items nor none", config.Output)
	}
	options, err := config.options()
	if err != nil {
		return err
	}
	linting, failOn, err := config.rules(f.rules)
	if err != nil {
		return err
	}
	failed := false
	if options != nil {
		failed = f.convert(list.Items, *options)
	}
	if linting != nil {
		failed = f.lint(list.Items, linting, failOn) || failed
	}
	list.Results = f.results
	f.tell()
	if config.Output == "none" {
		list.Items = nil
	}
	if failed {
		return ErrFindings
	}
	return nil
}

// convert converts the CRDs in place and says whether one of them needs a person.
func (f *function) convert(items []*yaml.RNode, options convert.Options) (failed bool) {
	for _, item := range items {
		filter := &convert.Filter{Options: options}
		if _, err := filter.Filter([]*yaml.RNode{item}); err != nil {
			panic(err) // it never returns one
		}
		for _, c := range filter.CRDs() {
			failed = failed || c.State == convert.NeedsPerson
			for _, n := range c.Notes {
				switch {
				case n.Class == convert.Report:
					f.add(item, framework.Error, n.Rule, n.Path, n.Message)
				case n.Class == convert.Changes && c.State == convert.Converted:
					f.add(item, framework.Warning, n.Rule, n.Path, n.Message)
				}
			}
		}
	}
	return failed
}

// lint looks at the CRDs, those of one file together, and says whether there are findings from a severity on.
func (f *function) lint(items []*yaml.RNode, config *lint.Config, failOn lint.Severity) (failed bool) {
	linter := &lint.Linter{Rules: f.rules, Config: config}
	var files []*lint.FileReport
	var of [][]*yaml.RNode // the items of each file, by document
	byFile, order := map[string][]*yaml.RNode{}, []string{}
	for i, item := range items {
		if found, _ := crd.Find(item.YNode()); len(found) == 0 {
			continue
		}
		path, _, _ := kioutil.GetFileAnnotations(item)
		if path == "" {
			path = fmt.Sprintf("item %d", i)
		}
		if byFile[path] == nil {
			order = append(order, path)
		}
		byFile[path] = append(byFile[path], item)
	}
	for _, path := range order {
		var text strings.Builder
		for _, item := range byFile[path] {
			text.WriteString("---\n")
			text.WriteString(plain(item))
		}
		files = append(files, linter.File(path, []byte(text.String())))
		of = append(of, byFile[path])
	}
	itemsOf := map[string][]*yaml.RNode{}
	for i, file := range files {
		itemsOf[file.Path] = of[i]
	}
	for _, finding := range linter.Report(files).Findings {
		if finding.Ignored != "" {
			continue
		}
		failed = failed || failOn > lint.Off && finding.Severity >= failOn
		item := itemsOf[finding.Pos.File][finding.Document]
		f.add(item, framework.Severity(finding.Severity.String()), finding.Rule.ID, finding.At.Path, finding.Message)
	}
	return failed
}

// plain is an item's text without the annotations that the orchestrator keeps its books in.
func plain(item *yaml.RNode) string {
	item = item.Copy()
	for key := range kioutil.GetInternalAnnotations(item) {
		if err := item.PipeE(yaml.ClearAnnotation(key)); err != nil {
			panic(err) // the annotations were just read from it
		}
	}
	if err := yaml.ClearEmptyAnnotations(item); err != nil {
		panic(err)
	}
	return item.MustString()
}

func (f *function) add(item *yaml.RNode, severity framework.Severity, rule, path, message string) {
	r := &framework.Result{Message: message, Severity: severity, Tags: map[string]string{"rule": rule}}
	r.ResourceRef = &yaml.ResourceIdentifier{
		TypeMeta: yaml.TypeMeta{APIVersion: item.GetApiVersion(), Kind: item.GetKind()},
		NameMeta: yaml.NameMeta{Name: item.GetName()},
	}
	if path != "" {
		r.Field = &framework.Field{Path: path}
	}
	if file, index, err := kioutil.GetFileAnnotations(item); err == nil && file != "" {
		r.File = &framework.File{Path: file}
		_, _ = fmt.Sscan(index, &r.File.Index) // absent stands for the first
	}
	f.results = append(f.results, r)
}

// tell says the results as text.
func (f *function) tell() {
	for _, r := range f.results {
		where := r.ResourceRef.Name
		if r.File != nil {
			where = r.File.Path + ": " + where
		}
		if r.Field != nil {
			where += ": " + r.Field.Path
		}
		f.say(fmt.Sprintf("%s: %s: %s [%s]", where, r.Severity, r.Message, r.Tags["rule"]))
	}
}
