package suites

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	objectrules "github.com/crdlift/crdlift/rules/internal/objects"
)

// A judge runs the suites of a file.
type judge struct {
	*Kind
	linter   *engine.Linter
	out      *engine.FileReport
	config   *lint.Config
	document *manifest.Document
	refused  map[*objects.Definition]bool // those that were looked at
	told     map[sameFinding]*engine.Finding

	manifests map[*objects.Definition]*origin.Manifest // those that were looked for in Go types
}

func (j *judge) Conceals() bool     { return false }
func (j *judge) End(*manifest.File) {}

// Document runs the suite of a document.
func (j *judge) Document(d *manifest.Document, config *lint.Config) {
	j.config, j.document = config, d
	switch {
	case d.Err != nil:
		j.out.Found = append(j.out.Found, engine.Unparsed(d, config)...)
		return
	case d.Root == nil:
		return
	}
	s := j.read(d)
	named := suite.IsNamed(d.File.Path)
	switch {
	case s == nil && named:
		j.reportf(suite.Unrun, crd.FirstKey(d.Root.YNode()), "this is not a suite; write %s: %s above it, or rename the file", suite.Key, suite.Format)
		return
	case s == nil:
		j.out.Others++
		return
	case !named && crd.Get(s.Node, suite.Key) != nil && j.Found != nil && j.Found(d.File.Path):
		j.reportf(suite.Unrun, crd.FirstKey(s.Node), "crdlift does not run a suite in a file of this name; end the name in .crdtest.yaml")
		return
	}
	if j.out.Tests == nil {
		j.out.Tests = []lint.TestedCase{}
	}
	j.linter.ReadIgnores(d, "", config, j.out)
	j.out.Judged = append(j.out.Judged, suppress.Subject{Document: d.Index})
	j.run(s)
}

// read reads a suite in any format; nil for what is none.
func (j *judge) read(d *manifest.Document) *suite.Suite {
	s := suite.Read(d)
	if s == nil {
		s = suite.ReadOpenShift(d)
	}
	group := objects.GroupOf(crd.StringAt(d.Root.YNode(), "apiVersion"))
	if is, rejected := j.isObject(d.File.Path); is && s == nil && strings.Contains(group, ".") { // no CRD has one without
		s = suite.OfManifest(d, rejected)
	}
	return s
}

// run runs a suite that can be run.
func (j *judge) run(s *suite.Suite) {
	wrong := false
	for _, p := range s.Wrong {
		kind := suite.Unrun
		if p.Unknown {
			kind = keyUnknown
		}
		f := j.reportf(kind, p.At, "%s", p.Message)
		if f != nil && p.Warning {
			f.AtMost(lint.Warning)
		}
		wrong = wrong || !p.Unknown || s.OpenShift == nil
	}
	if wrong {
		return
	}
	if s.OpenShift == nil {
		j.tellAll(j.runOne(s))
		return
	}
	all, why := j.Variants.Of(s)
	if why != "" {
		j.reportf(suite.Unrun, crd.FirstKey(s.Node), "%s", why)
	}
	if j.Rewrite && len(all) > 0 {
		j.rewrite(all[0])
		return
	}
	var kept []*suite.Result
	for _, one := range all {
		some := j.runOne(one)
		if len(j.Update) > 0 { // for which they have to agree
			kept = append(kept, some...)
		} else {
			j.tellAll(some)
		}
	}
	j.tellAll(kept)
}

// runOne runs a suite by one CRD.
func (j *judge) runOne(s *suite.Suite) []*suite.Result {
	if j.List {
		for _, c := range s.All() {
			if j.Want == nil || j.Want(s.Name+"/"+c.Name) {
				j.out.Tests = append(j.out.Tests, lint.TestedCase{Suite: s.Name, Name: c.Name, Pos: lint.Point(j.out.Path, 1, 1)})
			}
		}
		return nil
	}
	return j.Run(s, j.Want)
}

// tellAll reports how the cases of a suite fail.
func (j *judge) tellAll(all []*suite.Result) {
	for _, r := range all {
		j.tell(r, all)
		if j.FailFast && len(r.Failures) > 0 {
			break
		}
	}
}

// reportf reports something at a node of the suite; it returns nil where the rule is off.
func (j *judge) reportf(kind suite.Kind, at *yaml.Node, format string, args ...any) *engine.Finding {
	rule := ruleOf(kind)
	severity := rule.SeverityIn(j.config)
	if severity == lint.Off {
		return nil
	}
	d := j.document
	f := &engine.Finding{At: crd.Place{Node: at}, By: rule, Finding: &lint.Finding{
		Rule: rule.Value(), Severity: severity, Document: d.Index, Source: d.File.SourceAt(engine.PositionOf(d, at, d.Root.YNode())),
	}}
	f.Say(textOf(format, args...))
	j.out.Found = append(j.out.Found, f)
	return f
}

