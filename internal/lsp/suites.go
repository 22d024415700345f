package lsp

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// judgeSuites runs the suites of tests in a file. Those with a CRD of a git revision are not run: the server runs no git.
func (s *server) judgeSuites(file *fileDiagnostics, judge *rules.Judge) {
	file.crds = crdsOfSuites(file.snapshot)
	file.catalogued = s.catalogue.use(func(by *rules.Objects) {
		if !slices.ContainsFunc(file.crds, func(place string) bool { return strings.HasPrefix(place, "git:") }) {
			judge.Suites = &rules.Suites{
				Objects: func() *rules.Objects { return by },
				Read: func(from, where string) ([]*rules.CRDFile, error) {
					return s.crdsAt(path.Join(path.Dir(from), where), file.project.top)
				},
			}
		}
		file.judgement = judge.File(file.path, file.text)
	})
}

// crdsOfSuites are the places of the CRDs of the suites in a text; "" for one by its kind.
func crdsOfSuites(snap *snapshot) (places []string) {
	add := func(where string) {
		if where != "" && !strings.HasPrefix(where, "git:") {
			where = path.Join(path.Dir(snap.path), where)
		}
		places = append(places, where)
	}
	for _, d := range manifest.Parse(snap.path, snap.text).Documents {
		if d.Root == nil {
			continue
		}
		if tests := suite.Read(d); tests != nil {
			add(tests.CRD)
			for _, c := range tests.All() {
				if c.Before.CRD != "" {
					add(c.Before.CRD)
				}
			}
		}
	}
	return places
}

// crdsAt are the CRDs at a place, within use of the catalogue: as they are typed or, outside of the folders that are open, as they
// are on the disk.
func (s *server) crdsAt(place, top string) (all []*rules.CRDFile, err error) {
	for _, name := range slices.Sorted(maps.Keys(s.catalogue.sources)) {
		if isAtOrBelow(name, place) {
			all = append(all, s.catalogue.sources[name].crds)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if _, below := worktree.RelativeTo(top, place); top == "" || !below {
		return nil, fmt.Errorf("%s is outside of the repository of the suite", place)
	}
	snap := s.snapshot(uri.File(place))
	if snap == nil {
		return nil, fmt.Errorf("there is no CRD at %s in the folders that are open", place)
	}
	one, err := rules.ReadCRDs(lint.File{Path: place, Label: place, Read: func() ([]byte, error) { return snap.text, nil }}, true)
	return []*rules.CRDFile{one}, err
}

// hasTestsOf reports whether a file has suites that may be about a CRD in another file.
func (f *fileDiagnostics) hasTestsOf(name string) bool {
	return slices.ContainsFunc(f.crds, func(place string) bool { return place == "" || isAtOrBelow(name, place) })
}

// isAtOrBelow reports whether a file is at a place, or in the folder that is there.
func isAtOrBelow(name, place string) bool { return name == place || strings.HasPrefix(name, place+"/") }
