package lint

// A Baseline is the findings that a repository had when it began to use the linter: those are ignored, new ones are
// not. It tells findings apart by file, CRD, rule and path, so that lines may come and go.
type Baseline struct {
	Path   string                   // of the baseline file
	Counts map[string]map[Known]int // by file, relative to the folder of Path
	// Renamed are the earlier ids of rules that the file has; Counts has the present ones.
	Renamed []string
}

// A Known is a finding as a baseline has it.
type Known struct{ Resource, Rule, Path string }
