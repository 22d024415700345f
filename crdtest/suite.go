package crdtest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"testing"
)

// A Suite has cases in Go. Each is a subtest, which fails at the line that calls the method.
//
// The subtests are parallel: they wait until the test function returns. Then one run of the program checks them all.
//
// A change makes the object of a case from a copy of the base: a function with a pointer to an object or with the map as its
// argument; such an object itself; [Set], [Unset], or [Changes]; nil for the base as it is.
//
// A cause says why the API server rejects an object: a string, which is part of the message, or a [Cause] of [At], [Text] or
// [Rule]. The case fails if a cause is missing, or if there is another one, unless [Also] is among the causes.
type Suite struct {
	Options Options // to be set before the test function returns

	t     *testing.T
	crds  string
	base  any
	names map[string]bool
	cases []json.RawMessage

	once    sync.Once
	found   *report
	missing bool // the program is
	err     error
}

// For is a suite for the CRDs in a manifest or a folder of manifests. Base is a pointer to an object that the API server
// accepts, or a map, with its apiVersion and kind.
func For(t *testing.T, crds string, base any) *Suite {
	t.Helper()
	if is := reflect.ValueOf(base); is.Kind() != reflect.Pointer && is.Kind() != reflect.Map || is.IsNil() {
		t.Fatalf("crdtest: the base has to be a pointer to an object, or a map, and it is a %T", base)
	}
	return &Suite{t: t, crds: crds, base: base, names: map[string]bool{}}
}

// A testCase is one as the program takes it.
type testCase struct {
	Name    string  `json:"name"`
	Request string  `json:"request,omitempty"`
	Old     *object `json:"old,omitempty"`
	object
	Rejected []any          `json:"rejected,omitempty"`
	Also     bool           `json:"also,omitempty"`
	Stored   map[string]any `json:"stored,omitempty"`
	Absent   []string       `json:"absent,omitempty"`
}

// Accept is a case of an object that is created.
func (s *Suite) Accept(name string, change any) {
	s.t.Helper()
	s.add(testCase{Name: name}, nil, change, nil)
}

// Reject is a case of an object that is rejected.
func (s *Suite) Reject(name string, change any, causes ...any) {
	s.t.Helper()
	if len(causes) == 0 {
		s.t.Errorf("crdtest: %q does not say why it is rejected; write any text, such as \"?\", and the test says the causes", name)
		return
	}
	s.add(testCase{Name: name}, nil, change, causes)
}

// Update is a case of an object that is changed: old makes it from the base, and change makes from it what is sent. Without
// causes it is taken.
func (s *Suite) Update(name string, old, change any, causes ...any) {
	s.t.Helper()
	s.add(testCase{Name: name, Request: "update"}, &old, change, causes)
}

// Status is a case of the status of the base, which is written by its subresource. Without causes it is taken.
func (s *Suite) Status(name string, change any, causes ...any) {
	s.t.Helper()
	var old any
	s.add(testCase{Name: name, Request: "status"}, &old, change, causes)
}

// Stored is a case of an object that is created, and of values by their paths in what is stored of it. The value [Absent] is
// for paths at which nothing is stored.
func (s *Suite) Stored(name string, change any, values map[string]any) {
	s.t.Helper()
	c := testCase{Name: name, Stored: map[string]any{}}
	for path, value := range values {
		if value == Absent {
			c.Absent = append(c.Absent, path)
		} else {
			c.Stored[path] = value
		}
	}
	s.add(c, nil, change, nil)
}

// add makes the subtest of a case.
func (s *Suite) add(c testCase, old *any, change any, causes []any) {
	s.t.Helper()
	s.t.Run(c.Name, func(t *testing.T) {
		t.Helper()
		text, err := s.fill(&c, old, change, causes)
		if err != nil {
			t.Fatalf("crdtest: %v", err)
		}
		s.cases = append(s.cases, text)
		first := len(s.cases) == 1
		t.Parallel()
		s.once.Do(func() { s.run(t) })
		switch {
		case s.missing && s.Options.SkipMissing:
			t.Skip(s.err)
		case s.err != nil:
			t.Fatal(s.err)
		}
		if first {
			s.found.others(t)
		}
		for _, result := range s.found.Tests {
			if result.Name == c.Name {
				s.found.tell(t, result, c.text())
				return
			}
		}
		t.Fatal("crdtest: the program has not run this case")
	})
}

// fill writes the objects and the causes into a case, and returns the whole.
func (s *Suite) fill(c *testCase, old *any, change any, causes []any) (text []byte, err error) {
	if s.names[c.Name] {
		return nil, fmt.Errorf("there is a case %q already", c.Name)
	}
	s.names[c.Name] = true
	for _, cause := range causes {
		switch cause.(type) {
		case also:
			c.Also = true
		case string, Cause:
			c.Rejected = append(c.Rejected, cause)
		default:
			return nil, fmt.Errorf("a cause is a string or a Cause, and this one is a %T", cause)
		}
	}
	c.object.Object = s.base
	if old != nil {
		if c.object, err = c.change(*old); err != nil {
			return nil, err
		}
		there := c.object
		c.Old = &there
	}
	if c.object, err = c.change(change); err != nil {
		return nil, err
	}
	return json.Marshal(c)
}

// text is what is sent in a case, for people.
func (c *testCase) text() string {
	text, err := json.MarshalIndent(struct {
		Old *object `json:"old,omitempty"`
		object
	}{c.Old, c.object}, "", "  ")
	if err != nil {
		return ""
	}
	return "\nsent:\n" + string(text)
}

// run has the program judge the cases.
func (s *Suite) run(t *testing.T) {
	binary, err := find(s.Options.Binary)
	if err != nil {
		s.missing, s.err = true, err
		return
	}
	o := s.Options
	o.CRDs = append([]string{s.crds}, o.CRDs...)
	text, err := json.Marshal(map[string]any{"crdtest": "v1", "name": s.t.Name(), "cases": s.cases})
	if err != nil {
		s.err = fmt.Errorf("crdtest: %w", err)
		return
	}
	s.found, s.err = o.test(t, binary, text, []string{"-"})
}
