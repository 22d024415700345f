package rules

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/suites"
)

// Suites are what suites of tests of CRDs are run by.
type Suites struct {
	// Objects have the CRDs of suites that do not say where theirs is. It is called where there is one; nil for none.
	Objects func() *Objects
	// Read reads the CRDs at a place that a suite names; from is the path of its file.
	Read func(from, where string) ([]*CRDFile, error)
	// Want are the cases to run, by the names of suite and case, "shelf/size/accept/1"; nil for all.
	Want    func(name string) bool
	Places  bool // report where the CRD says what rejects a case
	Rewrite bool // write suites of openshift/api in crdlift's own format, and report what keeps one from that
	List    bool // list the cases in the report, and run none
	// Uses is called with the file of each CRD that a case of a suite's file runs with, by several goroutines; nil for nobody.
	Uses func(suite, crd string)
	// Minors are the releases of Kubernetes, 1.minor, that cases run on which do not say that themselves; none for the newest.
	Minors []int
	// UpdateStored and UpdateRejected have fixes write what is stored, and the words of what rejects an object, in the place of what a
	// case says of the same value or constraint.
	UpdateStored, UpdateRejected bool
	FailFast                     bool // leave the other cases of a file out after the first that fails
	// Accepted and Rejected are folders and files with objects, each of which is a case: the server has to take or to reject it.
	Accepted, Rejected []string
	// OneVariant runs a suite of openshift/api by one of the CRDs that it is about, rather than by that of each set of features.
	OneVariant bool
	// Found reports whether a file was found in a folder, rather than named: its name has to tell then that it has suites. Nil for never.
	Found func(path string) bool
	Cover *Cover // what is to be known of what the cases test; nil for nothing

	once sync.Once // files are run in parallel, and all have one
	made *suites.Kind
}

// A Cover is what is to be known of what suites test.
type Cover struct {
	Minimum, OfNew map[string]int // the percentage to be tested of all constraints and of those that are new, by one of lint.Covered
	Against        *Old           // what has no new ones; nil for none
	Ignore         []lint.Ignore  // constraints that do not count
}

// options are what the engine asks for.
func (c *Cover) options() *suites.Cover {
	if c == nil {
		return nil
	}
	out := &suites.Cover{Options: coverage.Options{Ignored: c.ignored}, Minimum: c.Minimum, OfNew: c.OfNew}
	if c.Against != nil {
		out.Earlier = (*older.Side)(c.Against).Definition
	}
	return out
}

// ignored is why a constraint does not count; "" where it does.
func (c *Cover) ignored(d *objects.Definition, of *coverage.Constraint) string {
	for _, i := range c.Ignore {
		if (i.CRD == "" || config.MatchName(i.CRD, d.Name)) && (i.Path == "" || config.MatchPath(i.Path, of.Field)) {
			return i.Reason
		}
	}
	return ""
}

// kind is what the engine runs.
func (s *Suites) kind() engine.Kind {
	s.once.Do(func() {
		s.made = &suites.Kind{
			Runner: &suite.Runner{Find: s.find, Earlier: s.earlier, Minors: s.Minors}, Variants: &suite.Variants{One: s.OneVariant},
			Accepted: s.Accepted, Rejected: s.Rejected,
			Want: s.Want, FailFast: s.FailFast, List: s.List, Rewrite: s.Rewrite, Places: s.Places, Found: s.Found, Cover: s.Cover.options(),
		}
		if s.UpdateStored {
			s.made.Update = append(s.made.Update, suite.NotStored)
		}
		if s.UpdateRejected {
			s.made.Update = append(s.made.Update, suite.WrongCause)
		}
	})
	return s.made
}

// find finds the CRD of a suite.
func (s *Suites) find(of *suite.Suite, apiVersion, kind string) (*objects.Definition, string) {
	return s.used(of)(s.lookFor(of, apiVersion, kind))
}

// used tells with which CRD a suite runs.
func (s *Suites) used(by *suite.Suite) func(*objects.Definition, string) (*objects.Definition, string) {
	return func(d *objects.Definition, why string) (*objects.Definition, string) {
		if d != nil && s.Uses != nil {
			s.Uses(by.Document.File.Path, d.Path)
		}
		return d, why
	}
}

func (s *Suites) lookFor(of *suite.Suite, apiVersion, kind string) (*objects.Definition, string) {
	if of.CRD != "" {
		return s.read(of, of.CRD, objects.GroupOf(apiVersion), kind)
	}
	none := fmt.Sprintf("no CRD of %s %s was found; name it in the suite with crd: PATH, or use --crds", apiVersion, kind)
	if s.Objects == nil {
		return nil, none
	}
	n := &yaml.Node{Kind: yaml.MappingNode}
	object := &objects.Object{Node: n, Head: n, Group: objects.GroupOf(apiVersion), Version: path.Base(apiVersion), Kind: kind}
	match := s.Objects().catalogue.Match(object, of.Document.File.Path)
	if match.Definition == nil {
		return nil, none
	}
	return match.Definition, ""
}

// earlier finds a CRD as it was.
func (s *Suites) earlier(of *suite.Suite, where, kind string) (*objects.Definition, string) {
	return s.used(of)(s.read(of, where, "", kind))
}

// read finds the CRD of a kind at a place that a suite names.
func (s *Suites) read(of *suite.Suite, where, group, kind string) (*objects.Definition, string) {
	files, err := s.Read(of.Document.File.Path, where)
	if err != nil {
		return nil, text.OneLine(err.Error())
	}
	var others []string
	for _, f := range files {
		for _, d := range f.definitions {
			if names := d.Hub.Spec.Names; names.Kind == kind && (group == "" || d.Hub.Spec.Group == group) {
				return d, ""
			}
			others = append(others, d.Name)
		}
	}
	if others == nil {
		return nil, fmt.Sprintf("there is no CRD in %s", where)
	}
	return nil, fmt.Sprintf("%s has no CRD of the kind %s in the group %s, but %s", where, kind, group, strings.Join(others, ", "))
}
