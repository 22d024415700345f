package webhook

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
)

// sizes are those of the values to make an object large with. A server stores objects of up to 1.5 MiB.
var sizes = []int{64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20}

// tryLarge grows an object of each version until it cannot be converted: what is carried in an annotation has to fit into
// 256 KiB, and what is read of a request is often limited.
func (t *tester) tryLarge() {
	var found []hit
	for _, version := range t.out.Versions {
		for _, pair := range t.pairs {
			if pair.From != version || t.broken[pair] || t.over() != nil {
				continue
			}
			h, grown := t.enlarge(pair, t.growable(pair))
			if !grown {
				t.remark("%s: no field accepts free text, so crdlift tried no large objects", pair)
			}
			if h != nil && t.over() == nil {
				found = append(found, *h)
			}
		}
	}
	t.noteAll(found)
}

// A growable is an object with the place of a text that can be as long as the largest of the sizes.
type growable struct {
	object Object
	at     request.Path
}

// maxGrowable is how many of them are tried until one is converted with other texts than its own.
const maxGrowable = 5

// growable are some of the objects that a pair converts as they are.
func (t *tester) growable(pair Pair) (all []growable) {
	v, to := t.server.Version(pair.From), t.server.Version(pair.To)
	seen := map[string]bool{}
	for _, o := range t.of(v.Name).objects {
		if admitted := t.admit(v, o); admitted == nil || !t.converts(admitted, v, to) {
			continue
		}
		for _, at := range paths(o) {
			value, _ := at.In(o)
			field := fieldOf(v, at).Field()
			if _, ok := value.(string); !ok || seen[field] || isHead(at[0].Key) || !isUnlimited(v, at) {
				continue
			}
			if seen[field] = true; admit(v, grow(o, at, sizes[len(sizes)-1])) != nil {
				all = append(all, growable{o, at})
			}
			if len(all) == maxGrowable {
				return all
			}
		}
	}
	return all
}

func (t *tester) converts(o Object, from, to *request.Version) bool {
	_, no := t.pass(o, from, to)
	return no == nil
}

// enlarge has an object converted with larger and larger values, until that fails. It is one that is converted whatever its text
// is, as long as that is short; false where there is none.
func (t *tester) enlarge(pair Pair, places []growable) (*hit, bool) {
	from, to := t.server.Version(pair.From), t.server.Version(pair.To)
	for _, place := range places {
		pass := func(size int) *failure {
			_, no := t.pass(admit(from, grow(place.object, place.at, size)), from, to)
			return no
		}
		fits := 30
		if pass(fits) != nil {
			continue
		}
		for _, size := range sizes {
			no := pass(size)
			if no == nil {
				fits = size
				continue
			}
			h := t.failure(no)
			h.Version = from.Name
			if h.Object = (Object{}); strings.Contains(h.Detail, "annotation") { // see ValidateAnnotationsSize; a webhook may say so itself
				h.Property, h.Path, h.Detail = AnnotationSize, place.at, fmt.Sprintf("an object of %d KiB: %s", size>>10, no.err)
				return &h, true
			}
			for size-fits > max(size/16, 1<<10) {
				if middle := (fits + size) / 2; pass(middle) == nil {
					fits = middle
				} else {
					size = middle
				}
			}
			h.Size = len(canonical(grow(place.object, place.at, size))) >> 10
			return &h, true
		}
		return nil, true
	}
	return nil, false
}

// isUnlimited reports whether a text may be of any length and spelling.
func isUnlimited(v *request.Version, at request.Path) bool {
	s := v.Declared(at)
	if s == nil || s.ValueValidation == nil {
		above := v.Declared(at[:len(at)-1])
		return above == nil || !above.XEmbeddedResource
	}
	limits := s.ValueValidation
	return limits.MaxLength == nil && limits.Format == "" && limits.Pattern == "" && len(limits.Enum) == 0
}

func grow(o Object, at request.Path, size int) Object {
	large := runtime.DeepCopyJSON(o)
	at.Set(large, strings.Repeat("large ", size/len("large ")))
	return large
}
