package lsp

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/rules"
)

// A judged is a file with the reports on it, until something of that changes.
type judged struct {
	*edition
	project *project
	crds    *rules.FileReport
	objects *rules.FileReport
	told    []*told // what was published of it
	isTold  bool    // that is about this text
}

// judge judges a file as it is now, and publishes what there is to say. If the text has changed meanwhile, nothing is said of it:
// the file waits for its next turn then.
func (s *server) judge(at uri.URI) {
	if isConfiguration(at) {
		s.judgeConfiguration(at)
		return
	}
	e := s.edition(at)
	if e == nil || e.sheet == nil || !e.open && !s.workspace.has(at) || len(e.sheet.text) > maxSize {
		s.forget(at, e)
		return
	}
	p := s.project(at)
	if p.excludes(e.path) {
		s.forget(at, e)
		return
	}
	entered := s.enter(e) // beside the findings: both read the text
	one := &judged{edition: e, project: p, crds: p.linter.File(e.path, e.sheet.text)}
	<-entered
	used := s.catalogue.use(func(by *rules.Objects) {
		if one.crds.CRDs > 0 && one.crds.Others == 0 {
			one.objects = rules.NoReport(e.path) // spares a large CRD being read once more
		} else {
			one.objects = p.byObjects(by).File(e.path, e.sheet.text)
		}
	})
	if !s.buffers.isNewest(e) {
		return
	}
	s.desk.put(one)
	if s.catalogue.hasChanged(used) && one.hasObjects() {
		s.queue.add(at, one.open) // a CRD came meanwhile, and found nothing to judge again here
	}
	if one.open {
		s.tell(p, at)
	} else {
		s.tellSoon(p)
	}
}

// enter begins to put the CRDs of a text into the catalogue, and has the custom resources judged again that may belong to one of
// them, whatever becomes of the judgement of the text itself. It returns what is closed when that is done.
func (s *server) enter(e *edition) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer s.survive(e.path)
		s.rejudge(s.catalogue.put(e.path, e.sheet.text), e.at)
	}()
	return done
}

// byObjects is a linter of custom resources.
func (p *project) byObjects(by *rules.Objects) *rules.Linter {
	linter := p.linter
	linter.Go, linter.Objects = nil, by
	return &linter
}

// forget says nothing more of a file: it is gone, excluded, too large, or its text is not known.
func (s *server) forget(at uri.URI, e *edition) {
	changed := s.catalogue.put(pathOf(at), nil)
	if e != nil && e.open && e.sheet != nil && len(e.sheet.text) > maxSize {
		s.tellTooLarge(at)
	}
	before := s.desk.drop(at)
	s.rejudge(changed, at)
	if before != nil {
		s.tellNothing(at)
		s.tellSoon(before.project)
	}
}

// tellTooLarge says that a file is not judged.
func (s *server) tellTooLarge(at uri.URI) {
	s.logf("%s is larger than %d MiB, and is not judged here; crdlift lint judges it", at, maxSize>>20)
}

// rejudge has the files judged again whose custom resources belong to one of some groups or kinds.
func (s *server) rejudge(names []string, but uri.URI) {
	if len(names) == 0 {
		return
	}
	for _, one := range s.desk.list() {
		if one.at != but && one.has(names) {
			s.queue.add(one.at, one.open)
		}
	}
}

// hasObjects reports whether there are custom resources, judged or not.
func (j *judged) hasObjects() bool {
	all := j.objects.FileReport.Objects
	return all != nil && len(all.Alike)+len(all.WithoutCRD) > 0
}

// has reports whether there is a custom resource of one of some groups or kinds.
func (j *judged) has(names []string) bool {
	if !j.hasObjects() {
		return false
	}
	all := j.objects.FileReport.Objects
	for kind := range all.WithoutCRD {
		if slices.Contains(names, kind) {
			return true
		}
	}
	for _, o := range all.Alike {
		group, _, _ := strings.Cut(o.APIVersion, "/")
		if slices.Contains(names, group) || slices.Contains(names, o.Kind) {
			return true
		}
	}
	return false
}

// judgeConfiguration reads a configuration again. The files that it is for are judged anew if it says something else.
func (s *server) judgeConfiguration(at uri.URI) {
	path := at.FsPath()
	p := s.projects.at(path)
	if s.edition(at) == nil { // it is gone
		if p != nil {
			s.projects.forget()
			s.scan(everything)
		}
		s.projects.setGood(path, nil)
		s.tellNothing(at)
		return
	}
	c, err := s.readConfig(path)
	switch {
	case p == nil:
		if s.isLate(path) { // files were judged before it was there
			s.projects.forget()
			s.scan(everything)
		}
		p = s.projectOf(path, filepath.Dir(path))
	case err != nil:
		s.desk.setErrors(p, separate(err))
	case p.errs == nil && reflect.DeepEqual(c, p.read):
	default:
		s.projects.forget()
		s.scan(everything)
		return
	}
	s.tell(p, at)
}
