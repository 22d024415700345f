package crd

import "sigs.k8s.io/kustomize/kyaml/yaml"

// An Envelope is the object that another program makes a CRD of, such as a CompositeResourceDefinition of Crossplane's. The tree of
// such a CRD shares the nodes that the user wrote with that object; the others have no place in the manifest (Line is 0).
type Envelope struct {
	Node             *yaml.Node // its mapping in the manifest
	Object           *CRD       // the same for who looks for places in it: a frozen one of that mapping
	APIVersion, Kind string     // as written
	// Also says that another CRD, which is made of the same object and found before this one, has the same schemas: what it
	// is told as well is not repeated.
	Also bool
	// Place is where the object has what is at a place of the CRD: the value itself, or the nearest one around it that the user
	// wrote. Exact says that it is the value itself.
	Place func(at Place) (in Place, exact bool)
	// Words puts a message about the CRD into the words of the object.
	Words func(message string) string
	// Problems are what the other program rejects, or does not take over. They are listed with one of the CRDs of an object.
	Problems []Problem
}

// A Problem is what the program that makes a CRD of an object says about that object.
type Problem struct {
	At      Place // in the object
	Kind    Trouble
	Message string // a sentence that ends in what to do
}

// A Trouble is what becomes of what a problem is about.
type Trouble int

const (
	Refused     Trouble = iota // the program, or the server for it, rejects the object
	Dropped                    // the program leaves it out of the CRD
	Overwritten                // the program writes its own in its place
)

// Written is the place of the manifest where a place of the CRD is written: the place itself, unless the CRD is made of another object.
func (c *CRD) Written(at Place) Place {
	if c.From != nil {
		at, _ = c.From.Place(at)
	}
	return at
}

// Root is the mapping that the user wrote: that of the CRD, or of the object that it is made of.
func (c *CRD) Root() *yaml.Node {
	if c.From != nil {
		return c.From.Node
	}
	return c.Node
}
