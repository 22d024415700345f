package vicinity

// A Record is what the report on a file depends on besides the file, its path and the options of the run: answers about its
// vicinity. What notes something does nothing on a nil Record.
type Record struct {
	Answers map[Question]string
	// Unseen says that the report depends on what may change unseen: on modules of others, on the time, or on what the
	// revision is called that it is compared with.
	Unseen bool

	Notes []GoNote
}

// answer notes the answer to a question.
func (a *Record) answer(q Question, said func() string) {
	if a == nil {
		return
	}
	if _, known := a.Answers[q]; known {
		return
	}
	if a.Answers == nil {
		a.Answers = map[Question]string{}
	}
	a.Answers[q] = said()
	a.Unseen = a.Unseen || q.About == goSources && a.Answers[q] == ""
}

// Sources is the fingerprint that Go types had before they were looked for; "" where they were not.
func (a *Record) Sources() string { return a.Answers[Question{About: goSources}] }

// Changed reports whether Go types have changed since they were looked for.
func (a *Record) Changed(path string, now *GoTypes) bool {
	return a.Sources() != "" && a.Sources() != now.fingerprint(path)
}

// DependsOnUnseen notes that the report depends on what may change unseen.
func (a *Record) DependsOnUnseen() {
	if a != nil {
		a.Unseen = true
	}
}

func (a *Record) note(n GoNote) {
	if a != nil {
		a.Notes = append(a.Notes, n)
	}
}

// A Question is one about what is around a file.
type Question struct {
	About topic
	Of    string // the name of the CRD; "" for Go types
	Nth   int    // of the CRDs of a name in the file
}

type topic byte

const (
	roleOfCRD topic = iota + 1
	goSources
	olderCRD
	unknownBefore
	outdatedCopy
)
