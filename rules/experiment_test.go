package rules

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// The tests of this file find out by experiment what a change of a schema does: they make custom resources that the old
// schema accepts and look what becomes of them under the new one. What is rejected or lost must be reported, at its
// place; what is reported as an error should happen.

// A damage is a field that is rejected or lost.
type damage struct{ version, path, how string }

// An experiment adds up what was found.
type experiment struct {
	pairs, samples              int
	damages, told               int             // places of damage, and those that a warning or an error is about
	errors, confirmed           int             // errors of schema rules, and those that some damage is about
	untested                    int             // errors about fields that no object could be made for
	harmless, falseAlarms       int             // pairs without damage, and those of them with an error
	reached                     map[string]bool // the fields of a pair that objects could be made for
	missed, unconfirmed, alarms map[string]int
}

func newExperiment() *experiment {
	return &experiment{missed: map[string]int{}, unconfirmed: map[string]int{}, alarms: map[string]int{}}
}

// schemaRules are those that speak about schemas.
var schemaRules = map[string]bool{
	"field-removed": true, "field-type-changed": true, "field-newly-required": true, "enum-value-removed": true,
	"constraint-tightened": true, "validation-rule-added": true, "list-type-changed": true, "pruning-tightened": true,
	"default-changed": true,
}

// pair tries one change of a CRD.
func (e *experiment) pair(t *testing.T, name string, old, new *older.CRD, about string) {
	t.Helper()
	was, is := decodedHub(old.CRD), decodedHub(new.CRD)
	if was == nil || is == nil {
		return
	}
	findings := lifecycleFindings(old, new)
	all, err := compare.CRDs(old.CRD, new.CRD)
	if err != nil {
		return
	}
	byVersion := map[string][]*compare.Change{}
	for _, c := range all.Changes {
		v, w := all.OldVersion(c.Version), all.NewVersion(c.Version)
		if c.Node != nil && v != nil && w != nil && (v.Served || v.Storage) && (w.Served || w.Storage) && c.Field != "description" {
			byVersion[c.Version] = append(byVersion[c.Version], c)
		}
	}
	if len(byVersion) == 0 {
		return
	}
	e.pairs++
	e.reached = map[string]bool{}
	found := map[damage]bool{}
	for _, version := range slices.Sorted(maps.Keys(byVersion)) {
		e.try(t, storing(was, version), storing(is, version), version, byVersion[version], found)
	}
	e.judge(t, name, about, found, findings)
}

func decodedHub(c *crd.CRD) *apiextensions.CustomResourceDefinition {
	d, err := c.Decode()
	if err != nil {
		return nil
	}
	return d.Hub
}

// storing is the CRD with one version as its storage version, so that no other takes part.
func storing(hub *apiextensions.CustomResourceDefinition, version string) *request.Server {
	c := hub.DeepCopy()
	for i := range c.Spec.Versions {
		c.Spec.Versions[i].Storage = c.Spec.Versions[i].Name == version
	}
	s, err := request.New(c)
	if err != nil {
		return nil
	}
	return s
}

// maxNodes bounds the nodes of one version that are tried.
const maxNodes = 40

// try makes objects for the nodes that changed, and for those around them.
func (e *experiment) try(t *testing.T, old, new *request.Server, version string, changes []*compare.Change, found map[damage]bool) {
	if old == nil || new == nil {
		return
	}
	g := behaviour.NewGenerator(old, version, 1)
	probes := map[string][]any{}
	var touched []string
	for _, c := range changes {
		path := c.Node.Anchor().Path
		if c.Field == "properties" || c.Field == "required" {
			touched = append(touched, join(path, c.Item))
		}
		touched = append(touched, path)
		if len(probes[path]) == 0 {
			probes[path] = c.Node.Anchor().Probes()
		}
	}
	tried := 0
	for _, node := range g.Nodes() {
		path := userPath(node)
		near := slices.ContainsFunc(touched, func(p string) bool { return p == path || strings.HasPrefix(path, p+".") && p != "" })
		if !near && !slices.ContainsFunc(touched, func(p string) bool { return parentPath(p) == path }) || tried > maxNodes {
			continue
		}
		tried++
		samples, ok := g.Node(node)
		if ok {
			e.reached[path] = true
			if len(probes[path]) > 0 {
				samples = append(samples, g.With(node, probes[path])...)
			}
		}
		for _, s := range samples {
			e.sample(old, new, version, s, found)
		}
	}
	for _, s := range g.Whole(40) {
		e.sample(old, new, version, s, found)
	}
}

func (e *experiment) sample(old, new *request.Server, version string, s behaviour.Sample, found map[damage]bool) {
	was := behaviour.Show(old.Version(version), s.Node, s.Object)
	if !was.Accepted() {
		return
	}
	e.samples++
	e.outcome(was.Stored, behaviour.Show(new.Version(version), s.Node, was.Stored), version, found)
	pruned := false
	lost(s.Object, was.Stored, "", func(string) { pruned = true })
	if !pruned { // a manifest that somebody may have: what the server prunes from it is nobody's data
		e.outcome(was.Stored, behaviour.Show(new.Version(version), s.Node, s.Object), version, found)
	}
}

func (e *experiment) outcome(was map[string]any, is behaviour.Outcome, version string, found map[damage]bool) {
	if !is.Accepted() {
		for _, cause := range is.Refused {
			found[damage{version, refusedPath(cause), "refused"}] = true
		}
		return
	}
	lost(was, is.Stored, "", func(path string) { found[damage{version, path, "lost"}] = true })
}

