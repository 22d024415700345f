package suppress

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// WriteBaseline returns a baseline file with the findings of a run that neither comments nor the configuration ignore.
// The path is that of the file to be written: the paths in it are relative to its folder. What is kept of an earlier baseline
// at the same path is in it as well; nil for nothing.
func WriteBaseline(path string, r *lint.Report, kept *lint.Baseline) []byte {
	b := &lint.Baseline{Path: path, Counts: map[string]map[lint.KnownFinding]int{}}
	for _, f := range r.Findings {
		if f.Ignored == "" || f.IgnoredBy == lint.ByBaseline {
			add(b, config.Relative(path, f.Pos.File), knownOf(f), 1)
		}
	}
	if kept != nil {
		for file, counts := range kept.Counts {
			for k, count := range counts {
				if b.Counts[file][k] == 0 { // else both commands find it
					add(b, file, k, count)
				}
			}
		}
	}
	return yamlOf(b)
}

func add(b *lint.Baseline, file string, k lint.KnownFinding, count int) {
	if b.Counts[file] == nil {
		b.Counts[file] = map[lint.KnownFinding]int{}
	}
	b.Counts[file][k] += count
}

// baselineHead is the first line of every baseline, and baselineBegin what that of a baseline begins with, whichever version wrote it.
const (
	baselineBegin = "# Findings that crdlift lint "
	baselineHead  = baselineBegin + "skips; findings that are not listed here are new.\n"
)

// LooksLikeBaseline reports whether a file may be replaced by a baseline: it is one, perhaps with the conflicts of a
// merge in it, or empty.
func LooksLikeBaseline(src []byte) bool {
	if len(bytes.TrimSpace(src)) == 0 || bytes.HasPrefix(src, []byte(baselineBegin)) {
		return true
	}
	_, err := ReadBaseline("", src, nil)
	return err == nil
}

// yamlOf is the baseline as a file: one line for each finding, in an order of its own, so that differences are small.
func yamlOf(b *lint.Baseline) []byte {
	var out bytes.Buffer
	out.WriteString(baselineHead + "# `crdlift lint --write-baseline` writes this file.\nversion: 1\n")
	if len(b.Counts) == 0 {
		out.WriteString("files: []\n")
		return out.Bytes()
	}
	out.WriteString("files:\n")
	for _, file := range slices.Sorted(maps.Keys(b.Counts)) {
		fmt.Fprintf(&out, "  - path: %s\n    findings:\n", config.Scalar(file))
		findings := slices.SortedFunc(maps.Keys(b.Counts[file]), func(a, b lint.KnownFinding) int {
			return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Path, b.Path))
		})
		for _, k := range findings {
			fmt.Fprintf(&out, "      - {rule: %s", config.Scalar(k.Rule))
			for _, m := range []struct{ name, value string }{{"resource", k.Resource}, {"object", k.Object}, {"path", k.Path}} {
				if m.value != "" {
					fmt.Fprintf(&out, ", %s: %s", m.name, config.Scalar(m.value))
				}
			}
			if count := b.Counts[file][k]; count != 1 {
				fmt.Fprintf(&out, ", count: %d", count)
			}
			out.WriteString("}\n")
		}
	}
	return out.Bytes()
}

// ReadBaseline reads a baseline file, as strictly as the configuration is. Rules that do not exist any more are not an
// error. Errors quote nothing of a file that is not a baseline: the configuration of a pull request may name any file
// of the machine.
func ReadBaseline(path string, src []byte, rules lint.Rules) (*lint.Baseline, error) {
	b := &lint.Baseline{Path: path, Counts: map[string]map[lint.KnownFinding]int{}}
	versioned, foreign := false, false
	err := config.ReadStrictly(path, src, func(r *config.Reader) []config.Member {
		foreign = hasOther(r.Document().Root.YNode(), "version", "files")
		return []config.Member{
			config.Key("version", func(n *yaml.Node) {
				versioned = true
				if k, v := yaml11.Resolve(n); k != yaml11.Int || v != int64(1) {
					r.Fail(n, "version must be 1, the only one that this crdlift reads")
				}
			}),
			config.Key("files", func(n *yaml.Node) {
				r.List(n, "files", func(item *yaml.Node) { (&baselineReader{r, b, rules}).file(item) })
			}),
		}
	})
	if err == nil && !versioned {
		err = &lint.FileError{Path: path, Line: 1, Column: 1, Message: "the baseline has no version; is it one?"}
	}
	if err != nil && (!versioned || foreign) && !bytes.HasPrefix(src, []byte(baselineBegin)) {
		err = &lint.FileError{Path: path, Line: 1, Column: 1, Message: "this is not a baseline; `crdlift lint --write-baseline FILE` writes one"}
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

func hasOther(n *yaml.Node, names ...string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !slices.Contains(names, n.Content[i].Value) {
			return true
		}
	}
	return n.Kind != yaml.MappingNode
}

// A baselineReader reads the files of a baseline.
type baselineReader struct {
	*config.Reader
	baseline *lint.Baseline
	rules    lint.Rules
}

func (r *baselineReader) file(n *yaml.Node) {
	file, findings := "", []*yaml.Node{}
	before := r.Errors()
	r.Mapping(n, "a file", []config.Member{
		config.Key("path", func(n *yaml.Node) { file = r.Text(n, "path") }),
		config.Key("findings", func(n *yaml.Node) {
			r.List(n, "findings", func(item *yaml.Node) { findings = append(findings, item) })
		}),
	})
	if file == "" && r.Errors() == before {
		r.Fail(crd.FirstKey(n), "the file has no path")
	}
	for _, item := range findings {
		r.finding(item, file)
	}
}

func (r *baselineReader) finding(n *yaml.Node, file string) {
	k, count := lint.KnownFinding{}, 1
	before := r.Errors()
	r.Mapping(n, "a finding", []config.Member{
		config.Key("rule", func(n *yaml.Node) { k.Rule = r.Text(n, "rule") }),
		config.Key("resource", func(n *yaml.Node) { k.Resource = r.Text(n, "resource") }),
		config.Key("object", func(n *yaml.Node) { k.Object = r.Text(n, "object") }),
		config.Key("path", func(n *yaml.Node) { k.Path = r.Text(n, "path") }),
		config.Key("count", func(n *yaml.Node) { count = r.Count(n, "count") }),
	})
	if rule := r.rules.ByID(k.Rule); rule != nil && rule.ID != k.Rule {
		r.baseline.Renamed = append(r.baseline.Renamed, k.Rule)
		k.Rule = rule.ID
	}
	switch {
	case r.Errors() > before:
	case k.Rule == "":
		r.Fail(crd.FirstKey(n), "the finding has no rule")
	case r.baseline.Counts[file][k] > 0:
		r.Fail(crd.FirstKey(n), "the finding is repeated here; add up the counts")
	default:
		add(r.baseline, file, k, count)
	}
}
