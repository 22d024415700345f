package lint

// A Coverage is what suites test of a CRD, in the versions that are served.
type Coverage struct {
	CRD         string              `json:"crd"` // metadata.name
	File        string              `json:"file"`
	Versions    []string            `json:"versions"`
	Tested      int                 `json:"tested"`            // constraints without which a case would fail
	Counted     int                 `json:"counted"`           // of these, without those that are dead or ignored
	Sampled     bool                `json:"sampled,omitempty"` // there are more mutants of rules than were tried
	Constraints []CoveredConstraint `json:"constraints"`
}

// A CoveredConstraint is what a CRD demands of values at a place.
type CoveredConstraint struct {
	Kind     string   `json:"kind"` // as thresholds name it: "rules", "bounds"
	Keyword  string   `json:"keyword"`
	Value    string   `json:"value,omitempty"` // a bound, the name that is required, the expression of a rule
	Field    string   `json:"field"`           // of custom resources; "" for the object itself
	Versions []string `json:"versions"`        // that have it
	Line     int      `json:"line"`
	Column   int      `json:"column"`

	State    string   `json:"state"`             // "tested", "met", "reached", "not reached", "dead" or "ignored"
	Why      string   `json:"why,omitempty"`     // it is dead or ignored
	By       string   `json:"by,omitempty"`      // the first case that would fail without it, "shelf/size/reject/1"
	Next     string   `json:"next,omitempty"`    // what there is to do about it
	Accepted int      `json:"accepted"`          // objects that have a value there
	Edge     bool     `json:"edge,omitempty"`    // of a bound: one of them has the last value that is allowed
	Unseen   []string `json:"unseen,omitempty"`  // of an enum: values that none of them has
	Mutants  []Mutant `json:"mutants,omitempty"` // of a rule that is tested
	New      bool     `json:"new,omitempty"`     // the CRD that is compared with does not have it, or another one
}

// A Mutant is a rule that differs from another one in a detail.
type Mutant struct {
	Expression string `json:"expression"`
	Told       bool   `json:"told"` // a case would fail with it in the place of the rule
}
