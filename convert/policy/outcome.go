package policy

// A Class tells how much a change matters.
type Class string

const (
	Safe    Class = "SAFE"    // custom resources are validated, pruned, stored and served as before
	Changes Class = "CHANGES" // the result can be created, but something differs; the message describes it
	Report  Class = "REPORT"  // a person must decide; the document was left alone
)

// A State is what became of one CRD.
type State string

const (
	Converted    State = "converted"      // rewritten
	AlreadyThere State = "already there"  // nothing to do
	NeedsPerson  State = "needs a person" // left alone; its Report notes say why
)
