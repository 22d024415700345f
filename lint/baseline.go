package lint

// A Baseline is the findings that a repository had when it began to use the linter: those are ignored, new ones are
// not. It tells findings apart by file, CRD, object, rule and path, so that lines may come and go.
type Baseline struct {
	Path   string                          // of the baseline file
	Counts map[string]map[KnownFinding]int // by file, relative to the folder of Path
	// Renamed are the earlier ids of rules that the file has; Counts has the present ones.
	Renamed []string
}

// Of is the part of a baseline about some rules; nil for nil.
func (b *Baseline) Of(wanted func(rule string) bool) *Baseline {
	if b == nil {
		return nil
	}
	part := &Baseline{Path: b.Path, Counts: map[string]map[KnownFinding]int{}}
	for file, counts := range b.Counts {
		for k, count := range counts {
			if !wanted(k.Rule) {
				continue
			}
			if part.Counts[file] == nil {
				part.Counts[file] = map[KnownFinding]int{}
			}
			part.Counts[file][k] = count
		}
	}
	return part
}

// A KnownFinding is a finding as a baseline has it. Object identifies a custom resource, "Database prod/orders"; it is "" for a
// finding about a CRD.
type KnownFinding struct{ Resource, Object, Rule, Path string }
