package cache

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var today = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

func keyOf(name string) Key { return sha256.Sum256([]byte(name)) }

func open(t testing.TB, folder, subject string, now time.Time) *Pack {
	t.Helper()
	p, err := Open(folder, keyOf(subject), now)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// put has a run keep texts under their own names.
func put(t testing.TB, folder, subject string, now time.Time, names ...string) *Pack {
	t.Helper()
	p := open(t, folder, subject, now)
	for _, name := range names {
		p.Put(keyOf(name), []byte("text of "+name))
	}
	if err := p.Save(); err != nil {
		t.Fatal(err)
	}
	return p
}

// has returns those of the names that a run finds. A text that is not that of its name is an error.
func has(t testing.TB, p *Pack, names ...string) (found []string) {
	t.Helper()
	for _, name := range names {
		text, ok := p.Get(keyOf(name))
		if ok && string(text) != "text of "+name {
			t.Errorf("%s has the text %q", name, text)
		}
		if ok {
			found = append(found, name)
		}
	}
	return found
}

func wants(t testing.TB, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestKeeps(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "cache")
	first := put(t, folder, "s", today, "a", "b")
	if _, ok := first.Get(keyOf("a")); ok {
		t.Error("a run finds what it has put itself")
	}
	wants(t, has(t, open(t, folder, "s", today), "a", "b", "c"), "a", "b")
	wants(t, has(t, open(t, folder, "other", today), "a", "b", "c"))
	put(t, folder, "s", today, "c")
	wants(t, has(t, open(t, folder, "s", today), "a", "b", "c"), "a", "b", "c")
	if text, err := os.ReadFile(filepath.Join(folder, ".gitignore")); err != nil || string(text) != "*\n" {
		t.Errorf("git does not ignore the folder: %q %v", text, err)
	}
}

func TestRenews(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	put(t, folder, "s", today, "a")
	p := open(t, folder, "s", today)
	p.Put(keyOf("a"), []byte("newer"))
	p.Put(keyOf("b"), []byte("taken back"))
	p.Drop(keyOf("b"))
	if err := p.Save(); err != nil {
		t.Fatal(err)
	}
	p = open(t, folder, "s", today)
	if text, ok := p.Get(keyOf("a")); !ok || string(text) != "newer" {
		t.Errorf("found %q", text)
	}
	wants(t, has(t, p, "b"))
}

// TestWritesNothing saves what has not changed: a run that finds all it needs writes no file.
func TestWritesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := put(t, folder, "s", today, "a").path
	for day, same := range []bool{true, false} {
		if err := os.Chtimes(path, today, today); err != nil {
			t.Fatal(err)
		}
		p := open(t, folder, "s", today.AddDate(0, 0, day))
		wants(t, has(t, p, "a", "b"), "a")
		if err := p.Save(); err != nil {
			t.Fatal(err)
		}
		if after, err := os.Stat(path); err != nil || after.ModTime().Equal(today) != same {
			t.Errorf("%d days later: the same file %v, want %v; %v", day, !same, same, err)
		}
	}
}

func TestDropsOld(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	put(t, folder, "s", today, "used", "unused")
	for day := range maxAge + 1 {
		p := open(t, folder, "s", today.AddDate(0, 0, day))
		wants(t, has(t, p, "used"), "used")
		if err := p.Save(); err != nil {
			t.Fatal(err)
		}
	}
	wants(t, has(t, open(t, folder, "s", today), "used", "unused"), "used", "unused")
	put(t, folder, "s", today.AddDate(0, 0, maxAge+1), "new")
	wants(t, has(t, open(t, folder, "s", today), "used", "unused", "new"), "used", "new")
	// The clock went back: what is of days to come is renewed.
	put(t, folder, "s", today, "earlier")
	wants(t, has(t, open(t, folder, "s", today), "used", "new", "earlier"), "earlier")
}

// TestBound keeps the entries that were used last where there are too many, the last of which fits in just so.
func TestBound(t *testing.T) {
	t.Parallel()
	p := open(t, t.TempDir(), "s", today)
	large := make([]byte, maxPack/4)
	for i := range 6 {
		k := keyOf(fmt.Sprint(i))
		p.known[k] = &entry{head{Key: k, Day: p.day - uint32(i)}, large}
	}
	p.fresh[keyOf("new")] = []byte("text of new")
	p.known[keyOf("3")].text = large[:len(large)-len(heading)-5*headSize-len("text of new")]
	if out := p.written(); len(out) != maxPack {
		t.Errorf("the file has %d bytes", len(out))
	} else if !strings.Contains(string(out[:1000]), "text of new") {
		t.Error("what is new is not in it")
	}
}

