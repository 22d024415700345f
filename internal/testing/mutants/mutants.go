// Package mutants makes mistakes in CustomResourceDefinitions, for tests that compare what two judges say of them. Each
// mistake is one that people make, or one that a line of upstream's validation looks for.
//
// Most are a Change: a field of upstream's types is given a value, at some place of the CRD. Each lists them all; Of makes some
// at random, and others that one value does not make.
package mutants

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
)

// Of copies a CRD in JSON, of v1 or v1beta1, and makes a number of mistakes in the copy. What they are depends on the
// random numbers alone; made names them.
func Of(raw []byte, r *rand.Rand, mistakes int) (mutated []byte, made []string, err error) {
	m, err := newMutant(raw, r)
	if err != nil {
		return nil, nil, err
	}
	for len(made) < mistakes {
		if what := m.mistake(); what != "" {
			made = append(made, what)
		}
	}
	mutated, err = json.Marshal(m.root)
	return mutated, made, err
}

// A Change gives a field of a CRD, an element or a member another value, or takes it away.
type Change struct {
	steps []any  // names and indices, from the root
	value string // in JSON; "" to take it away
}

func (c Change) String() string {
	value := c.value
	if value == "" {
		value = "nothing"
	} else if len(value) > 100 {
		value = fmt.Sprintf("%s... (%d bytes)", value[:100], len(value))
	}
	return fmt.Sprintf("%v: %s", c.steps, value)
}

// Each lists a change for every value of every field that upstream has, at each place of a CRD in JSON: also of the fields that
// are not there yet. apiVersion and kind stay, which decide who judges.
func Each(raw []byte) (all []Change) {
	m, err := newMutant(raw, nil)
	if err != nil {
		panic(err)
	}
	for _, p := range m.places() {
		for _, value := range slices.Concat(anyValues, m.valuesOf(p)) {
			if _, isMember := p.step.(string); isMember || value != "" {
				all = append(all, Change{append(slices.Clip(p.at), p.step), value})
			}
		}
	}
	return all
}

// With makes changes of a CRD in JSON.
func With(raw []byte, changes ...Change) []byte {
	m, err := newMutant(raw, nil)
	if err != nil {
		panic(err)
	}
	for _, c := range changes {
		last := len(c.steps) - 1
		var in any = m.root
		for _, step := range c.steps[:last] {
			in = Place{in: in, step: step}.Get()
		}
		if p := (Place{in: in, step: c.steps[last]}); c.value == "" {
			p.Delete()
		} else {
			p.Set(value(c.value))
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m.root); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// A mutant is a CRD on its way to having mistakes.
type mutant struct {
	*rand.Rand
	root object
	v1   bool // rather than v1beta1
}

func newMutant(raw []byte, r *rand.Rand) (*mutant, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // numbers stay as they are written
	m := &mutant{Rand: r}
	err := d.Decode(&m.root)
	m.v1 = m.root["apiVersion"] == "apiextensions.k8s.io/v1"
	return m, err
}

// places are all of the CRD, for upstream's type of its version.
func (m *mutant) places() []Place {
	if m.v1 {
		return places(reflect.TypeFor[v1.CustomResourceDefinition](), m.root, nil)
	}
	return places(reflect.TypeFor[v1beta1.CustomResourceDefinition](), m.root, nil)
}

// valuesOf are those that the field at a place is most likely to be given.
func (m *mutant) valuesOf(p Place) []string {
	name, _ := p.step.(string)
	values := valuesOf[name]
	if p.of == nil || p.of.Kind() != reflect.Struct {
		return nil
	}
	if name == "additionalPrinterColumns" && m.v1 {
		values = slices.Clone(values)
		for i := range values {
			values[i] = strings.ReplaceAll(values[i], "JSONPath", "jsonPath")
		}
	}
	return values
}

// pick chooses one of several; from none it returns the zero value.
func pick[T any](m *mutant, from ...T) (chosen T) {
	if len(from) == 0 {
		return chosen
	}
	return from[m.IntN(len(from))]
}

// value parses a JSON literal. Every call returns a new value.
func value(text string) any {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(text + ": " + err.Error())
	}
	return v
}
