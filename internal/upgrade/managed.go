package upgrade

import (
	"path"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
)

// Managed are the effects of what managedFields of an object say under one CRD, as a server with that serves it: those of the
// class Unappliable, and one of Converted where a webhook would have to be asked.
func Managed(s *request.Server, o request.Object) []Effect {
	p := &prospect{Replacement: &Replacement{was: s, is: s}, told: map[effectKey]bool{}, keys: keys{}}
	apiVersion, _ := o["apiVersion"].(string)
	from := s.Version(path.Base(apiVersion))
	if from == nil {
		return nil
	}
	if s.Converts(from, s.Storage()) {
		p.managed(o, from)
	} else if stored, err := from.Store(o); err == nil {
		p.managed(stored, nil)
	}
	return p.Effects
}

// managed finds what keeps an object that is stored from being applied: at the versions that managers have applied it at first. Only is
// the one version that can be judged where a webhook converts to others; nil for all that none converts to.
func (p *prospect) managed(stored request.Object, only *request.Version) {
	applied := appliedAt(stored)
	if metadata, _ := stored["metadata"].(map[string]any); metadata["managedFields"] == nil {
		return
	}
	for _, later := range []bool{false, true} {
		for _, name := range p.is.Versions() {
			v := p.is.Version(name)
			if !v.Served || only != nil && v != only || only == nil && p.is.Converts(v, p.is.Storage()) || len(applied) > 0 && slices.Contains(applied, name) == later {
				continue
			}
			p.managedAt(v, stored, later && len(applied) > 0)
		}
	}
}

func (p *prospect) managedAt(v *request.Version, stored request.Object, later bool) {
	live := stored
	if !p.is.Converts(v, p.is.Storage()) {
		var err error
		if live, err = v.Serve(stored); err != nil {
			return // it cannot be read
		}
	}
	causes, unknown, err := v.Unappliable(live)
	if err != nil {
		return // nor can it be written, which is told
	}
	for i := range causes {
		p.add(Effect{Class: Unappliable, Version: v.Name, Cause: &causes[i], Later: later})
	}
	if unknown {
		p.add(Effect{Class: Converted, Version: v.Name, Path: request.Keys("metadata", "managedFields")})
	}
}

// appliedAt are the versions at which managers have applied the object last.
func appliedAt(o request.Object) (versions []string) {
	metadata, _ := o["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		if apiVersion, _ := entry["apiVersion"].(string); entry["operation"] == "Apply" && entry["subresource"] == nil {
			versions = append(versions, path.Base(apiVersion))
		}
	}
	return versions
}
