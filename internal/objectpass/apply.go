package objectpass

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/apply"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

// An application is what becomes of an object when it is applied server-side.
type application struct {
	by      request.Applier
	live    request.Object // what is there, with its managedFields; nil where nothing is
	known   bool           // live is from a cluster, so that all who manage it are known
	outcome *request.Outcome
}

// Applied is what server-side apply does with the object; nil where that is not the way, or where it comes to the same as the request
// that was checked.
func (p *Pass) Applied() *request.Outcome {
	if p.application == nil {
		return nil
	}
	return p.application.outcome
}

// Applier is who applies the object server-side.
func (p *Pass) Applier() request.Applier { return p.application.by }

// IsLiveKnown reports whether what is there is known as a cluster has it.
func (p *Pass) IsLiveKnown() bool { return p.application != nil && p.application.known }

// Way is the way in which the object is applied. It is AnyApply where that is not known, and never AutoApply.
func (p *Pass) Way() lint.Way { return p.way() }

// AppliedSeverity is that of a finding about what server-side apply alone rejects.
func (p *Pass) AppliedSeverity() lint.Severity {
	if p.way() == lint.ServerSide {
		return lint.Error
	}
	return lint.Warning
}

func (s *subject) way() lint.Way {
	way := s.linter.Configuration().Apply.Of(s.isOldLive()).Way
	if way != lint.AutoApply && way != "" {
		return way
	}
	switch entries := request.ManagersOf(s.old); {
	case !s.isOldLive(): // nobody knows what is there
		return lint.AnyApply
	case slices.ContainsFunc(entries, request.IsApplier):
		return lint.ServerSide
	case request.LastApplied(s.old) != "":
		return lint.ClientSide
	}
	return lint.ReplacedBy
}

// isOldLive reports whether the object as it was is from a cluster.
func (s *subject) isOldLive() bool {
	_, has := request.Keys("metadata", "uid").In(s.old)
	return has || len(request.ManagersOf(s.old)) > 0
}

// apply finds out what becomes of the object when it is applied server-side, where that may be something else than what the request
// makes of it that was judged.
func (s *subject) apply(v *request.Version) {
	way := s.way()
	if way != lint.ServerSide && way != lint.AnyApply || s.answer.operation != OnCreate && (s.answer.operation != OnUpdate || s.old == nil) ||
		s.old == nil && !v.AppliesOtherwise(s.tree, s.answer.outcome) && s.size < largeToApply {
		return
	}
	made := &application{live: s.old}
	made.known = s.isOldLive()
	chosen := s.linter.Configuration().Apply.Of(made.known)
	made.by.Manager = chosen.Manager
	if made.known {
		made.by.Manager = cmp.Or(chosen.Manager, v.ApplierOf(s.tree, s.old))
	}
	made.by.Manager = cmp.Or(made.by.Manager, "manager")
	made.by.Force = chosen.Force || !made.known || slices.Contains(forcing, made.by.Manager)
	if s.old != nil && !made.known {
		made.live = s.appliedBefore(v, made.by)
	}
	release := request.ToRelease(s.linter.Configuration().KubernetesVersion.Minor)
	if made.outcome = v.Apply(s.tree, made.live, made.by, release); made.outcome.Err != nil {
		return
	}
	if s.hidesLive(made) {
		for i := range made.outcome.Causes {
			c := &made.outcome.Causes[i]
			if _, own := c.Path.In(s.tree); c.Live || !own {
				c.Path = s.liveMask().Path(c.Path)
			}
			if c.Composed {
				c.Detail = mask.Withheld
			}
		}
	}
	s.application = made
}

// hidesLive reports whether names and values of what is there are not shown: it is from a cluster.
func (s *subject) hidesLive(a *application) bool { return a.known && s.objects.Values != AlwaysValues }

// liveMask hides what is data in paths of the object that is there.
func (s *subject) liveMask() *mask.Mask {
	return mask.Of(s.Object, s.Match.Definition, mask.Options{All: true})
}

// largeToApply is the size from which the managedFields of an object, which repeat the names of its fields, may matter.
const largeToApply = 1 << 18

// forcing are the managers that take what others manage.
var forcing = []string{"kustomize-controller", "helm-controller", "argocd-controller"}

// appliedBefore is the object as it was, after the same manager applied it to nothing by the CRD that it had; what is there where that
// is not known.
func (s *subject) appliedBefore(v *request.Version, by request.Applier) request.Object {
	was, _ := s.objects.Old(s.Object, s.document.File.Path)
	server, _ := s.Match.Definition.Server()
	if s.objects.OldCRD != nil {
		if d := s.objects.OldCRD(s.Match.Definition); d != nil {
			if older, why := d.Server(); why == "" {
				server = older
			}
		}
	}
	applied := server.VersionOf(was)
	if applied == nil {
		return s.old
	}
	outcome := applied.Apply(was, nil, by)
	if !outcome.Accepted() {
		return s.old
	}
	if stored, err := applied.Store(outcome.Object); err == nil {
		if served, err := v.Serve(stored); err == nil {
			return served
		}
	}
	return s.old
}

// isMerged reports whether client-side apply merges the manifest with what is there.
func (s *subject) isMerged(on Operation) bool {
	return on == OnUpdate && s.old != nil && s.way() == lint.ClientSide
}

// merged is what client-side apply makes of the object as it was: of one from git, what it makes where it wrote that one before.
func (s *subject) merged() request.Object {
	live := s.old
	if !s.isOldLive() {
		was, _ := s.objects.Old(s.Object, s.document.File.Path)
		saved, err := apply.Saved(was)
		if err != nil {
			return s.tree
		}
		live = maps.Clone(live)
		meta, _ := live["metadata"].(map[string]any)
		meta = maps.Clone(meta)
		meta["annotations"] = saved["metadata"].(map[string]any)["annotations"]
		live["metadata"] = meta
	}
	merged, _, err := apply.ClientSide(live, s.tree)
	if err != nil {
		return s.tree
	}
	return merged
}

// Reordered are lists that somebody else who applies the object has in another order.
func (p *Pass) Reordered() []request.Path {
	a := p.application
	if a == nil || !a.known || !a.outcome.Accepted() {
		return nil
	}
	server, _ := p.Match.Definition.Server()
	return server.Version(p.version).Reordered(a.live, a.outcome.Object, a.by.Manager)
}

// IsInDropped reports whether a path leads into what the request that was checked drops.
func (p *Pass) IsInDropped(at request.Path) bool {
	return slices.ContainsFunc(p.answer.outcome.Changes, func(c request.Change) bool {
		return c.Kind != request.Defaulted && c.Path.Leads(at)
	})
}

// Stays are the fields that stay though the manifest does not have them any more. Of what a cluster has, names that are data are not
// shown.
func (p *Pass) Stays() (all []request.Path) {
	a := p.application
	if a == nil || a.live == nil || !a.outcome.Accepted() {
		return nil
	}
	server, _ := p.Match.Definition.Server()
	for _, at := range server.Version(p.version).Kept(p.tree, a.live, a.outcome.Object, a.by.Manager) {
		if p.hidesLive(a) {
			at = p.liveMask().Path(at)
		}
		all = append(all, at)
	}
	return all
}
