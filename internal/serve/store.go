package serve

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A place is where an object is kept: in etcd's terms, its key.
type place struct {
	resource        schema.GroupResource
	namespace, name string
}

func (p place) key() string { return p.namespace + "/" + p.name }

// path is the key that etcd has for the place.
func (p place) path() string {
	return strings.TrimSuffix("/registry/"+p.resource.Group+"/"+p.resource.Resource+"/"+p.namespace, "/") + "/" + p.name
}

// An item is what is kept at a place, in JSON as etcd has it, and the revision of the write that put it there. It is zero where nothing
// is.
type item struct {
	raw      []byte
	revision int64
}

func (i item) is() bool { return i.raw != nil }

// An event is one write: what was at a place before, and what is there since.
type event struct {
	place
	was, is item // is has the revision of a removal, too
}

// The log keeps as many events as fit, the newest ones. Older revisions are gone, as after etcd's compaction.
const (
	logEvents = 20_000
	logBytes  = 64 << 20
)

// A store keeps objects, and what was kept before as far as its log goes. It may be used by several goroutines.
type store struct {
	lock     sync.RWMutex
	revision int64
	kept     map[schema.GroupResource]map[string]kept
	size     int64 // of what is kept, in bytes
	most     int64 // that it may be
	log      []event
	logSize  int
	gone     int64         // the revision of the newest event that the log does not have any more
	changed  chan struct{} // closed by the next write
}

type kept struct {
	place
	item
}

func newStore(most int64) *store {
	return &store{most: most, revision: 1, gone: 1, kept: map[schema.GroupResource]map[string]kept{}, changed: make(chan struct{})}
}

// A server with a full etcd, or of whom etcd rejects an object, answers as one that is broken.
var (
	errExpired = errors.New("the revision is too old")
	errLarge   = errors.New("etcdserver: request is too large")
)

// maxObject is how large an object may become, in bytes: DefaultMaxRequestBytes of etcd.
const maxObject = 3 << 19

// get is what is at a place, and the revision of the store.
func (s *store) get(at place) (found item, revision int64) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return s.kept[at.resource][at.key()].item, s.revision
}

// now is the revision of the newest write.
func (s *store) now() int64 {
	s.lock.RLock()
	defer s.lock.RUnlock()
	return s.revision
}

// write puts what become makes of an item in its place, or nothing where that is nil, and returns what is there then. Nothing is written
// where it is the same. When another write comes between, become is asked again. See GuaranteedUpdate of k8s.io/apiserver.
func (s *store) write(at place, become func(was item) ([]byte, error)) (item, error) {
	for {
		was, _ := s.get(at)
		raw, err := become(was)
		if err != nil || was.is() == (raw != nil) && bytes.Equal(raw, was.raw) {
			return was, err
		}
		if is, done, err := s.swap(at, was, raw); done || err != nil {
			return is, err
		}
	}
}

// swap replaces an item by another, unless it is not there any more.
func (s *store) swap(at place, was item, raw []byte) (is item, done bool, err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.kept[at.resource][at.key()].revision != was.revision {
		return item{}, false, nil
	}
	switch grows := len(raw) - len(was.raw); {
	case grows <= 0:
	case len(raw) > maxObject:
		return item{}, false, errLarge
	case s.size+int64(grows) > s.most:
		return item{}, false, fmt.Errorf("crdlift serve keeps at most %d bytes of objects; delete some, or start it again", s.most)
	}
	return s.put(at, was, raw), true, nil
}

func (s *store) put(at place, was item, raw []byte) item {
	s.revision++
	is := item{raw, s.revision}
	if s.kept[at.resource] == nil {
		s.kept[at.resource] = map[string]kept{}
	}
	if raw == nil {
		delete(s.kept[at.resource], at.key())
	} else {
		s.kept[at.resource][at.key()] = kept{at, is}
	}
	s.size += int64(len(raw) - len(was.raw))
	s.log = append(s.log, event{place: at, was: was, is: is})
	s.logSize += len(raw) + len(was.raw)
	for len(s.log) > logEvents || s.logSize > logBytes && len(s.log) > 1 {
		first := s.log[0]
		s.log[0] = event{} // or the array keeps it
		s.log, s.gone = s.log[1:], first.is.revision
		s.logSize -= len(first.is.raw) + len(first.was.raw)
	}
	s.tell()
	return is
}

// tell wakes who waits for changes.
func (s *store) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// wake wakes who waits for changes without one.
func (s *store) wake() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.tell()
}

// clear removes the objects of all resources but some.
func (s *store) clear(spared func(schema.GroupResource) bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for resource, all := range s.kept {
		if spared(resource) {
			continue
		}
		for _, one := range sorted(all) {
			s.put(one.place, one.item, nil)
		}
	}
}

// list is what is kept of a resource in one namespace, or in all with "", by its places. At is the revision that is asked for; 0 stands
// for the newest.
func (s *store) list(of schema.GroupResource, namespace string, at int64) (all []kept, revision int64, err error) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	found := s.kept[of]
	if at != 0 && at < s.revision {
		if at < s.gone {
			return nil, s.revision, errExpired
		}
		found = maps.Clone(found)
		for i := len(s.log) - 1; i >= 0 && s.log[i].is.revision > at; i-- {
			switch e := s.log[i]; {
			case e.resource != of:
			case e.was.is():
				found[e.key()] = kept{e.place, e.was}
			default:
				delete(found, e.key())
			}
		}
		revision = at
	} else {
		revision = s.revision
	}
	all = sorted(found)
	if namespace != "" {
		all = slices.DeleteFunc(all, func(k kept) bool { return k.namespace != namespace })
	}
	return all, revision, nil
}

// sorted are items in the order of their keys in etcd.
func sorted(all map[string]kept) []kept {
	return slices.SortedFunc(maps.Values(all), func(a, b kept) int { return strings.Compare(a.key(), b.key()) })
}

// since are the events of a resource after a revision, and a channel that is closed by the next write.
func (s *store) since(of schema.GroupResource, revision int64) (all []event, now int64, next <-chan struct{}, err error) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if revision < s.gone {
		return nil, s.revision, nil, errExpired
	}
	from, _ := slices.BinarySearchFunc(s.log, revision+1, func(e event, r int64) int { return int(e.is.revision - r) })
	for _, e := range s.log[from:] {
		if e.resource == of {
			all = append(all, e)
		}
	}
	return all, s.revision, s.changed, nil
}
