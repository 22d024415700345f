package specimen

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// An Object is a custom resource. Its CRD accepts it, unless it has a mistake.
type Object struct {
	Kind
	Number  int // makes its name its own, and its values differ
	Mistake Mistake
}

// A Mistake is the one that an object has.
type Mistake int

const (
	None Mistake = iota
	WrongType
	NotInEnum
	UnknownField
	BrokenRule // of CEL
)

// Mistakes are all there are.
var Mistakes = []Mistake{WrongType, NotInEnum, UnknownField, BrokenRule}

// YAML is the manifest.
func (o Object) YAML() string {
	random := rand.New(rand.NewPCG(uint64(o.Kind.Number), uint64(o.Number)))
	spec, component := o.fields()
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: %s/v1\nkind: %s\nmetadata:\n  name: %s-%05d\n  namespace: team-%d\n  labels:\n    app.kubernetes.io/name: %s\nspec:\n",
		o.Group(), o.Name(), strings.ToLower(o.Name()), o.Number, o.Number%7, strings.ToLower(o.Name()))
	b.WriteString(indent(2, o.Mistake.in(fill(random, commonValue))))
	if n := random.IntN(4); n > 0 {
		b.WriteString("  components:\n")
		for i := range n {
			fmt.Fprintf(&b, "    component-%d:\n", i)
			b.WriteString(values(random, 6, component))
		}
	}
	b.WriteString(values(random, 2, spec))
	return b.String()
}

// values are those of most fields, but at least of the first one.
func values(random *rand.Rand, by int, fields []field) string {
	var b strings.Builder
	for i, f := range fields {
		if i == 0 || random.IntN(4) > 0 {
			b.WriteString(indent(by, f.name+":\n"+indent(2, fill(random, f.value))))
		}
	}
	return b.String()
}

var choice = regexp.MustCompile(`<([^<>]*)>`)

// fill chooses one of <a|b|c>, wherever there is such a thing; <1-9> is a number between them.
func fill(random *rand.Rand, template string) string {
	return choice.ReplaceAllStringFunc(template, func(text string) string {
		text = text[1 : len(text)-1]
		all := strings.Split(text, "|")
		if from, to, found := strings.Cut(text, "-"); found && len(all) == 1 {
			low, _ := strconv.Atoi(from)
			high, _ := strconv.Atoi(to)
			return strconv.Itoa(low + random.IntN(high-low+1))
		}
		return all[random.IntN(len(all))]
	})
}

// in makes the mistake in the fields that all kinds have.
func (m Mistake) in(text string) string {
	switch m {
	case WrongType:
		return text + "paused: sometimes\n"
	case NotInEnum:
		return text + "strategy: Guess\n"
	case UnknownField:
		return text + "pausd: true\n"
	case BrokenRule:
		return text + "minReplicas: 900\n"
	}
	return text
}
