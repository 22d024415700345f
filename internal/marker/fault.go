package marker

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/crdlift/crdlift/internal/text"
)

// A Fault is why controller-gen makes nothing of a marker that is meant for it.
type Fault int

const (
	None      Fault = iota // it takes the marker, or the marker is not meant for it
	Misspelt               // it knows another name or form
	Unknown                // it knows no marker for validation of that name
	Misplaced              // it takes the marker above something else only
	TooNew                 // a newer one takes it
	Refused                // it stops with an error: the value is not one that the marker takes
	Denied                 // it says false of what a marker says true of by being there
)

// A Rejection is the fault of a marker, and what to write.
type Rejection struct {
	Fault   Fault
	Instead string   // of one that is misspelt, as it should be written
	Prose   bool     // what follows the name of one that is misspelt is a text for people
	Targets []Target // where one that is misplaced counts
	Package bool     // one that is misplaced counts for a package, too, in a comment apart from the type
	Since   string   // the first that takes one that is too new
	Takes   string   // what one that is rejected takes: "an integer"
}

// Reject returns why a controller-gen, nil for the newest, makes nothing of a marker above a target. Controller-gen says
// nothing of those that it does not know, since they may be for other programs.
func Reject(text string, above Target, generator *version.Version) Rejection {
	if generator == nil {
		generator = Newest
	}
	if of, raw, ok := taken(text, above); ok {
		switch since := of.since(above); {
		case generator.LessThan(version.MustParseGeneric(since)):
			if of.ofKubernetes {
				return Rejection{}
			}
			return Rejection{Fault: TooNew, Since: since}
		case !of.accepts(raw):
			return Rejection{Fault: Refused, Takes: forms[of.takes].words}
		}
		return Rejection{}
	}
	if Newest.LessThan(generator) {
		return Rejection{} // it may know more
	}
	if of := elsewhere(text); of != nil {
		if of.ofKubernetes {
			return Rejection{}
		}
		r := Rejection{Fault: Misplaced, Package: of.ofPackage}
		for _, other := range []Target{AboveField, AboveType, AboveKind} {
			if of.since(other) != "" {
				r.Targets = append(r.Targets, other)
			}
		}
		return r
	}
	if r := meant(text, above); r.Fault != None {
		return r
	}
	if strings.HasPrefix(text, "+"+validation) {
		return Rejection{Fault: Unknown}
	}
	return Rejection{}
}

// elsewhere returns the registration of a marker above whatever it is for; nil for none.
func elsewhere(text string) *registration {
	for _, above := range []Target{AboveField, AboveKind} {
		if of, _, ok := taken(text, above); ok {
			return of
		}
	}
	return nil
}

// forms are the values that controller-gen reads without an error, and what to call them. Of arguments, names and values are
// not looked at.
var forms = [...]struct {
	words string
	form  func() *regexp.Regexp
}{
	takesNothing:   {"no value", text.Pattern(`^$`)},
	takesInteger:   {"an integer", text.Pattern(`^-?\d+$`)},
	takesNumber:    {"a number", text.Pattern(`^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$`)},
	takesBoolean:   {"true or false", text.Pattern(`^(true|false)$`)},
	takesText:      {"a value", text.Pattern(`.`)},
	takesList:      {"a list", text.Pattern(`.`)},
	takesValue:     {"a value", text.Pattern(`.`)},
	takesArguments: {"arguments", text.Pattern(``)},
}

func (r registration) accepts(raw string) bool {
	return forms[r.takes].form().MatchString(strings.TrimSpace(raw))
}

// meant tells what a misspelt marker was meant to be, where that is clear. It has a colon or a blank for the equals sign,
// letters of the other case, or another of the prefixes, or a few letters are wrong.
func meant(marker string, above Target) Rejection {
	body := strings.TrimSpace(strings.TrimPrefix(marker, "+"))
	for _, find := range []func(string, Target) *registration{alike, near} {
		for end := len(body); end > 0; end = max(strings.LastIndexAny(body[:end], ": =\t"), 0) {
			name, rest := strings.TrimRight(body[:end], ": \t"), strings.TrimLeft(body[end:], ":= \t")
			if of := find(name, above); of != nil {
				if strings.HasPrefix(marker, "+ ") && rest != "" {
					return Rejection{} // an item of a list in prose
				}
				if r := of.written(rest); r.Fault != None {
					return r
				}
			}
		}
	}
	return Rejection{}
}

// written tells how the marker has to be written with a value, if it takes that.
func (r *registration) written(raw string) Rejection {
	instead := "+" + r.name
	switch {
	case r.takes == takesNothing && raw == "false":
		return Rejection{Fault: Denied}
	case r.takes == takesNothing:
		return Rejection{Fault: Misspelt, Instead: instead, Prose: raw != "" && raw != "true"}
	case r.name == validation+"UniqueItems" && raw == "true":
		return Rejection{Fault: Misspelt, Instead: "+listType=set"} // no API server accepts uniqueItems: true
	case r.takes == takesArguments && raw != "":
		return Rejection{Fault: Misspelt, Instead: instead + ":" + raw}
	case raw == "" && r.withoutValues:
		return Rejection{Fault: Misspelt, Instead: instead}
	case raw == "" || !r.accepts(raw):
		return Rejection{}
	case (r.takes == takesText || r.takes == takesValue) && !strings.ContainsAny(raw[:1], "\"`{") && strings.ContainsAny(raw, ":;,}"):
		raw = quote(raw) // which end a text without quotes
	}
	return Rejection{Fault: Misspelt, Instead: instead + "=" + raw}
}

// prefixes begin the names of markers, the longest first.
var prefixes = []string{validation, "kubebuilder:pruning:", "kubebuilder:", "validation:"}

// known are the names of markers above each target, and words their letters. A name without a prefix that prose begins
// with, and those with a grammar of their own, are left out.
var known = sync.OnceValue(func() (all [AboveKind + 1]struct {
	names []string
	words *text.Words
}) {
	for above := range all {
		for _, name := range Names(Target(above)) {
			if !strings.HasPrefix(name, "k8s:") && name != "default" {
				all[above].names = append(all[above].names, name)
			}
		}
		all[above].words = text.NewWords(all[above].names)
	}
	return all
})

// alike returns the marker above a target whose name has the same letters or, where a prefix tells that it is meant for
// controller-gen, the same last part; nil for none.
func alike(name string, above Target) *registration {
	names := known()[above].names
	i := slices.IndexFunc(names, func(k string) bool { return strings.EqualFold(k, name) })
	if rest, prefixed := unprefixed(name); i < 0 && prefixed {
		i = slices.IndexFunc(names, func(k string) bool {
			of, _ := unprefixed(k)
			return strings.EqualFold(of, rest)
		})
	}
	if i < 0 {
		return nil
	}
	return registered(names[i])
}

// near returns the one marker above a target in whose name a few letters differ from one with such a prefix; nil for none.
func near(name string, above Target) *registration {
	if _, prefixed := unprefixed(name); !prefixed || strings.ContainsAny(name, "= \t") {
		return nil
	}
	if all := known()[above].words.Nearest(name); len(all) == 1 {
		return registered(all[0])
	}
	return nil
}

func unprefixed(name string) (rest string, prefixed bool) {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(name, p); ok {
			return rest, true
		}
	}
	return name, false
}
