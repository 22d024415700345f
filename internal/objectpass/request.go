package objectpass

import (
	"fmt"
	"maps"
	"math"
	"path"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
)

// Operations are the names of operations.
func Operations() []string {
	return []string{string(OnCreate), string(OnUpdate), string(OnStatus), string(OnScale), string(OnAll)}
}

// decide sends the object.
func (s *subject) decide() error {
	tree, size, err := s.Object.Tree()
	if err != nil {
		return err
	}
	server, _ := s.Match.Definition.Server() // there is one: the object matches
	version := server.Version(s.Object.Version)
	s.tree, s.size = tree, size
	s.old = s.older(version)
	s.answer.outcome = &request.Outcome{}
	for _, on := range s.operations() {
		outcome := s.send(version, on)
		if outcome == nil {
			continue
		}
		if s.answer.operation == "" || len(outcome.Causes) > 0 {
			s.answer = answer{on, outcome}
		}
		if outcome.Err != nil {
			s.Match.Verdict, s.Match.Why = objects.NotJudged, outcome.Err.Error()
		}
		if !outcome.Accepted() {
			break
		}
	}
	s.apply(version)
	if s.answer.operation == "" {
		s.Match.Verdict, s.Match.Why = objects.NoRequest, s.unmade(version)
	}
	return nil
}

// operations are the requests to judge, in this order.
func (s *subject) operations() []Operation {
	switch on := s.objects.On; {
	case on == OnAll && s.Object.FromServer(): // nobody creates it again
		return []Operation{OnUpdate, OnStatus, OnScale}
	case on == OnAll:
		return []Operation{OnCreate, OnUpdate, OnStatus, OnScale}
	case on != "":
		return []Operation{on}
	case s.old != nil || s.Object.FromServer():
		return []Operation{OnUpdate}
	}
	return []Operation{OnCreate}
}

// send sends the object; it returns nil where that cannot be done: its CRD has no such subresource, or it has nothing to send
// to it.
func (s *subject) send(v *request.Version, on Operation) *request.Outcome {
	release := request.ToRelease(s.linter.Configuration().KubernetesVersion.Minor)
	switch {
	case s.isMerged(on):
		return v.Update(s.merged(), s.old, release)
	case on == OnUpdate:
		return v.Update(s.tree, s.old, release)
	case on == OnStatus && v.HasStatus():
		return v.UpdateStatus(s.tree, s.before(v), release)
	case on == OnScale && v.HasScale():
		if n, ok := s.replicas(v); ok {
			return v.UpdateScale(s.before(v), n, release)
		}
		return nil
	case on == OnStatus || on == OnScale:
		return nil
	}
	return v.Create(s.tree)
}

// unmade says why the request that is asked for cannot be made.
func (s *subject) unmade(v *request.Version) string {
	if s.objects.On == OnScale && v.HasScale() {
		return v.ReplicasPath().String() + " has no number of replicas"
	}
	return fmt.Sprintf("%s %s has no %s subresource", v.GroupVersionKind().GroupVersion(), s.Object.Kind, s.objects.On)
}

// before is the object that a subresource is written to: as it was or, where that is not known, as it is but for its status,
// which is new then.
func (s *subject) before(v *request.Version) request.Object {
	if s.old != nil {
		return s.old
	}
	bare := maps.Clone(s.tree)
	delete(bare, "status")
	if served, err := v.Serve(bare); err == nil {
		return served
	}
	return bare
}

// replicas is the number of replicas that the object asks for; ok is false where it has none that can be sent.
func (s *subject) replicas(v *request.Version) (n int32, ok bool) {
	value, _ := v.ReplicasPath().In(s.tree)
	whole, ok := value.(int64)
	return int32(whole), ok && whole >= math.MinInt32 && whole <= math.MaxInt32
}

// older is the object as it was, as a server shows it at the version; nil where there is none, or where that is not known.
func (s *subject) older(v *request.Version) request.Object {
	if s.objects.Old == nil {
		return nil
	}
	was, why := s.objects.Old(s.Object, s.document.File.Path)
	if s.uncompared = why; was == nil {
		return nil
	}
	served, err := v.Serve(was)
	if err != nil {
		s.uncompared = err.Error()
		if apiVersion, _ := was["apiVersion"].(string); s.Match.Definition.Version(path.Base(apiVersion)) == nil {
			s.uncompared = "its CRD does not have the version " + apiVersion + " any more"
		}
		return nil
	}
	return served
}
