package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// applyRules are about what stays in a cluster though a manifest leaves it out, and the other way round.
var applyRules = []*engine.Rule{
	crds.Check(lint.Error, "crd-apply-refused", "manifests that are rejected when they are applied, because of what stays in the cluster", func(p *engine.Pass) {
		a := applyingOf(p)
		a.each(outcome.refuses, func(l *leftover, ways []lint.Way) {
			f := a.report(p, l, "%s %s rejected%s: %s", a.named(ways), text.Verb(len(ways), "is", "are"), a.condition(l), l.refused)
			l.advise(p, f, "them")
			if len(ways) < len(a.outcomes) {
				f.AtMost(lint.Warning)
			}
		})
	}),
	crds.Check(lint.Warning, "crd-apply-keeps", "what stays in the cluster though the manifest that is applied leaves it out", func(p *engine.Pass) {
		a := applyingOf(p)
		a.each(outcome.keeps, func(l *leftover, ways []lint.Way) {
			if a.known && !l.refusedBy(a) {
				l.advise(p, a.report(p, l, "%s keeps %s, which another field manager wrote and the manifest leaves out", a.named(ways), l.what), l.what)
			}
		})
	}),
	crds.Check(lint.Warning, "crd-replace-drops", "injected certificates that are dropped when a manifest replaces the CRD", func(p *engine.Pass) {
		if a := applyingOf(p); a.known && a.drops {
			a.report(p, webhookLeft, "replacing the CRD drops the injected caBundle; conversion fails until it is injected again").
				Advise("apply the manifest server-side")
		}
	}),
}

// A leftover is what applying a manifest that leaves it out does not always remove.
type leftover struct {
	field   string // as the hub has it
	what    string
	left    func(is, manifest *apiextensions.CustomResourceDefinitionSpec) bool // whether a CRD has it, and the manifest does not
	refused string                                                              // why that is rejected, if so
	patch   string                                                              // of JSON, which removes it
}

var webhookLeft = &leftover{"spec.conversion", "the conversion webhook", func(is, manifest *apiextensions.CustomResourceDefinitionSpec) bool {
	return converts(is) && !converts(manifest)
}, "parts of the webhook stay, which strategy None does not allow", `{"spec":{"conversion":{"strategy":"None","webhook":null}}}`}

var leftovers = []*leftover{
	webhookLeft,
	{"spec.preserveUnknownFields", "preserveUnknownFields: true", func(is, manifest *apiextensions.CustomResourceDefinitionSpec) bool {
		return prunesNothing(is) && !prunesNothing(manifest)
	}, "preserveUnknownFields: true stays, and does not allow defaults", ""},
	{"spec.names.shortNames", "the short names", func(is, manifest *apiextensions.CustomResourceDefinitionSpec) bool {
		return len(is.Names.ShortNames) > 0 && len(manifest.Names.ShortNames) == 0
	}, "", `{"spec":{"names":{"shortNames":null}}}`},
	{"spec.names.categories", "the categories", func(is, manifest *apiextensions.CustomResourceDefinitionSpec) bool {
		return len(is.Names.Categories) > 0 && len(manifest.Names.Categories) == 0
	}, "", `{"spec":{"names":{"categories":null}}}`},
}

func converts(s *apiextensions.CustomResourceDefinitionSpec) bool {
	return s.Conversion != nil && s.Conversion.Strategy == apiextensions.WebhookConverter
}

func bundled(s *apiextensions.CustomResourceDefinitionSpec) bool {
	return converts(s) && s.Conversion.WebhookClientConfig != nil && len(s.Conversion.WebhookClientConfig.CABundle) > 0
}

func prunesNothing(s *apiextensions.CustomResourceDefinitionSpec) bool {
	return s.PreserveUnknownFields != nil && *s.PreserveUnknownFields
}

// advise adds to a finding what to do for the leftover, which it calls what, to go.
func (l *leftover) advise(p *engine.Pass, f *engine.Finding, what string) {
	if l.patch == "" {
		f.Advise("write preserveUnknownFields: false")
		return
	}
	f.Advise("remove " + what + " by a patch first")
	command := fmt.Sprintf("run kubectl patch crd %s --type=merge -p '%s'", p.CRD.Name(), l.patch)
	for _, c := range []*crd.CRD{p.Old().CRD, p.CRD} {
		if key := crds.Injector(c); l == webhookLeft && key != "" {
			command = "take the annotation " + key + " away, and then " + command
			break
		}
	}
	p.Also(f, p.CRD.Locate(l.field), "before it is applied, "+command)
}

// An applying is what applying the manifest comes to.
type applying struct {
	*standing
	manifest *apiextensions.CustomResourceDefinitionSpec
	known    bool      // there is one way in which it is applied
	outcomes []outcome // of each way; none where the manifest leaves nothing out
	drops    bool      // it has a webhook without the caBundle that is there, and replaces it
}

