package objects

import (
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
)

// matchRules are about custom resources that cannot be validated, since no CRD defines them as they are.
var matchRules = []*engine.Rule{
	mismatched("object-version-unserved", "custom resources of a version that their CRD does not serve", objects.VersionUnserved,
		func(p *objectpass.Pass) {
			f := p.Reportf(apiVersionPath, "the API server does not serve %s and rejects the object; %s", p.Object.APIVersion(), served(p))
			if at, ok := p.Definition().WhereServed(p.Object.Version); ok {
				f.Relate(at, "its CRD says so here")
			}
		}),
	mismatched("object-version-unknown", "custom resources of a version that their CRD does not have", objects.VersionUnknown,
		func(p *objectpass.Pass) {
			f := p.Reportf(apiVersionPath, "%s has no version %s; %s", p.Definition().Name, text.Quoted(p.Object.Version), served(p))
			f.Relate(p.Definition().Where(), "its CRD is here")
		}),
	rule(lint.Error, "object-kind-unknown", "custom resources of a kind that no CRD of their group defines, or whose group is misspelt",
		objectpass.Check{Mismatch: true, OncePerMessage: true, Run: onVerdict(objects.KindUnknown, kindUnknown)}),
	crdsDiffer,
	rule(lint.Info, "object-nameless", "custom resources without a name, which crdlift skips as parts of objects or files of a program",
		objectpass.Check{Mismatch: true, Run: onVerdict(objects.Nameless, func(p *objectpass.Pass) {
			p.Reportf(kindPath, "this %s has no name, so crdlift skips it (it may be a patch, or the configuration of a program); add metadata.name if you apply it",
				text.Value(p.Object.Kind))
		})}),
	crdMissing,
	rule(lint.Error, "object-not-judged", "custom resources that are not validated, as their CRD cannot be used or the request does not exist for them",
		objectpass.Check{Mismatch: true, OncePerCRD: true, Run: explainNotJudged}),
}

// crdsDiffer tells, in the words of other rules, what only some of several CRDs say.
var crdsDiffer = &engine.Rule{ID: "object-crds-differ", Was: []string{"object-crd-ambiguous"}, Severity: lint.Info,
	Summary: "what only some of several CRDs of a kind reject or drop", Object: &objectpass.Check{Differ: true}}

// explainNotJudged reports why an object cannot be judged. A request that cannot be made of it is no mistake of the object.
func explainNotJudged(p *objectpass.Pass) {
	switch p.Match.Verdict {
	case objects.NotJudged:
		todo := "; run `crdlift lint` on the CRD"
		if p.Match.Definition.IsTemplate() {
			todo = "; validate what Helm renders"
		}
		f := p.Reportf(kindPath, "%s, so objects of kind %s are not validated%s", text.Reason(p.Match.Why), p.Object.Kind, todo)
		f.Relate(p.Definition().Where(), "its CRD is here")
	case objects.NoRequest:
		p.Reportf(kindPath, "%s, so such objects are not validated; choose another request with --on", p.Match.Why).AtMost(lint.Warning)
	}
}

// crdMissing is what --missing-crd turns on.
var crdMissing = crds.InAll(rule(lint.Warning, MissingCRD, "custom resources without a CRD",
	objectpass.Check{Mismatch: true, Run: onVerdict(objects.NoCRD, func(p *objectpass.Pass) {
		if d := p.Match.Elsewhere; d != nil {
			f := p.Reportf(kindPath, "no CRD defines %s of %s except in a test or an older release, so it is not validated; name its CRD with --crds", p.Object.Kind, p.Object.Group)
			f.Relate(d.Where(), "that one is here")
			return
		}
		p.Reportf(kindPath, "no CRD defines %s of %s, so it is not validated; name its CRD with --crds", p.Object.Kind, p.Object.Group)
	})}))

var apiVersionPath, kindPath = request.Keys("apiVersion"), request.Keys("kind")

// mismatched makes a rule about the objects of one verdict, which are rejected.
func mismatched(id, summary string, of objects.Verdict, report func(*objectpass.Pass)) *engine.Rule {
	return rule(lint.Error, id, summary, objectpass.Check{Mismatch: true, Run: onVerdict(of, report)})
}

func onVerdict(of objects.Verdict, report func(*objectpass.Pass)) func(*objectpass.Pass) {
	return func(p *objectpass.Pass) {
		if p.Match.Verdict == of {
			report(p)
		}
	}
}

func served(p *objectpass.Pass) string {
	if len(p.Match.Known) == 0 {
		return "its CRD serves no version; serve one"
	}
	return "its CRD serves " + text.And(p.Match.Known) + "; write " + p.Object.Group + "/" + p.Match.Known[0]
}

// kindUnknown reports a kind of a known group. Where it is near none of the group's kinds, its CRD may be elsewhere: that is
// an error only where all CRDs have to be there.
func kindUnknown(p *objectpass.Pass) {
	if p.Incomplete() {
		p.Reportf(kindPath, "no CRD that was read has the kind %s of %s, so it is not validated; its CRD may be in a file that crdlift could not read; see the error about that file", text.Quoted(p.Object.Kind), p.Object.Group).
			AtMost(lint.Warning)
		return
	}
	if meant := p.Match.MeantGroup; meant != "" {
		p.Reportf(apiVersionPath, "no CRD has the group %s; %s", text.Quoted(p.Object.Group), text.DidYouMean(meant))
		return
	}
	if meant := p.Match.Meant; meant != "" {
		p.Reportf(kindPath, "no CRD of %s has the kind %s%s", p.Object.Group, text.Quoted(p.Object.Kind), "; "+text.DidYouMean(meant))
		return
	}
	f := p.Reportf(kindPath, "no CRD of %s has the kind %s, so it is not validated; name its CRD with --crds", p.Object.Group, text.Quoted(p.Object.Kind))
	if config.Severity(p.Config, crdMissing.Value()) != lint.Error {
		f.AtMost(lint.Warning)
	}
}

// sampleMissing is about CRDs beside which other CRDs of the group have objects: where nobody keeps samples, nobody asked for
// one.
var sampleMissing = crds.InAll(rule(lint.Warning, "sample-missing", "CRDs without a custom resource to validate",
	objectpass.Check{Samples: func(s *objectpass.SampleSet) {
		for _, d := range s.Definitions {
			stored := d.Version(d.Storage())
			if stored == nil || !stored.Served || !s.HasGroup(d) || s.Has(d, stored.Name) {
				continue // its tree is not needed
			}
			for _, v := range d.Tree().Versions() {
				if v.Name == stored.Name {
					s.Reportf(d, v, "there is no sample of %s at %s; add one, so that crdlift validates it", d.Hub.Spec.Names.Kind, v.Name)
				}
			}
		}
	}}))

// crdRefused is about CRDs that today's server takes from nobody, and has from an older one.
var crdRefused = rule(lint.Info, "object-crd-refused", "CRDs that an API server does not create, but serves if it already has them",
	objectpass.Check{Samples: func(s *objectpass.SampleSet) {
		s.EachRefused(func(d *objects.Definition, judged int) {
			places := d.Refused()
			f := s.ReportAtf(d, places[0], "the API server does not create %s because of this; %s %s validated as on a server that already has the CRD; correct the CRD",
				d.Name, text.Count(judged, "object"), text.Verb(judged, "is", "are"))
			for _, at := range places[1:] {
				if f != nil {
					f.Relate(d.At(at), "this is rejected as well")
				}
			}
		})
	}})
