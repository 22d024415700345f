// Package cache keeps what runs of the program found out for runs to come, in a folder that many of them may use at once. It
// knows nothing about what is kept.
//
// A pack is a file that has all entries of one subject: it is read as a whole and replaced as a whole. Nobody has to trust
// the files but for their authors: an entry that is damaged, cut off or of another subject is not found, and goes when the
// file is written again.
package cache

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/crdlift/crdlift/internal/atomicfile"
)

// The bounds of a folder. What was not used for the longest time is dropped first.
const (
	maxAge    = 30        // days since an entry was used
	maxPack   = 128 << 20 // bytes of one pack
	maxFolder = 512 << 20 // bytes of all packs
)

// A Key is what an entry is found by: a hash of all that it depends on.
type Key [sha256.Size]byte

// A Pack is the entries of a subject. Get and Put may be called from several goroutines.
type Pack struct {
	path    string
	subject Key
	day     uint32 // of the run, since 1970
	known   map[Key]*entry

	mu    sync.Mutex
	asked map[Key]bool // entries that somebody asked for, and whether they are as they were written
	fresh map[Key][]byte
}

// An entry is a part of a file: a head, and then the text.
type entry struct {
	head
	text []byte
}

type head struct {
	Key    Key
	Day    uint32 // when it was used last
	Length uint32 // of the text
	Sum    [16]byte
}

var headSize = binary.Size(head{})

// suffix ends the names of packs, and heading is how they begin.
const (
	suffix  = ".pack"
	heading = "crdlift pack 1\n"
)

// Open reads the pack of a subject in a folder, which it makes if it is missing. A pack that cannot be read is empty. The
// error says that there can be no such folder.
func Open(folder string, subject Key, now time.Time) (*Pack, error) {
	if err := makeFolder(folder); err != nil {
		return nil, err
	}
	p := &Pack{
		path: filepath.Join(folder, hex.EncodeToString(subject[:20])+suffix), subject: subject, day: uint32(now.Unix() / (24 * 60 * 60)),
		asked: map[Key]bool{}, fresh: map[Key][]byte{},
	}
	p.load()
	return p, nil
}

// makeFolder makes a folder that git does not show.
func makeFolder(folder string) error {
	info, err := os.Stat(folder)
	if err == nil && !info.IsDir() {
		return &fs.PathError{Op: "open", Path: folder, Err: fmt.Errorf("not a folder")}
	}
	if err == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return atomicfile.WriteBelow(folder, ".gitignore", []byte("*\n"))
}

// load reads the file.
func (p *Pack) load() {
	p.known = map[Key]*entry{}
	f, err := atomicfile.OpenBelow(filepath.Split(p.path))
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxPack+maxPack/2 {
		return
	}
	text := make([]byte, info.Size())
	if _, err := io.ReadFull(f, text); err != nil {
		return
	}
	rest, ours := bytes.CutPrefix(text, []byte(heading))
	for ours && len(rest) >= headSize {
		e := &entry{}
		_, _ = binary.Decode(rest, binary.LittleEndian, &e.head) // there is enough of it
		if rest = rest[headSize:]; uint64(e.Length) > uint64(len(rest)) {
			return // it is cut off, or the length is damaged: what follows cannot be found
		}
		e.text, rest = rest[:e.Length:e.Length], rest[e.Length:]
		p.known[e.Key] = e
	}
}

// sum is what the text of an entry is checked by.
func (p *Pack) sum(k Key, text []byte) (sum [16]byte) {
	h := sha256.New()
	h.Write(p.subject[:])
	h.Write(k[:])
	h.Write(text)
	copy(sum[:], h.Sum(nil))
	return sum
}

// Get returns what an earlier run put under a key, which is not to be changed.
func (p *Pack) Get(k Key) (text []byte, ok bool) {
	e := p.known[k]
	if e == nil {
		return nil, false
	}
	ok = p.sum(k, e.text) == e.Sum
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked[k] = ok; !ok {
		return nil, false
	}
	return e.text, true
}

// Put keeps a text under a key, in the place of what an earlier run put there.
func (p *Pack) Put(k Key, text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh[k] = text
}

// Drop takes back what was put under a key.
func (p *Pack) Drop(k Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.fresh, k)
}

// Save writes the pack if it has changed, or if it has not been written today, with the entries that other processes have
// written in the meantime. Then it removes from the folder what is too much.
func (p *Pack) Save() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed := len(p.fresh) > 0
	for k, right := range p.asked {
		changed = changed || !right || p.known[k].Day != p.day
	}
	if !changed {
		return nil
	}
	p.load()
	for k, e := range p.known {
		right, asked := p.asked[k]
		if right {
			e.Day = p.day
		}
		// A day to come is damage.
		if asked && !right && p.sum(k, e.text) != e.Sum || e.Day > p.day || e.Day+maxAge < p.day || p.fresh[k] != nil {
			delete(p.known, k)
		}
	}
	folder, name := filepath.Split(p.path)
	if err := atomicfile.WriteBelow(folder, name, p.written()); err != nil {
		return err
	}
	return p.prune()
}

// written is the file to be: what is new, and of the rest as much as there is room for, the latest first.
func (p *Pack) written() []byte {
	all := slices.SortedFunc(maps.Values(p.known), func(a, b *entry) int {
		return cmp.Or(cmp.Compare(b.Day, a.Day), bytes.Compare(a.Key[:], b.Key[:]))
	})
	var fresh []*entry
	for _, k := range slices.SortedFunc(maps.Keys(p.fresh), func(a, b Key) int { return bytes.Compare(a[:], b[:]) }) {
		text := p.fresh[k]
		fresh = append(fresh, &entry{head{k, p.day, uint32(len(text)), p.sum(k, text)}, text})
	}
	out := []byte(heading)
	for _, e := range append(fresh, all...) {
		if len(out)+headSize+len(e.text) <= maxPack {
			out, _ = binary.Append(out, binary.LittleEndian, e.head)
			out = append(out, e.text...)
		}
	}
	return out
}

// prune removes the other packs of the folder that were not written for long, and the oldest of those that are too much
// together, with what an interrupted run may have left. It leaves other files alone.
func (p *Pack) prune() error {
	folder := filepath.Dir(p.path)
	all, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	type file struct {
		path string
		fs.FileInfo
	}
	var packs []file
	for _, d := range all {
		info, err := d.Info()
		if err != nil || !d.Type().IsRegular() {
			continue
		}
		at := file{filepath.Join(folder, d.Name()), info}
		switch {
		case isPack(d.Name()):
			packs = append(packs, at)
		case isLeft(d.Name()) && time.Since(info.ModTime()) > 24*time.Hour:
			_ = os.Remove(at.path)
		}
	}
	slices.SortFunc(packs, func(a, b file) int { return b.ModTime().Compare(a.ModTime()) })
	size := int64(0)
	for _, f := range packs {
		size += f.Size()
		if f.path != p.path && (size > maxFolder || time.Since(f.ModTime()) > (maxAge+1)*24*time.Hour) {
			_ = os.Remove(f.path) // that another process may have removed, or have open
		}
	}
	return nil
}

// isPack reports whether a name is one that Open gives.
func isPack(name string) bool {
	stem, ok := strings.CutSuffix(name, suffix)
	_, err := hex.DecodeString(stem)
	return ok && err == nil && len(stem) == 40
}

// isLeft reports whether a name is that of a temporary file of atomicfile for a pack.
func isLeft(name string) bool {
	stem, ok := strings.CutSuffix(strings.TrimPrefix(name, "."), ".tmp")
	return ok && len(stem) > 9 && isPack(stem[:len(stem)-9])
}
