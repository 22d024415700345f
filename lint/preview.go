package lint

// An As is the form in which a preview shows objects.
type As struct {
	Served  bool   // as a read shows them, rather than as they are stored
	Version string // of the read; "" for the one that the object is written in
}

// A Preview is a file as it is, and as an API server would have its objects.
type Preview struct {
	ShownChange
	Left []LeftOut // the objects that are shown as they are
}

// LeftOut is a number of objects of which a preview does not show what becomes of them.
type LeftOut struct {
	Why     string
	Objects int
}

// ShownChange is what may be shown of a file before and after a change.
type ShownChange struct {
	Before, After []byte
	Changed       bool // the file is another one; perhaps only where something is hidden
	Masked        bool // something is hidden, so that the difference cannot be applied
}
