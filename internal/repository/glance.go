package repository

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
)

// A glimpse is what the lines of a document say without a parser, which takes longer than all else that roles need.
type glimpse struct {
	sure     bool           // a parser would read the same, or fail
	at       map[string]int // the paths of at most three keys that are there, and how many lines are above them
	values   map[string]string
	first    int // the lines above the first key
	around   []entry
	skip     int  // what is further in than this column belongs to a value; -1 where nothing does
	quote    byte // of a value that goes on; 0 for none
	quotedAt int  // the column of its key
}

// An entry is a key, or the dash of an item, around a line.
type entry struct {
	key    string
	column int
}

var (
	plainWord = regexp.MustCompile(`^[A-Za-z][\w.-]*(/\w+)?$`)
	nonString = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null)$`)
)

func (g *glimpse) isCRD() bool {
	group, _, _ := strings.Cut(g.values["/apiVersion"], "/")
	return group == crd.Group && g.values["/kind"] == crd.Kind &&
		g.values["/metadata/name"] != "" && g.values["/spec/group"] != "" && g.values["/spec/names/kind"] != ""
}

// isOther reports whether a document is an object of another kind, and no list, which may hold CRDs.
func (g *glimpse) isOther() bool {
	kind, api := g.values["/kind"], g.values["/apiVersion"]
	return kind != "" && api != "" && !strings.HasSuffix(kind, "List") && (kind != crd.Kind || !strings.HasPrefix(api, crd.Group+"/"))
}

func (g *glimpse) document(d *manifest.Document) *Document {
	one := &Document{Name: g.values["/metadata/name"], Group: g.values["/spec/group"], Kind: g.values["/spec/names/kind"]}
	above, _ := d.File.Position(d.Start)
	one.Line = above + g.first
	_, one.generated = g.at["/metadata/annotations/"+generatorAnnotation]
	return one
}

// glance reads a document in block style. It is not sure of what is seldom written: anchors, tags, flow style over several
// lines, escapes, keys that are there twice. Lines with nothing but an action of a template are no YAML for any parser.
func glance(text []byte) *glimpse {
	g := &glimpse{sure: !lines.HaveOddBreaks(text), at: map[string]int{}, values: map[string]string{}, first: -1, skip: -1}
	number := 0
	for line := range bytes.Lines(text) {
		g.line(line, number)
		number++
	}
	g.sure = g.sure && g.quote == 0 && g.first >= 0
	return g
}

func (g *glimpse) line(line []byte, number int) {
	rest := bytes.TrimLeft(line, " ")
	column := len(line) - len(rest)
	rest = bytes.TrimRight(rest, " \t\r\n")
	switch {
	case g.quote != 0:
		g.closeQuote(rest, g.quotedAt)
		return
	case len(rest) == 0, g.skip >= 0 && column > g.skip:
		return
	}
	g.skip = -1
	switch {
	case rest[0] == '#', bytes.HasPrefix(rest, []byte("{{")):
		return
	case column == 0 && (lines.IsMarker(rest, "---") || lines.IsMarker(rest, "...")):
		g.sure = g.sure && lines.IsBlankOrComment(rest[3:]) && len(g.around) == 0
		return
	case rest[0] == '%' && column == 0:
		return
	}
	for isDash(rest) {
		g.enter("-", column, number)
		inner := bytes.TrimLeft(rest[1:], " ")
		if len(inner) == 0 || inner[0] == '#' {
			return
		}
		if _, _, isEntry := cutKey(inner); !isEntry && !isDash(inner) || inner[0] == '{' || inner[0] == '[' {
			g.value(inner, column, "")
			return
		}
		column, rest = column+len(rest)-len(inner), inner
	}
	g.entry(rest, column, number)
}

// isDash reports whether a text begins with an item of a list.
func isDash(text []byte) bool { return text[0] == '-' && (len(text) == 1 || text[1] == ' ') }

// cutKey cuts a text at the colon behind a key, which is plain or quoted.
func cutKey(text []byte) (key string, value []byte, ok bool) {
	if q := text[0]; q == '"' || q == '\'' {
		end := bytes.IndexByte(text[1:], q)
		if end < 0 {
			return "", nil, false
		}
		value, ok = bytes.CutPrefix(bytes.TrimLeft(text[end+2:], " "), []byte(":"))
		return string(text[1 : end+1]), value, ok
	}
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] == ':' && (at+1 == len(text) || text[at+1] == ' ' || text[at+1] == '\t'):
			return string(bytes.TrimRight(text[:at], " ")), text[at+1:], true
		case text[at] == '#' && at > 0 && text[at-1] == ' ':
			return "", nil, false
		}
	}
	return "", nil, false
}

// entry reads a line of the form `key: value`.
func (g *glimpse) entry(text []byte, column, number int) {
	key, value, ok := cutKey(text)
	if !ok || strings.IndexByte("&*!?:{[|>\t,", text[0]) >= 0 || strings.ContainsAny(key, "\\\t") || key == "<<" {
		g.sure = false
		return
	}
	g.value(bytes.TrimLeft(value, " "), column, g.enter(key, column, number))
}

// enter notes a key or a dash, and returns the path of a key that is at most three deep, and in no list.
func (g *glimpse) enter(key string, column, number int) string {
	for n := len(g.around); n > 0 && (g.around[n-1].column > column || g.around[n-1].column == column && (key != "-" || g.around[n-1].key == "-")); n-- {
		g.around = g.around[:n-1]
	}
	if len(g.around) == 3 {
		return ""
	}
	g.sure = g.sure && (len(g.around) > 0 || column == 0 && key != "-")
	if g.around = append(g.around, entry{key, column}); slices.ContainsFunc(g.around, func(e entry) bool { return e.key == "-" }) {
		return ""
	}
	path := ""
	for _, e := range g.around {
		path += "/" + e.key
	}
	if g.first < 0 {
		g.first = number
	}
	if _, twice := g.at[path]; twice {
		g.sure = false
	}
	g.at[path] = number
	return path
}

// value reads what is behind the colon of a key or a dash in a column. It keeps a plain or quoted word with its path.
func (g *glimpse) value(text []byte, column int, path string) {
	if len(text) == 0 || text[0] == '#' {
		return
	}
	g.skip = column // what is further in belongs to it
	switch text[0] {
	case '"', '\'':
		g.quote, g.quotedAt = text[0], column
		text = g.closeQuote(text[1:], column)
	case '{', '[':
		g.sure = g.sure && (string(text) == "{}" || string(text) == "[]")
	case '&', '*', '!', '%', '@', '`', '\t':
		g.sure = false
	default:
		if path == "" {
			return
		}
		if before, _, found := bytes.Cut(text, []byte(" #")); found {
			text = bytes.TrimRight(before, " \t")
		}
		if nonString.Match(text) {
			return
		}
	}
	if path != "" && plainWord.Match(text) {
		g.values[path] = string(text)
	}
}

// closeQuote looks for the end of a quoted value in the text of a line, and returns what is before it.
func (g *glimpse) closeQuote(text []byte, column int) []byte {
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] == '\\' && g.quote == '"':
			at++
		case text[at] != g.quote:
		case g.quote == '\'' && at+1 < len(text) && text[at+1] == '\'':
			at++
		default:
			g.quote, g.skip = 0, column
			rest := text[at+1:]
			g.sure = g.sure && (len(rest) == 0 || rest[0] == ' ' && lines.IsBlankOrComment(rest))
			return text[:at]
		}
	}
	return nil
}
