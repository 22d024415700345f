package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/strict"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Baseline is the findings that a repository had when it began to use the linter: those are ignored, new ones are
// not. It tells findings apart by file, CRD, rule and path, so that lines may come and go.
type Baseline struct {
	path   string
	counts map[string]map[known]int // by file, relative to the baseline's folder
}

// known is a finding of a baseline.
type known struct {
	resource, rule, path string
}

func knownOf(f *Finding) known { return known{f.Resource, f.Rule.ID, f.At.Path} }

// inBaseline is the reason that findings of the baseline are ignored for.
const inBaseline = "baseline"

// mark marks the findings of a file that the baseline has, as far as their counts go. Those that are ignored for another
// reason do not count. The file that a finding is shown in tells where to look for it.
func (b *Baseline) mark(f *FileReport, shown func(*Finding) string) {
	left := b.countsOf(f.all())
	for _, finding := range f.Findings {
		file := config.Relative(b.path, shown(finding))
		if k := knownOf(finding); finding.Ignored == "" && left[file][k] > 0 {
			left[file][k]--
			finding.Ignored, finding.known = inBaseline, true
		}
	}
}

// countsOf are the counts of some files, to be used up.
func (b *Baseline) countsOf(paths []string) map[string]map[known]int {
	left := map[string]map[known]int{}
	for _, path := range paths {
		left[config.Relative(b.path, path)] = maps.Clone(b.counts[config.Relative(b.path, path)])
	}
	return left
}

// gone counts the findings that the baseline has and files do not have any more. Of files that were not looked at, and
// of rules that need not speak in every run, nothing is known.
func (l *Linter) gone(files []*FileReport) int {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.all()...)
	}
	left := l.Baseline.countsOf(paths)
	for _, f := range files {
		for _, finding := range f.Findings {
			if finding.known {
				left[config.Relative(l.Baseline.path, l.shown(finding, f))][knownOf(finding)]--
			}
		}
	}
	slices.Sort(paths)
	n := 0
	for _, path := range slices.Compact(paths) {
		of := l.configFor(path)
		for k, count := range left[config.Relative(l.Baseline.path, path)] {
			if r := l.rule(k.rule); r == nil || r.severity(of) > lint.Off && r.Across == nil && !r.NeedsOld {
				n += count
			}
		}
	}
	return n
}

// WriteBaseline is a baseline file of what a run found and neither comments nor the configuration ignore. The path is
// where it is going to be: the files in it are relative to its folder.
func WriteBaseline(path string, r *Report) []byte {
	b := &Baseline{path, map[string]map[known]int{}}
	for _, f := range r.Findings {
		if f.Ignored == "" || f.known {
			b.add(config.Relative(b.path, f.Pos.File), knownOf(f), 1)
		}
	}
	return b.yaml()
}

func (b *Baseline) add(file string, k known, count int) {
	if b.counts[file] == nil {
		b.counts[file] = map[known]int{}
	}
	b.counts[file][k] += count
}

// baselineHead is the first line of every baseline.
const baselineHead = "# Findings that crdlift lint passes over; those that are not in here are new.\n"

// LooksLikeBaseline reports whether a file may be replaced by a baseline: it is one, perhaps with the conflicts of a
// merge in it, or empty.
func LooksLikeBaseline(src []byte) bool {
	if len(bytes.TrimSpace(src)) == 0 || bytes.HasPrefix(src, []byte(strings.TrimSpace(baselineHead))) {
		return true
	}
	_, err := ReadBaseline("", src)
	return err == nil
}

