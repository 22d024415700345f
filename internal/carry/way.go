package carry

import "github.com/crdlift/crdlift/internal/objects"

// ways are the ways of all objects of a run, each prepared once.
type ways struct{}

// A Way leads objects of one kind from a version to another.
type Way struct {
	Definition *objects.Definition
	From, To   string // versions
	Webhook    bool   // a webhook converts between them
	Alike      bool   // both have the same structural schema, defaults and validations: only the apiVersion differs
}

// Carry is what becomes of the values of an object, as it is written. It is not changed. Of a part of an object, such as a patch,
// what is absent is no mistake.
func (w *Way) Carry(_ Object, _ bool) *Carried { return &Carried{} }
