package lsp

import (
	"context"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/rules"
)

// diagnose judges a file as it is now, and publishes its diagnostics. If the text has changed meanwhile, it publishes nothing: the
// file waits for its next turn then.
func (s *server) diagnose(doc uri.URI) {
	if isConfiguration(doc) {
		s.diagnoseConfiguration(doc)
		return
	}
	snap := s.snapshot(doc)
	if snap == nil {
		snap = &snapshot{uri: doc, path: pathOf(doc)} // it is gone
	}
	if snap.isGo() {
		s.diagnostics.publishing.Lock()
		defer s.diagnostics.publishing.Unlock()
		s.publishGo(snap)
		return
	}
	if !s.isDiagnosed(snap) {
		s.forget(doc, snap)
		return
	}
	file := s.judgeFile(snap)
	if !s.overlays.isCurrent(snap) {
		return
	}
	s.diagnostics.put(file)
	if (file.hasObjects() || file.crds != nil) && s.catalogue.hasChanged(file.catalogued) {
		s.queue.add(doc, file.open) // a CRD came meanwhile, and found nothing to judge again here
	}
	if _, known := s.diagnostics.published(snap); file.open && !known {
		s.publishProject(file.project, doc)
	} else {
		s.publishSoon(file.project) // an edit of a CRD may have hundreds of others judged again
	}
}

// isDiagnosed reports whether a text is one that findings are about.
func (s *server) isDiagnosed(snap *snapshot) bool {
	return snap != nil && snap.mapper != nil && len(snap.text) <= maxSize && !isConfiguration(snap.uri) && !snap.isGo() &&
		(snap.open || s.workspace.has(snap.uri)) && !s.project(snap.uri).excludes(snap.path)
}

// judgeFile judges a text. Its own CRDs are read into the catalogue at the same time: both take long.
func (s *server) judgeFile(snap *snapshot) *fileDiagnostics {
	file := &fileDiagnostics{snapshot: snap, project: s.project(snap.uri)}
	judge := s.judge(file.project)
	read := s.readCRDs(snap, judge)
	judge.Objects = func(use func(*rules.Objects)) {
		read()
		file.catalogued = s.catalogue.use(use)
	}
	if suite.IsNamed(snap.path) {
		read()
		s.judgeSuites(file, judge)
		return file
	}
	file.judgement = judge.File(snap.path, snap.text)
	for _, f := range file.judgement.Findings() {
		f.About = nil // which reports ask, and which has the tree
	}
	read()
	return file
}

// readCRDs reads the CRDs of a text into the catalogue, and returns what waits until they are there. Those of a file that is not open are
// read while it is judged, which saves work; for an open one it is done at the same time, which takes half as long.
func (s *server) readCRDs(snap *snapshot, judge *rules.Judge) (wait func()) {
	put := func(crds *rules.CRDFile) {
		s.diagnoseObjects(s.catalogue.put(snap, crds), snap.uri) // even if the text has changed when it is judged
	}
	switch {
	case s.catalogue.has(snap):
		return func() {}
	case !snap.open && !suite.IsNamed(snap.path):
		judge.Linter.CRDs = &rules.CRDFile{}
		return sync.OnceFunc(func() { put(judge.Linter.CRDs) })
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer s.recoverPanic(snap.path)
		put(rules.CRDsIn(snap.path, snap.text))
	}()
	return func() { <-read }
}

// forget withdraws the diagnostics of a file: it is gone, excluded, too large, or its text is not known.
func (s *server) forget(doc uri.URI, snap *snapshot) {
	changed := s.catalogue.replace(pathOf(doc), crdSource{crds: &rules.CRDFile{}})
	if snap != nil && snap.open && snap.mapper != nil && len(snap.text) > maxSize {
		s.logTooLarge(doc)
	}
	before := s.diagnostics.drop(doc)
	s.diagnoseObjects(changed, doc)
	if before != nil {
		s.publishNothing(doc)
		s.publishSoon(before.project)
	}
}

