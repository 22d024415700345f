package complete

import (
	"bytes"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/marker"
)

// A GoMarker is a comment of Go that begins with a plus sign, and the declaration that it stands above.
type GoMarker struct {
	Text       string // from the plus sign on
	Start, End int    // of the text, as offsets
	Above      marker.Target
	Symbol     string // what it stands above: "Widget", "WidgetSpec.Size"; "" for neither type nor field, and it may be for the package
	Decl       int    // the offset of the name of that
	Type       string // of the field, or what the type is, as it is written
	Detached   bool   // an empty line is between
}

// A block is what stands in brackets.
type block struct {
	kind     token.Token // STRUCT for the fields of one, TYPE for types in parentheses, else ILLEGAL
	name     string      // of the type
	from, to int         // the indexes of its markers; of a struct in another they are the same
	meta     int         // how many of TypeMeta and ObjectMeta are embedded
}

// GoMarkers finds the markers of a Go file, and where its types and their fields are declared, as offsets of their names. It does so by
// tokens alone: while somebody types, Go does not parse.
func GoMarkers(src []byte) (all []GoMarker, declared map[string]int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, scanner.ScanComments)
	open := []block{{}}    // of which the first is the file
	next := block{}        // what a struct would be that begins now
	waiting, typed := 0, 0 // the first markers of which it is not known what they stand above, and those above a type without a name yet
	last, end := token.SEMICOLON, 0
	declared = map[string]int{}
	stand := func(markers []GoMarker, what GoMarker) {
		if _, has := declared[what.Symbol]; !has {
			declared[what.Symbol] = what.Decl
		}
		for i, m := range markers {
			between := bytes.Split(src[m.End:what.Decl], []byte("\n"))
			what.Text, what.Start, what.End = m.Text, m.Start, m.End
			what.Detached = slices.ContainsFunc(between[1:len(between)-1], func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 })
			markers[i] = what
		}
	}
	for {
		pos, tok, literal := s.Scan()
		at := file.Offset(pos)
		in := &open[len(open)-1]
		begins := last == token.SEMICOLON || last == token.LBRACE || last == token.LPAREN
		switch {
		case tok == token.EOF:
			return all, declared
		case tok == token.COMMENT:
			text, line := strings.CutPrefix(literal, "//")
			text = strings.TrimSpace(text)
			if line && strings.HasPrefix(text, "+") && (end == 0 || bytes.IndexByte(src[min(end, at):at], '\n') >= 0) {
				at += strings.IndexByte(literal, '+')
				all = append(all, GoMarker{Text: text, Start: at, End: at + len(text)})
			}
			continue
		case tok == token.SEMICOLON:
			last, next = tok, block{}
			continue
		case begins && in.kind == token.STRUCT && (tok == token.IDENT || tok == token.MUL):
			before, name, of := fieldIn(string(lines.Text(src[at:])))
			stand(all[waiting:], GoMarker{Above: marker.AboveField, Symbol: in.name + "." + name, Decl: at + len(before), Type: of})
			if before != "" && (name == "TypeMeta" || name == "ObjectMeta") {
				in.meta++
			}
			for i := in.from; i < in.to && in.meta == 2; i++ { // as FindKubeKinds of controller-tools
				all[i].Above = marker.AboveKind
			}
			next = block{kind: token.STRUCT, name: in.name + "." + name}
		case tok == token.IDENT && begins && in.kind == token.TYPE, tok == token.IDENT && last == token.TYPE && len(open) == 1:
			if begins {
				typed = waiting
			}
			_, name, of := fieldIn(string(lines.Text(src[at:])))
			if name != literal { // it has parameters
				of = ""
			}
			stand(all[typed:], GoMarker{Above: marker.AboveType, Symbol: literal, Decl: at, Type: of})
			next = block{token.STRUCT, literal, typed, len(all), 0}
		case tok == token.TYPE:
			typed = waiting
		case tok == token.LBRACE && last == token.STRUCT:
			open, next = append(open, next), block{}
		case tok == token.LPAREN && last == token.TYPE && len(open) == 1:
			open = append(open, block{kind: token.TYPE})
		case tok == token.LBRACE || tok == token.LPAREN || tok == token.LBRACK:
			open = append(open, block{})
		case (tok == token.RBRACE || tok == token.RPAREN || tok == token.RBRACK) && len(open) > 1:
			open = open[:len(open)-1]
		}
		waiting, last, end = len(all), tok, at+max(len(literal), 1)
	}
}

// fieldIn reads a field up to the end of its line: its name, its type and, if it is embedded, what is before the name in that.
func fieldIn(line string) (before, name, of string) {
	line, _, _ = strings.Cut(line, "`")
	line, _, _ = strings.Cut(line, "//")
	name, of, named := strings.Cut(strings.Join(strings.Fields(line), " "), " ")
	if named {
		return "", strings.TrimSuffix(name, ","), of
	}
	at := strings.LastIndexAny(name, ".*") + 1
	return name[:at], name[at:], name
}
