// Package memory spends memory to save time: a Memory keeps what was found out, up to a number of things, for whoever asks again,
// and Tune has the garbage collector run less often in a program that lives for a second.
package memory

import "sync"

// A Memory keeps values. It can be used by several goroutines at a time. The zero value with a Limit is ready.
type Memory[K comparable, V any] struct {
	Limit int // how many values are kept
	lock  sync.RWMutex
	known map[K]V
}

// Get returns the value of a key, if it is known.
func (m *Memory[K, V]) Get(key K) (V, bool) {
	m.lock.RLock()
	defer m.lock.RUnlock()
	v, ok := m.known[key]
	return v, ok
}

// Has reports whether a key is known.
func (m *Memory[K, V]) Has(key K) bool {
	_, ok := m.Get(key)
	return ok
}

// Keep remembers a value. A full memory forgets all others: what is asked for again is soon known again.
func (m *Memory[K, V]) Keep(key K, v V) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.known == nil || len(m.known) >= m.Limit {
		m.known = map[K]V{}
	}
	m.known[key] = v
}

// Of returns the value of a key, which it finds out if it is not known. Two goroutines may both find it out.
func (m *Memory[K, V]) Of(key K, find func() V) V {
	v, ok := m.Get(key)
	if !ok {
		v = find()
		m.Keep(key, v)
	}
	return v
}
