package before

import (
	"bytes"
	"hash/maphash"
	"iter"
	"slices"
)

// mentions say which files hold a text that could be the name of a CRD, which is the plural name, a dot and the group.
// They are found without parsing: most files of a repository have nothing to do with a change. Names are kept as
// hashes, so a file may be looked into for nothing, but none is missed.
type mentions map[uint64][]int

var seed = maphash.MakeSeed()

// filed is the name under which every file is filed that was looked at; veiled that of those which may have names, and
// the kind, in other letters than they stand for.
const (
	filed  = "."
	veiled = ".."
)

// veils are what hides a name: escapes, a line that goes on in the next, base64.
var veils = [][]byte{[]byte(`\x`), []byte(`\u`), []byte(`\U`), []byte("\\\n"), []byte("\\\r"), []byte("!!binary"), []byte("tag:yaml.org,2002:")}

// isVeiled says whether a text may have names that add does not recognise.
func isVeiled(text []byte) bool {
	return slices.ContainsFunc(veils, func(v []byte) bool { return bytes.Contains(text, v) })
}

// add files a text under all names in it.
func (m mentions) add(file int, text []byte) {
	m.put(maphash.String(seed, filed), file)
	if isVeiled(text) {
		m.put(maphash.String(seed, veiled), file)
	}
	for name := range Names(text) {
		m.put(maphash.Bytes(seed, name), file)
	}
}

// Names are what in a text could be the name of a CRD, as IsName has it.
func Names(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for start := 0; start < len(text); {
			if !isNameByte(text[start]) {
				start++
				continue
			}
			end, dots := start, 0
			for end < len(text) && isNameByte(text[end]) {
				if text[end] == '.' {
					dots++
				}
				end++
			}
			if name := trim(text[start:end]); dots > 0 && len(name) > 2 && !yield(name) {
				return
			}
			start = end
		}
	}
}

func (m mentions) put(hash uint64, file int) {
	files := m[hash]
	if len(files) == 0 || files[len(files)-1] != file {
		m[hash] = append(files, file)
	}
}

// of lists the files that may hold a CRD of a name. A name that no API server would take may be written in ways that
// are not recognised; then it is all of them.
func (m mentions) of(name string) []int {
	if IsName(name) {
		found := slices.Concat(m[maphash.String(seed, name)], m[maphash.String(seed, veiled)])
		slices.Sort(found)
		return slices.Compact(found)
	}
	return append([]int(nil), m[maphash.String(seed, filed)]...)
}

// mayHave says whether a file is one of them.
func (m mentions) mayHave(name string, file int) bool {
	under := []string{name, veiled}
	if !IsName(name) {
		under = []string{filed}
	}
	return slices.ContainsFunc(under, func(name string) bool {
		_, found := slices.BinarySearch(m[maphash.String(seed, name)], file)
		return found
	})
}

// has says whether a file was filed at all.
func (m mentions) has(file int) bool {
	_, found := slices.BinarySearch(m[maphash.String(seed, filed)], file)
	return found
}

// IsName says whether Names finds a name wherever it is written plainly.
func IsName(name string) bool {
	dots := 0
	for i := range len(name) {
		if !isNameByte(name[i]) {
			return false
		}
		if name[i] == '.' {
			dots++
		}
	}
	return dots > 0 && len(name) > 2 && len(trim([]byte(name))) == len(name)
}

func isNameByte(b byte) bool {
	return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '-' || b == '.'
}

// trim cuts off what belongs to the sentence around a name, or to the list that it begins an item of.
func trim(name []byte) []byte {
	for len(name) > 0 && (name[0] == '.' || name[0] == '-') {
		name = name[1:]
	}
	for n := len(name); n > 0 && (name[n-1] == '.' || name[n-1] == '-'); n = len(name) {
		name = name[:n-1]
	}
	return name
}
