package lint

// Carried are the counts of what became of custom resources that were to be migrated to another version, in a file or in all of a run.
type Carried struct {
	Text  []byte `json:"-"` // the file as it is to be; nil for one that stays as it is, and for several
	Would bool   `json:"-"` // nothing is written, and the counts are of what would become of objects

	Files      int `json:"files"`      // that change
	Objects    int `json:"objects"`    // that are carried, those below included
	Patches    int `json:"patches"`    // parts of objects that are
	Templates  int `json:"templates"`  // objects in Helm templates that are
	References int `json:"references"` // to objects of carried kinds, that follow
	Comments   int `json:"comments"`   // that name the schema of an object, and follow
	There      int `json:"there"`      // objects that are at the version already, or not asked for
	Refused    int `json:"refused"`    // objects that are left as they are, as findings say
	NoTarget   int `json:"noTarget"`   // objects of kinds that do not have the version
	NoCRD      int `json:"noCRD"`      // objects that no CRD defines
	Printed    int `json:"printed"`    // objects in templates whose apiVersion an action prints
	// LeftOut are objects that would be carried, by the role of their files.
	LeftOut map[Role]int `json:"leftOut,omitempty"`
}

// Add adds the counts of another file.
func (c *Carried) Add(o *Carried) {
	c.Files += o.Files
	c.Objects += o.Objects
	c.Patches += o.Patches
	c.Templates += o.Templates
	c.References += o.References
	c.Comments += o.Comments
	c.There += o.There
	c.Refused += o.Refused
	c.NoTarget += o.NoTarget
	c.NoCRD += o.NoCRD
	c.Printed += o.Printed
	for role, n := range o.LeftOut {
		if c.LeftOut == nil {
			c.LeftOut = map[Role]int{}
		}
		c.LeftOut[role] += n
	}
}
