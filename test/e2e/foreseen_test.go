package e2e

import (
	"context"
	"fmt"
	"path"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
)

// forecast is what internal/request and internal/review say about a request.
type forecast struct {
	err     error                     // why the server does not answer it; nil when it does
	reading bool                      // err is one of a read of etcd
	invalid bool                      // err is that the object is not valid
	stored  map[string]any            // in etcd afterwards; nil when nothing is written
	shown   map[string]map[string]any // in the answer, by name
}

// converted is an object as the server has it at a version.
func (g *gadgets) converted(o map[string]any, to string) (map[string]any, error) {
	if apiVersion, _ := o["apiVersion"].(string); path.Base(apiVersion) != to {
		a := g.client.Convert(context.Background(), "", to, o)
		if a.Err != nil {
			return nil, a.Err
		}
		o = a.Objects[0]
	}
	return g.judge.Version(to).Coerce(o)
}

// foreseeRead is what becomes of a read of objects at a version.
func (g *gadgets) foreseeRead(version string, all ...map[string]any) forecast {
	f := forecast{shown: map[string]map[string]any{}}
	for _, stored := range all {
		decoded, err := g.judge.Decode(stored)
		var shown map[string]any
		if err == nil {
			shown, err = g.converted(decoded, version)
		}
		switch {
		case err == nil:
			f.shown[name(stored)] = shown
		case f.err == nil: // the server goes on
			f.err, f.reading = err, true
		}
	}
	return f
}

// foreseeStored is the same of objects by their names in etcd.
func (g *gadgets) foreseeStored(version string, names ...string) forecast {
	var all []map[string]any
	for _, name := range names {
		stored, err := g.stored(name)
		if err != nil {
			return forecast{err: err}
		}
		all = append(all, stored)
	}
	return g.foreseeRead(version, all...)
}

// foreseeWrite is what becomes of an object once it is judged.
func (g *gadgets) foreseeWrite(version string, outcome *request.Outcome) forecast {
	if !outcome.Accepted() {
		return forecast{invalid: true, err: fmt.Errorf("it is not valid: %v, %w", outcome.Causes, outcome.Err)}
	}
	in, err := g.converted(outcome.Object, g.storage)
	if err != nil {
		return forecast{err: err}
	}
	stored, err := g.judge.Version(g.storage).Store(in)
	if err != nil {
		return forecast{err: err}
	}
	f := g.foreseeRead(version, stored) // it is read back
	f.stored = stored
	return f
}

// foreseeUpdate is what becomes of a change to the object at a version, of its status or of all but that.
func (g *gadgets) foreseeUpdate(version string, operation operation, change func(old map[string]any) map[string]any) forecast {
	read := g.foreseeStored(version, first)
	if read.err != nil {
		return read
	}
	old := read.shown[first]
	changed := change(runtime.DeepCopyJSON(old))
	delete(metadataOf(changed), "resourceVersion")
	v := g.judge.Version(version)
	if operation == updateStatus {
		return g.foreseeWrite(version, v.UpdateStatus(changed, old))
	}
	return g.foreseeWrite(version, v.Update(changed, old))
}
