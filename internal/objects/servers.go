package objects

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
)

// atFirst is how many servers are kept before it is known in which order objects come.
const atFirst = 8

// servers are the judges whose servers are kept, the newest last. A server has compiled rules and several forms of its
// schema, half a megabyte for a usual CRD, and the objects of a kind mostly come together: when there are many servers, the
// oldest is let go of. If one is asked for again, objects come in another order, and from then on twice as many are kept.
type servers struct {
	sync.Mutex
	most int
	all  []*judge
	gone map[*judge]bool
}

// add notes that a server was made.
func (k *servers) add(j *judge) {
	if oldest := k.replace(j); oldest != nil {
		oldest.prepare.Lock()
		defer oldest.prepare.Unlock()
		oldest.server = nil
	}
}

// replace returns the judge whose server is not kept any more; nil for none.
func (k *servers) replace(j *judge) (oldest *judge) {
	k.Lock()
	defer k.Unlock()
	switch {
	case k.most == 0:
		k.most, k.gone = atFirst, map[*judge]bool{}
	case k.gone[j]:
		k.most *= 2
		clear(k.gone)
	}
	k.all = append(k.all, j)
	if len(k.all) <= k.most {
		return nil
	}
	oldest = k.all[0]
	k.all = k.all[1:]
	k.gone[oldest] = true
	return oldest
}

// KindIn is the kind of the first object in a text, as far as one can see without parsing it; "" where it cannot be seen.
func KindIn(src []byte) string {
	if m := kindLine().FindSubmatch(src); m != nil {
		return string(m[1])
	}
	return ""
}

var kindLine = text.Pattern(`(?m)^kind:[ \t]*([A-Za-z0-9]+)`)

// A judge is what judges the objects of a definition and of its copies.
type judge struct {
	prepare sync.Mutex
	server  *request.Server // nil before it is asked for, and when it is not kept
	why     string          // that there is none
	refused field.ErrorList // what a server that does not have the CRD yet says of it
}
