package suppress

import "github.com/crdlift/crdlift/lint"

// A KeptComment is a Comment for those who write it down.
type KeptComment struct {
	Names    []KeptName
	Reason   string
	At       lint.Position
	Document int
	All      bool
	Line     int
	Entry    lint.Position
}

// A KeptName is a rule's name in it.
type KeptName struct {
	ID, Was string
	Unused  *lint.Finding
}

// Kept is the comment as it is written down.
func (c *Comment) Kept() KeptComment {
	k := KeptComment{Reason: c.reason, At: c.at, Document: c.document, All: c.all, Line: c.line, Entry: c.entry}
	for _, n := range c.names {
		k.Names = append(k.Names, KeptName{n.id, n.was, n.unused})
	}
	return k
}

// Comment is what Kept was called of.
func (k *KeptComment) Comment() *Comment {
	c := &Comment{reason: k.Reason, at: k.At, document: k.Document, all: k.All, line: k.Line, entry: k.Entry}
	for _, n := range k.Names {
		c.names = append(c.names, ruleName{n.ID, n.Was, n.Unused})
	}
	return c
}
