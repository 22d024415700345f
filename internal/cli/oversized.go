package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules"
)

// What names files besides the PATHs.
const (
	ofAgainst    = "--against"
	ofCRDs       = "--crds"
	ofOldObjects = "--old-objects"
)

// An oversized is a file that an option names, or of the side that it names, and that is too large to be read.
type oversized struct {
	label    string // "HEAD:crd.yaml"
	path     string // as seen from the working directory
	revision string // of git that has it; "" for a file of this machine
	option   string
}

// behind is what is not known of such a file, and what to do, by the option that names it.
var behind = map[string]string{
	ofAgainst:    ": CRDs in it count as missing there; raise the limit, or name the files to compare with",
	ofCRDs:       "; its CRDs are not known; raise the limit",
	ofOldObjects: ": its objects count as new; raise the limit",
}

// message says at the path of the file what is behind the limit.
func (o oversized) message(limit byteSize) string {
	what := "this older file"
	switch {
	case o.option != ofAgainst:
		what = "this file of " + o.option
	case o.revision != "":
		what = "this file"
	}
	if o.revision != "" {
		what += " at " + o.revision
	}
	return what + " is larger than --max-file-size=" + limit.String() + ", and was not read" + behind[o.option]
}

// oversizedFiles collects those of a run, as they are found.
type oversizedFiles struct {
	mu      sync.Mutex
	byLabel map[string]oversized
}

func (all *oversizedFiles) add(o oversized) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.byLabel == nil {
		all.byLabel = map[string]oversized{}
	}
	all.byLabel[o.label] = o
}

// of lists the files of an option, all with "".
func (all *oversizedFiles) of(option string) []oversized {
	return slices.SortedFunc(func(yield func(oversized) bool) {
		for o := range maps.Values(all.byLabel) {
			if (option == "" || o.option == option) && !yield(o) {
				return
			}
		}
	}, func(a, b oversized) int { return cmp.Compare(a.label, b.label) })
}

// explain adds to an error that nothing was found for an option that there is what was not read.
func (all *oversizedFiles) explain(err error, option string, limit byteSize) error {
	files := all.of(option)
	if len(files) == 0 {
		return err
	}
	more := ""
	if n := len(files) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Errorf("%w; %s%s, larger than --max-file-size=%s, %s not read: raise the limit", err, files[0].label, more, limit, text.Verb(len(files), "was", "were"))
}

// addOversized reports the files that were not read, among what is said of the files at their paths.
func (r *lintRun) addOversized() {
	for _, o := range r.oversized.of("") {
		var at *rules.FileReport
		if i := slices.IndexFunc(r.files, func(f *rules.FileReport) bool { return f.Path == o.path }); i >= 0 {
			at = r.files[i]
		}
		if file := r.linter.Oversized(o.path, o.message(r.flags.maxFileSize), at); at == nil {
			r.files = append(r.files, file)
		}
	}
}
