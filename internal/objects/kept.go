package objects

import (
	"regexp"
	"sync"
)

// atFirst is how many servers are kept before it is known in which order objects come.
const atFirst = 8

// kept are the definitions whose servers are kept, the newest last. A server has compiled rules and several forms of its
// schema, half a megabyte for a usual CRD, and the objects of a kind mostly come together: when there are many servers, the
// oldest is let go of. If one is asked for again, objects come in another order, and from then on twice as many are kept.
type kept struct {
	sync.Mutex
	most int
	all  []*Definition
	gone map[*Definition]bool
}

// add notes that the server of a definition was made.
func (k *kept) add(d *Definition) {
	if oldest := k.replace(d); oldest != nil {
		oldest.forget()
	}
}

// replace returns the definition whose server is not kept any more; nil for none.
func (k *kept) replace(d *Definition) (oldest *Definition) {
	k.Lock()
	defer k.Unlock()
	switch {
	case k.most == 0:
		k.most, k.gone = atFirst, map[*Definition]bool{}
	case k.gone[d]:
		k.most *= 2
		clear(k.gone)
	}
	k.all = append(k.all, d)
	if len(k.all) <= k.most {
		return nil
	}
	oldest = k.all[0]
	k.all = k.all[1:]
	k.gone[oldest] = true
	return oldest
}

// forget lets go of the server.
func (d *Definition) forget() {
	d.prepare.Lock()
	defer d.prepare.Unlock()
	d.server = nil
}

// KindIn is the kind of the first object in a text, as far as one can see without parsing it; "" where it cannot be seen.
func KindIn(src []byte) string {
	if m := kindLine.FindSubmatch(src); m != nil {
		return string(m[1])
	}
	return ""
}

var kindLine = regexp.MustCompile(`(?m)^kind:[ \t]*([A-Za-z0-9]+)`)
