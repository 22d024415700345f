package objects

// Held is a catalogue behind the exported type of a public package, whose users cannot name this one.
type Held struct{ catalogue *Catalogue }

// Hold holds a catalogue.
func Hold(c *Catalogue) Held { return Held{c} }

// Catalogue is the one that is held.
func (h Held) Catalogue() *Catalogue { return h.catalogue }
