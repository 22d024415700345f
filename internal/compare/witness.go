package compare

import (
	"math"
	"regexp"
	"regexp/syntax"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Anchor is the node in the tree of values that a node in a junctor speaks about; other nodes are their own.
func (n *Node) Anchor() *Node {
	for n.Junctor != "" {
		n = n.Parent
	}
	return n
}

// size counts the comparisons that a value may need: the schemas of a junctor, and the values of enums.
func size(s *v1.JSONSchemaProps) int {
	n := 1 + len(s.Enum)
	for _, list := range [][]v1.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			n += size(&list[i])
		}
	}
	if s.Not != nil {
		n += size(s.Not)
	}
	return n
}

// IsScalar reports whether the node holds a single value on both sides.
func (n *Node) IsScalar() bool { return isScalar(n.Old) && isScalar(n.New) }

func isScalar(s *v1.JSONSchemaProps) bool {
	switch s.Type {
	case "string", "integer", "number", "boolean":
		return true
	}
	return s.XIntOrString
}

// Validator reports whether values are accepted by a schema; nil when it cannot be built.
func Validator(s *v1.JSONSchemaProps) (accepts func(any) bool) {
	hub := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s.DeepCopy(), hub, nil); err != nil {
		return nil
	}
	v, _, err := validation.NewSchemaValidator(hub)
	if err != nil {
		return nil
	}
	return func(value any) (ok bool) {
		defer func() {
			if recover() != nil { // patterns are compiled when they are first used
				ok = false
			}
		}()
		return len(validation.ValidateCustomResource(field.NewPath("x"), value, v)) == 0
	}
}

// Spellings are strings that match a pattern, some with what may repeat repeated more often, some by other branches,
// some with other characters of a class.
func Spellings(pattern string, minLength *int64) []string {
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	parsed = parsed.Simplify() // without counted repetitions
	var all []string
	repeats := []int{1, 0, 2, 3, 5, 12, 40, 64}
	if minLength != nil && *minLength < 1<<10 {
		repeats = append(repeats, int(*minLength))
	}
	for _, repeat := range repeats {
		for variant := range 8 {
			s := speller{repeat: repeat, variant: variant}
			s.spell(parsed)
			text := s.String()
			for _, t := range []string{text, text + "a", "a" + text, text + "-", " " + text} { // patterns may be unanchored
				if compiled.MatchString(t) {
					all = append(all, t)
				}
			}
		}
	}
	return all
}

type speller struct {
	strings.Builder
	repeat, variant int
}

// spell writes a string that the expression matches, if assertions are as good as empty.
func (s *speller) spell(re *syntax.Regexp) {
	if s.Len() > 1<<12 {
		return
	}
	times := func(least, most int) {
		for range min(max(s.repeat, least), most) {
			s.spell(re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		s.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		s.WriteRune(s.of(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s.WriteByte("aA1-_. /"[s.variant])
	case syntax.OpCapture:
		s.spell(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			s.spell(sub)
		}
	case syntax.OpAlternate:
		s.spell(re.Sub[s.variant%len(re.Sub)])
	case syntax.OpStar:
		times(0, math.MaxInt)
	case syntax.OpPlus:
		times(1, math.MaxInt)
	case syntax.OpQuest:
		times(0, 1)
	}
}

// preferred are the characters that examples are made of where a pattern allows it.
const preferred = "a1A-_. /"

// of is a character of a class, given as pairs of bounds.
func (s *speller) of(class []rune) rune {
	for i := range preferred {
		like := rune(preferred[(i+s.variant)%len(preferred)])
		for j := 0; j+1 < len(class); j += 2 {
			if class[j] <= like && like <= class[j+1] {
				return like
			}
		}
	}
	if len(class) == 0 {
		return 'a'
	}
	return class[s.variant%len(class)]
}