func ruleOf(kind suite.Kind) *engine.Rule {
	for _, r := range Rules {
		if r.ID == string(kind) {
			return r
		}
	}
	panic("there is no rule " + string(kind))
}

// tell reports how a case fails, and notes it. All are those of its suite.
func (j *judge) tell(r *suite.Result, all []*suite.Result) {
	if j.Cover != nil {
		j.Cover.note(r, j.config)
	}
	if d := r.Definition; d != nil && !j.refused[d] {
		if j.refused == nil {
			j.refused = map[*objects.Definition]bool{}
		}
		j.refused[d] = true
		j.tellRefused(r)
	}
	if r.Case.Skip != "" {
		j.reportf(skipped, r.Case.At, "the case %s is skipped (%s); remove skip to run it", quoted(r.Case.Name), foreign(r.Case.Skip))
	}
	for i := range r.Failures {
		f := &r.Failures[i]
		message := textOf("case %s%s", quoted(r.Case.Name), said(r, f))
		if told := j.once(f.At, message, func() *engine.Finding { return j.reportf(f.Kind, f.At, "%s", message) }); told != nil {
			told.Suite, told.Case = r.Suite.Base(), r.Case.Name
			told.At.Path = crd.Under("cases", r.Case.Name)
			if r.Definition != nil {
				told.Resource = r.Definition.Name
			}
			n := len(told.Related)
			j.relate(told, r, f)
			if r.Suite.OpenShift != nil && r.Definition != nil && len(told.Related) == n {
				told.Relate(r.Definition.Where(), "this CRD says so")
			}
			j.update(told, r, f, all)
		}
	}
	if r.Case.Want.Unnamed && r.Passed() {
		j.nameCauses(r)
	}
	j.note(r)
}

// nameCauses tells what names the causes of an object that is rejected for any.
func (j *judge) nameCauses(r *suite.Result) {
	said := text.Text{}
	for i, c := range suite.Essential(r.Exchanges[0].Outcome.Causes) {
		if i > 0 {
			said = textOf("%s and ", said)
		}
		said = textOf("%s%s%s", said, suite.RejectedFor, text.OneLine(suite.Name(c).String()))
	}
	if f := j.reportf(suite.WrongCause, r.Case.At, "case %s names no cause, so it passes with any; write above it: %s", quoted(r.Case.Name), said); f != nil {
		f.AtMost(lint.Info)
	}
}

// A sameFinding is what a case says by more than one CRD.
type sameFinding struct {
	at      *yaml.Node
	message string
}

// once reports what is not reported yet, and returns it.
func (j *judge) once(at *yaml.Node, message text.Text, report func() *engine.Finding) *engine.Finding {
	same := sameFinding{at, message.String()}
	f, known := j.told[same]
	if !known {
		if j.told == nil {
			j.told = map[sameFinding]*engine.Finding{}
		}
		f = report()
		j.told[same] = f
	}
	return f
}

// tellRefused reports that the server does not create the CRD of a case. What tells why is `crdlift lint`.
func (j *judge) tellRefused(r *suite.Result) {
	d := r.Definition
	_, why := d.Server()
	if why == "" && !d.IsRefused() {
		return
	}
	at := r.Suite.CRDAt
	if at == nil {
		at = crd.FirstKey(r.Suite.Node)
	}
	f := j.reportf(crdRejected, at, "the API server rejects the CRD %s, and the cases run as if it existed; run 'crdlift lint' on the CRD", value(d.Name))
	if f == nil {
		return
	}
	f.Resource = d.Name
	for _, place := range d.Refused() {
		f.Relate(d.At(place), "the server rejects this")
	}
}

// note notes what became of a case.
func (j *judge) note(r *suite.Result) {
	d := j.document
	one := lint.TestedCase{
		Suite: r.Suite.Name, Name: r.Case.Name, Pos: engine.PositionOf(d, r.Case.At, d.Root.YNode()),
		Skipped: r.Case.Skip, Failed: len(r.Failures) > 0, Took: r.Took,
	}
	if r.Definition != nil {
		one.CRD = r.Definition.Path
	}
	if n := len(r.Exchanges); n > 0 {
		for _, c := range r.Exchanges[n-1].Outcome.Causes {
			if by := suite.ByOf(c); by != "" {
				pos := lint.Position{}
				if j.Places {
					pos, _ = r.Definition.Constraint(r.Version, &c)
				}
				one.Causes = append(one.Causes, lint.TestedCause{Path: c.Path.String(), By: by, Message: objectrules.CauseText(&c).String(), Pos: pos})
			}
		}
	}
	j.out.Tests = append(j.out.Tests, one)
}
