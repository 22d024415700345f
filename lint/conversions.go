package lint

// Conversions are the counts of a run that tests the conversion between the versions of CRDs.
type Conversions struct {
	Tested     int `json:"tested"`     // CRDs
	PassedOver int `json:"passedOver"` // CRDs that nothing converts, or whose versions have the same schema
	Versions   int `json:"versions"`   // of the CRDs that were tested
	Pairs      int `json:"pairs"`      // of versions, from one to another
	Objects    int `json:"objects"`    // that were converted
	// Untested says what could not be tested and why, in a line each.
	Untested []string `json:"untested,omitempty"`
}
