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
// 256 KiB.
func (t *tester) tryLarge() {
	for _, version := range t.out.Versions {
		from := t.server.Version(version)
		o, at := t.growable(from)
		if o == nil {
			t.remark("no field of %s takes a large value, so that large objects were not tried", version)
			continue
		}
		for _, pair := range t.pairs {
			if pair.From == version && !t.broken[pair] && t.over() == nil {
				t.enlarge(pair, o, at)
			}
		}
	}
}

// enlarge has an object converted with larger and larger values, until that fails.
func (t *tester) enlarge(pair Pair, o Object, at request.Path) {
	from, to := t.server.Version(pair.From), t.server.Version(pair.To)
	if _, no := t.pass(admit(from, o), from, to); no != nil {
		return // it is not its size
	}
	for _, size := range sizes {
		large := admit(from, grow(o, at, size))
		if large == nil {
			return
		}
		if _, no := t.pass(large, from, to); no != nil {
			t.note(hit{Finding: Finding{
				Property: AnnotationSize, Pair: pair, Version: from.Name, Path: at, Object: Object{},
				Detail: fmt.Sprintf("an object of %d KiB: %s", size>>10, no.err),
			}})
			return
		}
	}
}

// growable is an object with the place of a text that can be as long as the largest of the sizes.
func (t *tester) growable(v *request.Version) (Object, request.Path) {
	for _, o := range t.objects[v.Name] {
		for _, at := range paths(o) {
			value, _ := at.In(o)
			if _, ok := value.(string); !ok || isHead(at[0].Key) || !isUnlimited(v, at) {
				continue
			}
			if admit(v, grow(o, at, sizes[len(sizes)-1])) != nil {
				return o, at
			}
		}
	}
	return nil, nil
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
	set(large, at, strings.Repeat("large ", size/len("large ")))
	return large
}