// diagnoseObjects has the other files judged again whose custom resources belong to one of some groups or kinds, or whose tests may.
func (s *server) diagnoseObjects(names []string, but uri.URI) {
	if len(names) == 0 {
		return
	}
	affected := func(f *fileDiagnostics) bool {
		return f.uri != but && (f.hasObjectsOf(names) || f.hasTestsOf(pathOf(but)))
	}
	for _, file := range s.diagnostics.list(affected) {
		s.queue.add(file.uri, file.open)
	}
}

// diagnoseConfiguration reads a configuration again. The files that it is for are judged anew if it says something else.
func (s *server) diagnoseConfiguration(doc uri.URI) {
	path := doc.FsPath()
	p := s.projects.at(path)
	if s.snapshot(doc) == nil { // it is gone
		if p != nil {
			s.projects.forget()
			s.scan(allFiles)
		}
		s.projects.good.Delete(path)
		s.publishNothing(doc)
		return
	}
	c, err := s.readConfig(path)
	switch {
	case s.isLate(path): // files were judged before it was there
		s.projects.forget()
		s.scan(allFiles)
		fallthrough
	case p == nil:
		p = s.projectOf(s.projects.now.Load(), path, filepath.Dir(path))
	case err != nil:
		s.diagnostics.publishing.Lock()
		p.errs = text.Separate(err)
		s.diagnostics.publishing.Unlock()
	case p.errs == nil && reflect.DeepEqual(c, p.read):
	default:
		s.projects.forget()
		s.scan(allFiles)
		return
	}
	s.publishProject(p, doc)
}

// current is the newest text of an open document with its diagnostics, once these are known; nil for one that is not open. The
// error is that of the protocol for a document whose text is not known.
func (s *server) current(ctx context.Context, doc uri.URI) (*snapshot, []*diagnostic, error) {
	for ctx.Err() == nil {
		snap := s.overlays.snapshot(doc)
		switch {
		case snap == nil:
			return nil, nil, nil
		case snap.mapper == nil:
			return nil, nil, protocol.ErrContentModified
		case !s.isDiagnosed(snap):
			return snap, nil, nil
		}
		if found, known := s.publishedNow(ctx, snap); known {
			return snap, found, nil
		}
	}
	return nil, nil, protocol.ErrRequestCancelled
}

// publishedNow are the diagnostics of a text, which is judged if it was not yet. They are not known of one that has changed
// meanwhile.
func (s *server) publishedNow(ctx context.Context, snap *snapshot) (all []*diagnostic, known bool) {
	if all, known = s.diagnostics.published(snap); known {
		return all, true
	}
	s.queue.claim(snap.uri)
	defer s.queue.done(snap.uri)
	if all, known = s.diagnostics.published(snap); known || ctx.Err() != nil {
		return all, known
	}
	s.queue.skip(snap.uri)
	s.diagnose(snap.uri)
	return s.diagnostics.published(snap)
}

// restAfter is how long there has to be nothing to do until memory is let go of.
const restAfter = 10 * time.Second

// rest lets go of memory: the workspace may have thousands of CRDs, of which few are worked on.
func (s *server) rest() {
	if s.queue.length() == 0 {
		s.catalogue.rest()
		debug.FreeOSMemory()
	}
}

// work starts the workers.
func (s *server) work() {
	context.AfterFunc(s.background, s.queue.close)
	resting := time.AfterFunc(restAfter, s.rest)
	context.AfterFunc(s.background, func() { resting.Stop() })
	for range max(2, runtime.GOMAXPROCS(0)) {
		s.spawn(func(context.Context) {
			for {
				doc, list, ok := s.queue.take()
				if !ok {
					return
				}
				s.diagnoseNext(doc, list == 1)
				resting.Reset(restAfter)
			}
		})
	}
}

// diagnoseNext judges a file, and survives that. It may put off one that has no CRDs: while many files wait, each CRD among these would
// change what custom resources are judged by.
func (s *server) diagnoseNext(doc uri.URI, mayWait bool) {
	defer s.queue.done(doc)
	defer s.recoverPanic(doc.FsPath())
	if mayWait && !isConfiguration(doc) {
		if snap := s.snapshot(doc); snap != nil && !snap.open && !xrd.MayHold(snap.text) {
			s.queue.putOff(doc)
			return
		}
	}
	s.diagnose(doc)
}
