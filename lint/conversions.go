package lint

// Conversions are the counts of a run that tests the conversion between the versions of CRDs.
type Conversions struct {
	Tested     int // CRDs
	PassedOver int // CRDs that nothing converts, or whose versions have the same schema
	Versions   int // of the CRDs that were tested
	Pairs      int // of versions, from one to another
	Objects    int // that were converted
	// Untested says what could not be tested and why, in a line each.
	Untested []string
}
