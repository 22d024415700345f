package report

// The part of SARIF 2.1.0 that is written; https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html explains
// each member.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool            map[string]sarifDriver   `json:"tool"`        // driver
	Invocations     []map[string]bool        `json:"invocations"` // executionSuccessful
	URIBaseIDs      map[string]sarifArtifact `json:"originalUriBaseIds"`
	ColumnKind      string                   `json:"columnKind"`
	DefaultEncoding string                   `json:"defaultEncoding"`
	Results         []sarifResult            `json:"results"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string              `json:"id"`
	HelpURI          string              `json:"helpUri,omitempty"` // none for a rule without a page
	ShortDescription sarifText           `json:"shortDescription"`
	FullDescription  sarifText           `json:"fullDescription"`
	Help             sarifText           `json:"help"`
	Configuration    map[string]string   `json:"defaultConfiguration"` // level
	Properties       sarifRuleProperties `json:"properties"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifRuleProperties struct {
	Preset          string   `json:"preset"`
	ProblemSeverity string   `json:"problem.severity"` // GitHub's word for the level
	Tags            []string `json:"tags"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Fixes        []sarifFix         `json:"fixes,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   findingData        `json:"properties"`
}

type sarifLocation struct {
	ID       *int           `json:"id,omitempty"`
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifText     `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI         string     `json:"uri,omitempty"`
	URIBaseID   string     `json:"uriBaseId,omitempty"`
	Description *sarifText `json:"description,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type sarifLogical struct {
	Name      string `json:"name"`
	Qualified string `json:"fullyQualifiedName,omitempty"`
	Kind      string `json:"kind"`
}

type sarifFix struct {
	Description sarifText       `json:"description"`
	Changes     []sarifChange   `json:"artifactChanges"`
	Properties  map[string]bool `json:"properties"` // safe
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}
