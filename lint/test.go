package lint

import "time"

// A TestedCase is a case of a suite that tests a CRD.
type TestedCase struct {
	Suite   string // its name: "shelf"
	Name    string // of the case, "size/accept/1"
	Pos     Position
	CRD     string // the path of its file; "" where there is none
	Skipped string // why it did not run; "" where it did
	Failed  bool
	Causes  []TestedCause // what rejects it
	Took    time.Duration // which differs each time
}

// A TestedCause is why an API server rejects an object.
type TestedCause struct {
	Path    string // of the value; "" for the object itself
	By      string // the word for it in suites: "maxLength", "rule"
	Message string
	Pos     Position // in the CRD; the zero Position of none, and where nobody asked for it
}
