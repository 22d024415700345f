package rules

// What the tests of package rules_test use of this one's: they call convert, which is above it.
var (
	AllRules            = allRules
	EveryRule           = everyRule
	Own                 = own
	Volume              = volume
	Manifests           = manifests
	InParallel          = inParallel
	IsAccepted          = isAccepted
	AgreesOnConversions = agreesOnConversions
)
