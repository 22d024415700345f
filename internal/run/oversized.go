package run

import (
	"maps"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/limit"
)

// What names files besides the PATHs.
const (
	OfAgainst    = "--against"
	OfCRDs       = "--crds"
	OfOldObjects = "--old-objects"
)

// An oversized is a file that an option names, or of the side that it names, and that is too large to be read.
type oversized struct {
	Label    string // "HEAD:crd.yaml"
	Path     string // as seen from the working directory
	revision string // of git that has it; "" for a file of this machine
	option   string
}

// behind is what is not known of such a file, and what to do, by the option that names it.
var behind = map[string]string{
	OfAgainst:    ": CRDs in it count as missing there; raise the limit, or name the files to compare with",
	OfCRDs:       "; its CRDs are not known; raise the limit",
	OfOldObjects: ": its objects count as new; raise the limit",
}

// Message says at the path of the file what is behind the limit.
func (o oversized) Message(limit limit.Size) string {
	what := "this older file"
	switch {
	case o.option != OfAgainst:
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
	all.byLabel[o.Label] = o
}

// Of lists the files of an option, all with "".
func (all *oversizedFiles) Of(option string) (some []oversized) {
	for _, label := range slices.Sorted(maps.Keys(all.byLabel)) {
		if o := all.byLabel[label]; option == "" || o.option == option {
			some = append(some, o)
		}
	}
	return some
}