// yaml is the baseline as a file: one line for each finding, in an order of its own, so that differences are small.
func (b *Baseline) yaml() []byte {
	var out bytes.Buffer
	out.WriteString(baselineHead + "# `crdlift lint --write-baseline` writes this file.\nversion: 1\n")
	if len(b.counts) == 0 {
		out.WriteString("files: []\n")
		return out.Bytes()
	}
	out.WriteString("files:\n")
	for _, file := range slices.Sorted(maps.Keys(b.counts)) {
		fmt.Fprintf(&out, "  - path: %s\n    findings:\n", config.Scalar(file))
		findings := slices.SortedFunc(maps.Keys(b.counts[file]), func(a, b known) int {
			return cmp.Or(cmp.Compare(a.resource, b.resource), cmp.Compare(a.rule, b.rule), cmp.Compare(a.path, b.path))
		})
		for _, k := range findings {
			fmt.Fprintf(&out, "      - {rule: %s", config.Scalar(k.rule))
			if k.resource != "" {
				fmt.Fprintf(&out, ", resource: %s", config.Scalar(k.resource))
			}
			if k.path != "" {
				fmt.Fprintf(&out, ", path: %s", config.Scalar(k.path))
			}
			if count := b.counts[file][k]; count != 1 {
				fmt.Fprintf(&out, ", count: %d", count)
			}
			out.WriteString("}\n")
		}
	}
	return out.Bytes()
}

// ReadBaseline reads a baseline file, as strictly as the configuration is. Rules that do not exist any more are no error. Of a
// file that is no baseline nothing is quoted: the configuration of a pull request may name any file of the machine.
func ReadBaseline(path string, src []byte) (*Baseline, error) {
	b := &Baseline{path, map[string]map[known]int{}}
	versioned, foreign := false, false
	err := strict.Read(path, src, func(r *strict.Reader) []strict.Member {
		foreign = hasOther(r.Document().Root.YNode(), "version", "files")
		return []strict.Member{
			strict.Key("version", func(n *yaml.Node) {
				versioned = true
				if k, v := yaml11.Resolve(n); k != yaml11.Int || v != int64(1) {
					r.Fail(n, "version must be 1, the only one that this crdlift reads")
				}
			}),
			strict.Key("files", func(n *yaml.Node) { r.List(n, "files", func(item *yaml.Node) { b.readFile(r, item) }) }),
		}
	})
	if err == nil && !versioned {
		err = &lint.FileError{Path: path, Line: 1, Column: 1, Message: "the baseline has no version; is it one?"}
	}
	if err != nil && (!versioned || foreign) && !bytes.HasPrefix(src, []byte(strings.TrimSpace(baselineHead))) {
		err = &lint.FileError{Path: path, Line: 1, Column: 1, Message: "this is no baseline; `crdlift lint --write-baseline FILE` writes one"}
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// hasOther reports whether a mapping has other keys than these.
func hasOther(n *yaml.Node, names ...string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !slices.Contains(names, n.Content[i].Value) {
			return true
		}
	}
	return n.Kind != yaml.MappingNode
}

func (b *Baseline) readFile(r *strict.Reader, n *yaml.Node) {
	file, findings := "", []*yaml.Node{}
	before := r.Errors()
	r.Mapping(n, "a file", []strict.Member{
		strict.Key("path", func(n *yaml.Node) { file = r.Text(n, "path") }),
		strict.Key("findings", func(n *yaml.Node) {
			r.List(n, "findings", func(item *yaml.Node) { findings = append(findings, item) })
		}),
	})
	if file == "" && r.Errors() == before {
		r.Fail(crd.FirstKey(n), "the file has no path")
	}
	for _, item := range findings {
		b.readFinding(r, item, file)
	}
}

func (b *Baseline) readFinding(r *strict.Reader, n *yaml.Node, file string) {
	k, count := known{}, 1
	before := r.Errors()
	r.Mapping(n, "a finding", []strict.Member{
		strict.Key("rule", func(n *yaml.Node) { k.rule = r.Text(n, "rule") }),
		strict.Key("resource", func(n *yaml.Node) { k.resource = r.Text(n, "resource") }),
		strict.Key("path", func(n *yaml.Node) { k.path = r.Text(n, "path") }),
		strict.Key("count", func(n *yaml.Node) { count = r.Count(n, "count") }),
	})
	switch {
	case r.Errors() > before:
	case k.rule == "":
		r.Fail(crd.FirstKey(n), "the finding has no rule")
	case b.counts[file][k] > 0:
		r.Fail(crd.FirstKey(n), "the finding stands here twice; add up the counts")
	default:
		b.add(file, k, count)
	}
}
