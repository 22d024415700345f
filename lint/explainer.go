package lint

// An Explainer has the words of rules for what an API server refuses, which a conversion has otherwise in the server's words.
// rules.Explainer returns it; another one changes nothing.
type Explainer interface {
	// Explains reports whether it has words for the refusals of the rule with an id.
	Explains(rule string) bool
}