// An outcome is what one way of applying makes of the CRD, and what a server rejects that it would not reject of the manifest.
type outcome struct {
	way  lint.Way
	is   *apiextensions.CustomResourceDefinitionSpec
	errs field.ErrorList
}

func (o outcome) refuses(l *leftover, _ *applying) bool {
	return slices.ContainsFunc(o.errs, func(err *field.Error) bool { return strings.HasPrefix(err.Field, l.field) })
}

func (o outcome) keeps(l *leftover, a *applying) bool { return l.left(o.is, a.manifest) }

// each visits leftovers with the ways in which that becomes of them.
func (a *applying) each(becomes func(outcome, *leftover, *applying) bool, visit func(*leftover, []lint.Way)) {
	for _, l := range leftovers {
		var ways []lint.Way
		for _, o := range a.outcomes {
			if becomes(o, l, a) {
				ways = append(ways, o.way)
			}
		}
		if len(ways) > 0 {
			visit(l, ways)
		}
	}
}

// refusedBy reports whether the leftover has the manifest rejected in any of the ways.
func (l *leftover) refusedBy(a *applying) bool {
	return slices.ContainsFunc(a.outcomes, func(o outcome) bool { return o.refuses(l, a) })
}

// stays reports whether what the manifest leaves out certainly stays as it is for now, so that nothing comes of it.
func stays(p *engine.Pass, path string) bool {
	a := applyingOf(p)
	return a.known && slices.ContainsFunc(leftovers, func(l *leftover) bool {
		return strings.HasPrefix(path, l.field) && (a.outcomes != nil && a.outcomes[0].keeps(l, a) || l.refusedBy(a))
	})
}

// report reports a leftover at the place that it is missing from.
func (a *applying) report(p *engine.Pass, l *leftover, format string, args ...any) *engine.Finding {
	f := p.Reportf(p.CRD.Locate(l.field), format, args...)
	f.At.Path = l.field // which the manifest may not have
	if l == webhookLeft && !a.drops {
		f.PatchedBy = &crds.NoWebhook
	}
	if at := p.Old().CRD.Locate(l.field); at.Node != nil {
		p.Was(f, at, "the CRD was like this")
	}
	return f
}

// named are ways as the beginning of a sentence has them. Replacing a CRD leaves nothing.
func (a *applying) named(ways []lint.Way) string {
	name := strings.Join(crds.Mapped(ways, func(w lint.Way) string { return string(w) }), " and ") + " apply"
	if a.known && ways[0] == lint.ServerSide && a.manager != "" {
		name += " by " + a.manager
	}
	return name
}

// condition says of which clusters that is true.
func (a *applying) condition(l *leftover) string {
	if l == webhookLeft && a.bundled {
		return " where a caBundle was injected"
	}
	return ""
}

// applyingOf finds out what applying the manifest comes to, where it leaves something out that was there. Of CRDs that cannot be
// decoded, and of fields that server-side apply does not know, other rules speak.
func applyingOf(p *engine.Pass) *applying {
	type key struct{}
	return engine.Memo(p, key{}, func() *applying {
		a := &applying{}
		old, err := p.Old().CRD.Decode()
		if err != nil || p.Hub() == nil || p.CRD.Version != crd.V1 || crd.Get(p.CRD.Node, "spec", "conversion") == nil && p.Unfinished() {
			return a
		}
		a.manifest = &p.Hub().Spec
		lacks := bundled(&old.Hub.Spec) && converts(a.manifest) && !bundled(a.manifest)
		if !lacks && !slices.ContainsFunc(leftovers, func(l *leftover) bool { return l.left(&old.Hub.Spec, a.manifest) }) {
			return a
		}
		if a.standing, err = standingOf(p.Old().CRD, p.Config.Apply.Manager); err == nil {
			err = a.try(p)
		}
		if err != nil {
			return &applying{manifest: a.manifest}
		}
		a.drops = lacks && !a.made && a.outcomes[0].way == lint.ReplacedBy
		return a
	})
}

// try applies the manifest in each way.
func (a *applying) try(p *engine.Pass) error {
	was, err := decoded(a.live.Object)
	if err != nil {
		return err
	}
	manifest, err := written(p.CRD)
	if err != nil {
		return err
	}
	alone := map[string]bool{}
	for _, err := range apiserver.OnUpdate(p.Hub(), was, crd.V1).Errors {
		alone[err.Field] = true
	}
	var ways []lint.Way
	ways, a.known = a.ways(p.Config.Apply.Way)
	for _, way := range ways {
		merged, err := a.with(manifest, way)
		if err != nil {
			return err
		}
		is, err := decoded(merged)
		if err != nil {
			return err
		}
		errs := slices.DeleteFunc(apiserver.OnUpdate(is, was, crd.V1).Errors, func(err *field.Error) bool { return alone[err.Field] })
		a.outcomes = append(a.outcomes, outcome{way, &is.Spec, errs})
	}
	return nil
}