// lost calls for what one value has and another lacks. A null that is dropped is not counted: it says what its absence
// says.
func lost(was, is any, path string, tell func(string)) {
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		for name, v := range was {
			if path == "" && (name == "apiVersion" || name == "kind" || name == "metadata") || v == nil {
				continue
			}
			if w, there := is[name]; ok && there {
				if w != nil { // null where the manifest says so, rather than a default
					lost(v, w, stepTo(path, name), tell)
				}
			} else {
				tell(stepTo(path, name))
			}
		}
	case []any:
		is, _ := is.([]any)
		for i := range min(len(was), len(is)) {
			lost(was[i], is[i], path+"[*]", tell)
		}
		if len(is) < len(was) {
			tell(path)
		}
	default:
		if !reflect.DeepEqual(was, is) {
			tell(path)
		}
	}
}

func join(path, name string) string { return crd.Join(path, name) }

func parentPath(path string) string {
	if cut, ok := strings.CutSuffix(path, "[*]"); ok {
		return cut
	}
	return path[:max(strings.LastIndexByte(path, '.'), 0)]
}

func userPath(at behaviour.Path) string {
	return strings.NewReplacer("[]", "[*]", "{}", "[*]").Replace(strings.TrimPrefix(at.String(), "."))
}

// madeUp are the keys that internal/sample gives maps.
var madeUp = regexp.MustCompile(`^(keyx*|KEY_[0-9]+|example\.com/key\.1|__proto__)$`)

// stepTo is the path of a key below another.
func stepTo(path, key string) string {
	if madeUp.MatchString(key) {
		return path + "[*]"
	}
	return join(path, key)
}

// refusedPath is the field that a cause is about. Names that maps take from the sample are any name.
func refusedPath(cause request.Cause) string {
	path := ""
	for _, step := range cause.Path {
		if step.Index >= 0 {
			path += "[*]"
		} else {
			path = stepTo(path, step.Key)
		}
	}
	return path
}

// A report is where a finding of the lifecycle says that something happens.
type reported struct {
	rule     string
	severity lint.Severity
	path     string
	message  string
}

var messagePath = regexp.MustCompile(`^(?:the default of |the items of )?([^ ]+?):? `)

func lifecycleFindings(old, new *older.CRD) []reported {
	var rules []*engine.Rule
	for _, r := range allRules {
		if r.NeedsOld && r.Run != nil {
			rules = append(rules, r)
		}
	}
	most := lint.Error // what objects show is a matter of facts, not of what an alpha version promises
	facts := lint.Compatibility{Alpha: &most, Beta: &most, Stable: &most, Status: &most}
	l := &engine.Linter{Rules: rules, Options: lint.Options{Config: &lint.Config{Compatibility: facts}}, Sources: vicinity.Sources{Old: func(name, _ string, _ int) *older.CRD {
		if name == old.CRD.Name() {
			return old
		}
		return nil
	}}}
	var all []reported
	for _, f := range l.Report([]*engine.FileReport{l.File("new.yaml", new.Document.File.Source)}).Findings {
		if f.Resource != new.CRD.Name() || !schemaRules[f.Rule.ID] && f.Rule.ID != "status-subresource-added" {
			continue
		}
		path := ""
		if m := messagePath.FindStringSubmatch(f.Message); m != nil && !strings.Contains(f.Message, "(like ") {
			path = m[1]
		}
		if strings.HasPrefix(f.Message, "the resource") || strings.HasPrefix(f.Message, "there is") || strings.Contains(path, "…") || strings.HasPrefix(f.Message, "unknown fields") {
			path = ""
		}
		if f.Rule.ID == "status-subresource-added" {
			path = "status"
		}
		all = append(all, reported{f.Rule.ID, f.Severity, path, f.Message})
	}
	return all
}

// related reports whether two paths are on one way. Below a map or list the names do not matter.
func related(a, b string) bool {
	a, b = strings.ReplaceAll(a, "[*]", ""), strings.ReplaceAll(b, "[*]", "")
	return a == b || a == "" || b == "" || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

func (e *experiment) judge(t *testing.T, name, about string, found map[damage]bool, findings []reported) {
	for d := range found {
		e.damages++
		if slices.ContainsFunc(findings, func(f reported) bool { return f.severity >= lint.Warning && related(f.path, d.path) }) {
			e.told++
		} else {
			e.missed[about]++
			t.Logf("%s: %s: missed: %s is %s in %s", name, about, d.path, d.how, d.version)
		}
	}
	alarm := false
	for _, f := range findings {
		if f.severity < lint.Error || !schemaRules[f.rule] {
			continue
		}
		confirmed := false
		for d := range found {
			confirmed = confirmed || related(f.path, d.path)
		}
		if !confirmed && f.path != "" && !e.reached[f.path] {
			e.untested++
			continue
		}
		e.errors++
		alarm = true
		if confirmed {
			e.confirmed++
		} else {
			e.unconfirmed[f.rule]++
			t.Logf("%s: %s: unconfirmed: %s: %s", name, about, f.rule, f.message)
		}
	}
	if len(found) == 0 {
		e.harmless++
		if alarm {
			e.falseAlarms++
		}
	}
}

func (e *experiment) log(t *testing.T) {
	t.Logf("%d changes, %d objects: %d of %d damages reported; %d of %d errors confirmed, %d untested; %d of %d harmless changes with an error; missed %v, unconfirmed %v",
		e.pairs, e.samples, e.told, e.damages, e.confirmed, e.errors, e.untested, e.falseAlarms, e.harmless, e.missed, e.unconfirmed)
}
