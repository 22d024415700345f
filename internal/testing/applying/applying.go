// Package applying keeps one custom resource as an API server does, by what internal/request says of each request, so that tests can
// hold what it says of a story of requests against what a real server did.
package applying

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// A Request is what a client sends.
type Request struct {
	Op, Version, Manager string
	Force                bool
	FieldValidation      string // of an apply: Strict rejects keys that the body has twice
	DryRun               bool
	Body                 []byte // YAML of apply, post and put, JSON of patches
}

// An Answer is what becomes of it.
type Answer struct {
	Code   int
	Causes []request.Cause
	Object request.Object // as the version serves it afterwards; nil when the request is rejected
}

// The operations of Request.
const (
	Apply       = "apply"
	ApplyStatus = "apply-status"
	Post        = "post"
	Put         = "put"
	PutStatus   = "put-status"
	Merge       = "merge" // a JSON merge patch
	JSON        = "json"  // a JSON patch that replaces managedFields
	Get         = "get"
)

// A Server is one CRD and one object of it.
type Server struct {
	CRD    *request.Server
	Stored request.Object // as it is in etcd; nil where there is none
	writes int
}

// Do answers a request, and changes what is stored.
func (s *Server) Do(r Request) (Answer, error) {
	v := s.CRD.Version(r.Version)
	if v == nil || !v.Served {
		return Answer{Code: http.StatusNotFound}, nil
	}
	var live request.Object
	if s.Stored != nil {
		var err error
		if live, err = v.Serve(s.Stored); err != nil {
			return Answer{Code: http.StatusInternalServerError}, nil
		}
	}
	if live == nil && !slices.Contains([]string{Apply, Post}, r.Op) {
		return Answer{Code: http.StatusNotFound}, nil
	}
	if r.Op == Get {
		return Answer{Code: http.StatusOK, Object: live}, nil
	}
	out, err := write(v, live, r)
	if err != nil || out.Err != nil {
		return Answer{}, errors.Join(err, out.Err)
	}
	if twice(r, out) {
		return Answer{Code: http.StatusBadRequest}, nil
	}
	if !out.Accepted() {
		return Answer{Code: out.Code(), Causes: out.Causes}, nil
	}
	answer := Answer{Code: http.StatusOK}
	if live == nil {
		answer.Code = http.StatusCreated
	}
	stored, err := v.Store(out.Object)
	if err != nil {
		return Answer{}, err
	}
	s.writes++
	metadata := stored["metadata"].(map[string]any)
	metadata["uid"], metadata["resourceVersion"] = "c0ffee00-0000-4000-8000-000000000001", fmt.Sprint(1000+s.writes)
	if answer.Object, err = v.Serve(stored); err == nil && !r.DryRun {
		s.Stored = stored
	}
	return answer, err
}

func write(v *request.Version, live request.Object, r Request) (*request.Outcome, error) {
	by, managed := request.Applier{Manager: r.Manager, Force: r.Force}, request.ManagedBy(r.Manager)
	var body map[string]any
	var err error
	if r.Op != JSON {
		if err = utilyaml.Unmarshal(r.Body, &body); err != nil {
			return nil, err
		}
	}
	switch r.Op {
	case Apply:
		return v.Apply(body, live, by), nil
	case ApplyStatus:
		return v.ApplyStatus(body, live, by), nil
	case Post:
		return v.Create(body, managed), nil
	case Put:
		return v.Update(body, live, managed), nil
	case PutStatus:
		return v.UpdateStatus(body, live, managed), nil
	case Merge:
		merged, _ := MergePatch(live, body).(map[string]any)
		return v.Update(merged, live, managed), nil
	case JSON:
		patched, err := jsonPatch(live, r.Body)
		return v.Update(patched, live, managed), err
	}
	return nil, fmt.Errorf("there is no operation %q", r.Op)
}

// twice reports whether keys that the body has twice reject what else is applied. A server looks for them when it has merged the body,
// and has not validated the result.
func twice(r Request, out *request.Outcome) bool {
	merged := !slices.ContainsFunc(out.Causes, func(c request.Cause) bool { return c.Stage >= request.Options && c.Stage != request.Outdated })
	return r.FieldValidation == "Strict" && merged && utilyaml.UnmarshalStrict(r.Body, &map[string]any{}) != nil
}

// MergePatch is a value with a JSON merge patch (RFC 7386). It may share parts with both.
func MergePatch(value, patch any) any {
	members, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	old, _ := value.(map[string]any)
	merged := maps.Clone(old)
	if merged == nil {
		merged = map[string]any{}
	}
	for key, member := range members {
		if merged[key] = MergePatch(old[key], member); member == nil {
			delete(merged, key)
		}
	}
	return merged
}

func jsonPatch(live request.Object, patch []byte) (request.Object, error) {
	var operations []any
	if err := utiljson.Unmarshal(patch, &operations); err != nil {
		return nil, err
	}
	patched := runtime.DeepCopyJSON(live)
	for _, operation := range operations {
		o := operation.(map[string]any)
		at, _ := o["path"].(string)
		path := request.Keys(strings.Split(strings.TrimPrefix(at, "/"), "/")...)
		switch {
		case o["op"] == "test":
		case o["op"] == "remove":
			path.Remove(patched)
		case !path.Set(patched, o["value"]):
			return nil, fmt.Errorf("cannot set %s", at)
		}
	}
	return patched, nil
}
