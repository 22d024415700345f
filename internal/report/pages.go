package report

// Homepage is the site of crdlift, without a slash at its end.
const Homepage = "https://crdlift.github.io/crdlift"

// RulePage is the address of the page about a rule, or about a kind of note of a conversion. Addresses last: the page of a rule
// that gets another name leads to that.
func RulePage(id string) string { return Homepage + "/rules/" + id }

// rulePage is the address of a rule's page; "" for a rule that the catalogue does not have.
func (o Options) rulePage(id string) string {
	if o.Rules.ByID(id) == nil {
		return ""
	}
	return RulePage(id)
}
