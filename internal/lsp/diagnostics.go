package lsp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// diagnostics are the files that were judged, and what was published of them.
type diagnostics struct {
	mu    sync.Mutex
	files map[uri.URI]*fileDiagnostics

	publishing   sync.Mutex         // held while something is published
	fingerprints map[uri.URI]string // of what was published of files and configurations, where that is anything
}

// A fileDiagnostics is the judgement on a file, until the file or something that it depends on changes.
type fileDiagnostics struct {
	*snapshot
	project     *project
	judgement   *rules.Judgement
	catalogued  int           // how often the catalogue had changed when custom resources were judged by it
	crds        []string      // where those are that its suites of tests are for; "" for one by its kind
	published   []*diagnostic // the diagnostics that were published last
	isPublished bool          // they are about this text
}

// A diagnostic is a finding with what is published of it.
type diagnostic struct {
	lint.Finding
	protocol protocol.Diagnostic
}

// put takes a judgement. What was published of the same text holds until something else is.
func (d *diagnostics) put(file *fileDiagnostics) {
	d.publishing.Lock()
	defer d.publishing.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if before := d.files[file.uri]; before != nil && before.snapshot == file.snapshot {
		file.published, file.isPublished = before.published, before.isPublished
	}
	d.files[file.uri] = file
}

// drop takes a file away and returns it; nil for one that is not there.
func (d *diagnostics) drop(doc uri.URI) *fileDiagnostics {
	d.mu.Lock()
	defer d.mu.Unlock()
	file := d.files[doc]
	delete(d.files, doc)
	return file
}

// list are some of the files, in the order of their names.
func (d *diagnostics) list(which func(*fileDiagnostics) bool) (all []*fileDiagnostics) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, file := range d.files {
		if which(file) {
			all = append(all, file)
		}
	}
	slices.SortFunc(all, func(a, b *fileDiagnostics) int { return cmp.Compare(a.uri, b.uri) })
	return all
}

// fingerprint is a text that differs where the diagnostics do.
func fingerprint(all []diagnostic) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintln(&b, f.Rule.ID, f.Severity, f.Pos, f.Message, f.Related, f.Fix != nil, f.Origin != nil)
	}
	return b.String()
}

// note remembers what is published of a file, so that it is not published again.
func (d *diagnostics) note(doc uri.URI, all []diagnostic) {
	if d.fingerprints[doc] = fingerprint(all); len(all) == 0 {
		delete(d.fingerprints, doc)
	}
}

// published are the diagnostics of a text; known is false for one that was not judged yet.
func (d *diagnostics) published(snap *snapshot) (all []*diagnostic, known bool) {
	d.publishing.Lock()
	defer d.publishing.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	file := d.files[snap.uri]
	if file == nil || !file.isPublished || !file.open || file.snapshot != snap {
		return nil, false
	}
	return file.published, true
}

// hasObjects reports whether there are custom resources, judged or not.
func (f *fileDiagnostics) hasObjects() bool {
	all := f.judgement.Objects.Objects
	return all != nil && len(all.Alike)+len(all.WithoutCRD) > 0
}

// hasObjectsOf reports whether there is a custom resource of one of some groups or kinds.
func (f *fileDiagnostics) hasObjectsOf(names []string) bool {
	if !f.hasObjects() {
		return false
	}
	for kind := range f.judgement.Objects.Objects.WithoutCRD {
		if slices.Contains(names, kind) {
			return true
		}
	}
	for _, o := range f.judgement.Objects.Objects.Alike {
		group, _, _ := strings.Cut(o.APIVersion, "/")
		if slices.Contains(names, group) || slices.Contains(names, o.Kind) {
			return true
		}
	}
	return false
}
