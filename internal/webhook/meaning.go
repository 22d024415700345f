package webhook

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/crdlift/crdlift/internal/request"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/api/resource"
)

// What two values mean is decided by who can tell them apart. Go's clients decode into types of which the schema shows a part:
// Semantic of k8s.io/apimachinery/pkg/api/equality takes empty lists and maps for absent ones, and quantities and times for
// equal by value, while a key of a map, and a pointer that is nil, are information. What a type cannot tell is dropped by
// encoding/json: omitempty leaves out "", 0, false and empty lists and maps, but no struct.

// isEmpty reports whether a value is one that Go types do not tell from a missing one, or has nothing but such members.
func isEmpty(value any) bool { return isEmptyBy(nil, value) }

// isEmptyBy is isEmpty for a value of a schema: an entry of a map is something, whatever its value.
func isEmptyBy(s *structuralschema.Structural, value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if isEntry(s, name) || !isEmptyBy(child(s, name), member) {
				return false
			}
		}
		return true
	case []any:
		return len(value) == 0
	}
	return value == nil || value == "" || value == int64(0) || value == 0.0 || value == false || value == "0" && isQuantity(s)
}

// isQuantity reports whether a schema is that of a quantity. A struct of Go's has one of 0 where there is none.
func isQuantity(s *structuralschema.Structural) bool {
	return s != nil && s.XIntOrString && s.ValueValidation != nil && onlyQuantities(s.ValueValidation.Pattern)
}

// isEntry reports whether a member is an entry of a map, rather than a field of a struct.
func isEntry(s *structuralschema.Structural, name string) bool {
	if s == nil || s.AdditionalProperties == nil {
		return false
	}
	_, declared := s.Properties[name]
	return !declared
}

// isStruct reports whether a value is one that Go has a struct for, which is always written: that it is not there can only be a
// pointer that is nil. Spec and status are hardly ever pointers.
func isStruct(s *structuralschema.Structural, at request.Path, value any) bool {
	_, is := value.(map[string]any)
	return is && s != nil && len(s.Properties) > 0 && len(at) > 1 && !isHollow(s, value)
}

// isHollow reports whether a value is a struct that has to have members, and has only optional lists and maps without anything in
// them, or structs like it: Go's clients leave these out, and what they write then is rejected. So it is of a client without types,
// and those with types leave the struct out (omitzero) or have something to write there.
func isHollow(s *structuralschema.Structural, value any) bool {
	members, is := value.(map[string]any)
	if !is || len(members) == 0 || s == nil || s.ValueValidation == nil || s.ValueValidation.MinProperties == nil || *s.ValueValidation.MinProperties == 0 {
		return false
	}
	for name, member := range members {
		of := child(s, name)
		list, isList := member.([]any)
		entries, isMap := member.(map[string]any)
		nothing := isList && len(list) == 0 || isMap && len(entries) == 0 && of != nil && len(of.Properties) == 0
		if slices.Contains(s.ValueValidation.Required, name) || !nothing && !isHollow(of, member) {
			return false
		}
	}
	return true
}

// saysNothing reports whether it is all the same, as far as the schema shows the types of clients, that a member is there no more.
func saysNothing(above, s *structuralschema.Structural, at request.Path, was any) bool {
	return !isEntry(above, at[len(at)-1].Key) && isEmptyBy(s, was) && !isStruct(s, at, was)
}

// Respelled reports whether two values of a schema are the same time, duration or quantity. A text without a format may be any of
// them: controller-gen writes none for metav1.Duration. Values of an enum are not any of them.
func Respelled(s *structuralschema.Structural, a, b any) bool {
	format, pattern := "", ""
	if s != nil && s.ValueValidation != nil {
		if format, pattern = s.ValueValidation.Format, s.ValueValidation.Pattern; len(s.ValueValidation.Enum) > 0 {
			return false
		}
	}
	was, wasText := a.(string)
	is, isText := b.(string)
	if !wasText || !isText {
		return s != nil && s.XIntOrString && onlyQuantities(pattern) && same(number(a), number(b), resource.ParseQuantity, resource.Quantity.Equal)
	}
	free := format == ""
	return (free || format == "duration") && same(was, is, time.ParseDuration, func(a, b time.Duration) bool { return a == b }) ||
		(free || format == "date-time" || format == "datetime") && same(was, is, parseTime, time.Time.Equal) ||
		free && same(was, is, resource.ParseQuantity, resource.Quantity.Equal)
}

// parseTime reads a time as UnmarshalJSON of metav1.Time does, whose MarshalJSON writes whole seconds.
func parseTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	return t.Truncate(time.Second), err
}

// onlyQuantities reports whether a pattern of what is a number or a text is that of a quantity, of which a number and its text are
// the same. A port or a share, which IntOrString of apimachinery's intstr has, is another one as a text: the name of a port.
func onlyQuantities(pattern string) bool {
	made, err := regexp.Compile(pattern)
	return err == nil && pattern != "" && made.MatchString("1500m") && !made.MatchString("http") && !made.MatchString("50%")
}