func TestPrunes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	old := put(t, folder, "old", today, "a").path
	recent := put(t, folder, "recent", today, "a").path
	files := map[string]bool{ // whether they stay
		old: false, recent: true,
		filepath.Join(folder, "."+filepath.Base(old)+".0123abcd.tmp"): false,
		filepath.Join(folder, "notes.pack"):                           true,
		filepath.Join(folder, ".notes.tmp"):                           true,
		filepath.Join(folder, "crd.yaml"):                             true,
		filepath.Join(folder, strings.Repeat("0a", 20)):               true,
		filepath.Join(folder, strings.Repeat("no", 20)+suffix):        true,
		filepath.Join(folder, ".no.0123abcd.tmp"):                     true,
	}
	longAgo := time.Now().AddDate(0, 0, -maxAge-2)
	for path := range files {
		if _, err := os.Stat(path); err != nil {
			if err := os.WriteFile(path, []byte("theirs"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if path != recent {
			if err := os.Chtimes(path, longAgo, longAgo); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(t, folder, "s", today, "a")
	for path, stays := range files {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s: stays %v, want %v", filepath.Base(path), err == nil, stays)
		}
	}
}

// TestPrunesLarge keeps the packs that were written last where all are too much together: as much as there is room for.
func TestPrunesLarge(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var paths []string
	for i := range 5 {
		path := put(t, folder, fmt.Sprint(i), today, "a").path
		paths = append(paths, path)
		size := int64(maxPack)
		if info, err := os.Stat(path); err == nil && i == 3 {
			size -= info.Size() // that of the pack which is written last
		}
		if err := os.Truncate(path, size); err != nil { // which takes no room
			t.Skipf("no such files here: %v", err)
		}
		at := time.Now().Add(-time.Duration(i+1) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	put(t, folder, "s", today, "a")
	for i, path := range paths {
		if _, err := os.Stat(path); (err == nil) != (i < 4) {
			t.Errorf("pack %d: stays %v", i, err == nil)
		}
	}
}

// TestTogether has runs begin before the others end: each keeps what they found.
func TestTogether(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	put(t, folder, "s", today, "first")
	var runs []*Pack
	var names []string
	for i := range 8 {
		p := open(t, folder, "s", today)
		name := fmt.Sprint(i)
		p.Put(keyOf(name), []byte("text of "+name))
		runs, names = append(runs, p), append(names, name)
	}
	for _, p := range runs {
		if err := p.Save(); err != nil {
			t.Fatal(err)
		}
	}
	wants(t, has(t, open(t, folder, "s", today), append(names, "first")...), append(names, "first")...)
}

// TestRace has many runs read and write at once. One may lose what another found, and nobody finds anything wrong.
func TestRace(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 10 {
				p := open(t, folder, "s", today)
				var inside sync.WaitGroup
				for k := range 4 {
					inside.Go(func() {
						has(t, p, fmt.Sprint(k))
						p.Put(keyOf(fmt.Sprint(k)), []byte("text of "+fmt.Sprint(k)))
						p.Put(keyOf(fmt.Sprint(i, j)), []byte("text of "+fmt.Sprint(i, j)))
					})
				}
				inside.Wait()
				if err := p.Save(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	wants(t, has(t, open(t, folder, "s", today), "0", "1", "2", "3"), "0", "1", "2", "3")
}

// TestDamage changes and cuts off a pack at each of its bytes. An entry is found as it was, or not at all, and the next run
// renews what is missing.
func TestDamage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	names := []string{"a", "b", "c"}
	path := put(t, folder, "s", today, names...).path
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for i := range whole {
		damaged := append([]byte{}, whole...)
		damaged[i] ^= 1 << (i % 8)
		for _, text := range [][]byte{damaged, whole[:i]} {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
			p := open(t, folder, "s", today)
			lost += len(names) - len(has(t, p, names...))
			if i%16 > 0 {
				continue
			}
			for _, name := range names {
				if _, ok := p.Get(keyOf(name)); !ok {
					p.Put(keyOf(name), []byte("text of "+name))
				}
			}
			if err := p.Save(); err != nil {
				t.Fatal(err)
			}
			wants(t, has(t, open(t, folder, "s", today), names...), names...)
		}
	}
	if lost < len(whole) {
		t.Errorf("%d entries were lost in %d damaged files", lost, 2*len(whole))
	}
}

// TestWrongGoes saves a pack with a damaged entry that is not renewed: it is not written again.
func TestWrongGoes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := put(t, folder, "s", today, "a", "b").path
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "text of a", "text of x", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	p := open(t, folder, "s", today)
	wants(t, has(t, p, "a", "b"), "b")
	if err := p.Save(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), "text of x") {
		t.Errorf("the damaged entry is still there: %v", err)
	}
}

// TestRenamed gives a pack the name of another subject: its entries are not that one's.
func TestRenamed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	from, to := put(t, folder, "s", today, "a").path, put(t, folder, "other", today, "b").path
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
	wants(t, has(t, open(t, folder, "other", today), "a", "b"))
}

func TestNoFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{file, filepath.Join(file, "below")} {
		if _, err := Open(at, keyOf("s"), today); err == nil {
			t.Errorf("%s is a folder", at)
		}
	}
	// Something else in the place of a pack is left alone.
	p := open(t, folder, "s", today)
	if err := os.Mkdir(p.path, 0o755); err != nil {
		t.Fatal(err)
	}
	p = open(t, folder, "s", today)
	p.Put(keyOf("a"), []byte("x"))
	if err := p.Save(); err == nil {
		t.Error("a folder was replaced by a pack")
	}
}

// FuzzPack reads any file as a pack, writes it again and reads that.
func FuzzPack(f *testing.F) {
	path := put(f, f.TempDir(), "s", today, "a", "b").path
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(heading))
	f.Add(append([]byte(heading), make([]byte, 2*headSize)...))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := t.TempDir()
		p := open(t, folder, "s", today)
		if err := os.WriteFile(p.path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		p = open(t, folder, "s", today)
		found := has(t, p, "a", "b")
		p.Put(keyOf("c"), []byte("text of c"))
		if err := p.Save(); err != nil {
			t.Fatal(err)
		}
		wants(t, has(t, open(t, folder, "s", today), "a", "b", "c"), append(found, "c")...)
	})
}