// same reports whether both texts are of a kind, and equal as such.
func same[T any](a, b string, parse func(string) (T, error), equal func(a, b T) bool) bool {
	was, err := parse(a)
	if err != nil {
		return false
	}
	is, err := parse(b)
	return err == nil && equal(was, is)
}

// IsScalar reports whether a value is neither an object nor a list.
func IsScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// number is a text, or a number as one.
func number(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case int64:
		return strconv.FormatInt(value, 10)
	}
	return ""
}

// plainText is none of what may be spelled in several ways.
const plainText = "plain text"

// apart reports whether a version tells two values from each other that may mean the same, as far as its schema says: what is
// converted to another version shows it. A field whose value is there, and one where it is not, have the same answer if the type
// behind them has no pointer; and a text that comes back as it went is no duration. What a hollow struct becomes shows nothing of
// pointers: converters in Go take an empty list for another value than none.
func (t *tester) apart(v, by *request.Version, o Object, d difference) bool {
	if isHollow(v.Declared(d.path), d.was) {
		return false
	}
	tells, kind := t.keepsText, "text"
	switch was, is := timeOf(d.was), timeOf(d.is); {
	case d.was == nil || d.is == nil:
		tells, kind = t.showsAbsence, "absence"
	case !was.Equal(is):
		tells, kind = t.keepsMore, "fraction"
	}
	known := t.of(v.Name).apart
	field := [3]string{by.Name, kind, fieldOf(v, d.path).Field()}
	if _, found := known[field]; !found {
		known[field] = tells(v, by, o, d)
	}
	return known[field]
}

// timeOf is the time that a text is; the zero one for a text that is none.
func timeOf(value any) time.Time {
	text, _ := value.(string)
	is, _ := time.Parse(time.RFC3339, text)
	return is
}

// keepsMore reports whether a time that loses the fraction of its second comes back in another way than MarshalJSON of metav1.Time
// writes it, which drops the fraction of every time, and has all in UTC.
func (t *tester) keepsMore(v, by *request.Version, o Object, d difference) bool {
	if t.keepsText(v, by, o, d) {
		return true
	}
	const zoned = "2020-01-01T02:00:10.123456+02:00"
	text, _ := t.there(v, by, o, d.path, zoned).(string)
	return text != "" && !timeOf(text).Equal(timeOf(zoned)) && text != timeOf(zoned).UTC().Format(time.RFC3339)
}

func (t *tester) keepsText(v, by *request.Version, o Object, d difference) bool {
	return t.there(v, by, o, d.path, plainText) == plainText
}

// there is what is at a place of an object after a round trip that had a value there before; nil for none.
func (t *tester) there(v, by *request.Version, o Object, at request.Path, value any) any {
	o = with(o, at, value)
	if o == nil || t.admit(v, o) == nil {
		return nil
	}
	there, no := t.pass(o, v, by)
	if no != nil {
		return nil
	}
	back, no := t.pass(there.coerced, by, v)
	if no != nil {
		return nil
	}
	value, _ = at.In(back.coerced)
	return value
}

func (t *tester) showsAbsence(v, by *request.Version, o Object, d difference) bool {
	value := d.was
	if value == nil {
		value = d.is
	}
	there := with(o, d.path, value)
	s := v.Declared(d.path)
	if there == nil || s == nil || !IsScalar(value) && len(s.Properties) == 0 { // lists and maps are none where they are empty
		return false
	}
	one, no := t.pass(there, v, by)
	if no != nil {
		return false
	}
	other, no := t.pass(without(o, d.path), v, by)
	return no == nil && canonical(t.withoutNotes(by, one.Raw[0])) != canonical(t.withoutNotes(by, other.Raw[0]))
}

// withoutNotes is an object without the annotations that the webhook carries data in: a copy of the whole shows everything.
func (t *tester) withoutNotes(v *request.Version, o Object) Object {
	for name := range t.of(v.Name).bookkeeping {
		o = without(o, request.Keys("metadata", "annotations", name))
	}
	return o
}

// alwaysThere reports whether what is lost is an empty struct that the other version shows whether there is one or not: the type
// behind it has no pointer, and whoever leaves it out (omitzero) says the same. So it is where the other version has its fields
// elsewhere, and nothing that could be empty as it is.
func (t *tester) alwaysThere(v, by *request.Version, o Object, d difference) bool {
	s := v.Declared(d.path)
	if d.change != Lost || !isStruct(s, d.path, d.was) && len(d.path) > 1 || !isEmptyBy(s, d.was) || IsScalar(d.was) {
		return false
	}
	if by.Declared(d.path) == nil {
		return true
	}
	one, no := t.pass(o, v, by)
	if no != nil {
		return false
	}
	other, no := t.pass(without(o, d.path), v, by)
	if no != nil {
		return false
	}
	there, found := d.path.In(one.coerced)
	without, always := d.path.In(other.coerced)
	return found && always && isEmpty(there) && isEmpty(without)
}
