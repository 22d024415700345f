package report

import (
	"bufio"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// fingerprintKey and anywhereKey name what fingerprints and fingerprintsAnywhere make, with the version of how they do.
	fingerprintKey = "crdlift/v1"
	anywhereKey    = "crdlift/v2"
	// sourceRoot denotes the working directory, to which paths are relative. GitHub takes it for the repository.
	sourceRoot = "%SRCROOT%"
)

var sarifLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "note"}

// writeSARIF writes SARIF 2.1.0.
func writeSARIF(w *bufio.Writer, r *lint.Report, o Options) error {
	present := map[string]bool{}
	for _, file := range r.Files {
		present[file] = true
	}
	if r.Objects != nil {
		for _, file := range r.Objects.Files {
			present[file] = true
		}
	}
	for _, one := range r.Tests {
		for _, cause := range one.Causes {
			present[cause.Pos.File] = !isOfRevision(cause.Pos)
		}
	}
	names, anywhere := fingerprints(r), fingerprintsAnywhere(r)
	rules, index := []sarifRule{}, map[string]int{} // those of findings: the whole catalogue has half a megabyte
	results := []sarifResult{}                      // an empty list says that there are none
	for i, f := range r.Findings {
		result := sarifResultOf(f, present)
		if f.Origin != nil {
			result.addOrigin(f, ShownInGo(f) && o.GoLocation == lint.GoPrimary)
		}
		if _, known := index[f.Rule.ID]; !known {
			index[f.Rule.ID] = len(rules)
			rules = append(rules, sarifRuleOf(f.Rule, o.rulePage(f.Rule.ID), o.Doc))
		}
		result.RuleIndex = index[f.Rule.ID]
		result.Fingerprints = map[string]string{fingerprintKey: names[i], anywhereKey: anywhere[i]}
		results = append(results, result)
	}
	driver := sarifDriver{Name: "crdlift", InformationURI: Homepage, Rules: rules}
	if version := Released(o.Version); version != "" {
		driver.Version = strings.TrimPrefix(version, "v") // readers compare versions as numbers
	}
	return Encode(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{{
		Tool: map[string]sarifDriver{"driver": driver}, Invocations: []map[string]bool{{"executionSuccessful": !o.Failed}}, ColumnKind: "unicodeCodePoints", DefaultEncoding: "utf-8",
		URIBaseIDs: map[string]sarifArtifact{sourceRoot: {Description: &sarifText{Text: "The working directory of the run."}}},
		Results:    results,
	}}})
}

func sarifRuleOf(r *lint.Rule, page string, docOf func(id string) string) sarifRule {
	doc := "Reports " + r.Summary + "."
	if docOf != nil {
		doc = cmp.Or(docOf(r.ID), doc)
	}
	opening, _, _ := strings.Cut(doc, "\n\n")
	tags := []string{"kubernetes", "crd"}
	if kind, _, _ := strings.Cut(r.ID, "-"); !slices.Contains(tags, kind) { // the schema wants each tag once
		tags = append(tags, kind)
	}
	return sarifRule{
		ID:               r.ID,
		HelpURI:          page,
		ShortDescription: sarifText{Text: "Reports " + r.Summary + "."},
		FullDescription:  sarifText{Text: plain(strings.ReplaceAll(opening, "\n", " "))},
		Help:             sarifText{plain(doc), doc},
		Configuration:    map[string]string{"level": sarifLevels[r.Severity]},
		Properties:       sarifRuleProperties{r.Preset.String(), problemSeverity(r.Severity), tags},
	}
}

var markup = strings.NewReplacer("**", "", "```yaml\n", "", "```\n", "", "```", "", "`", "")

// plain is the documentation of a rule without its Markdown, of which it has little: words in bold, code.
func plain(markdown string) string { return strings.TrimSpace(markup.Replace(markdown)) }

// problemSeverity is a severity in the words of GitHub code scanning.
func problemSeverity(s lint.Severity) string {
	if s == lint.Info {
		return "recommendation"
	}
	return s.String()
}

// sarifResultOf is a finding. Readers look for the files of related locations: of those that the run did not look at,
// such as one in a revision, the message tells.
func sarifResultOf(f *lint.Finding, present map[string]bool) sarifResult {
	message := f.Message
	result := sarifResult{
		RuleID: f.Rule.ID, Level: sarifLevels[f.Severity], Locations: []sarifLocation{sarifLocationOf(f)},
		Properties: dataOf(f),
	}
	for _, other := range f.Related {
		if !present[other.Pos.File] {
			message += fmt.Sprintf(" (%s: %s)", where(other.Pos), other.Message)
			continue
		}
		result.relate(other.Pos, other.Message)
	}
	for _, at := range f.Copies {
		result.relate(at, "a copy has the same")
	}
	result.Message = sarifMessage(message)
	if f.Fix != nil && len(f.Fix.Edits) > 0 {
		change := sarifChangeOf(f.Pos.File, f.Fix.Edits)
		result.Fixes = []sarifFix{{sarifText{Text: f.Fix.Title}, []sarifChange{change}, map[string]bool{"safe": f.Fix.Safe}}}
	}
	if f.Ignored != "" {
		kind := "external"
		if f.IgnoredBy == lint.ByComment {
			kind = "inSource"
		}
		result.Suppressions = []sarifSuppression{{kind, f.Ignored}}
	}
	return result
}

// relate adds a related location.
func (r *sarifResult) relate(at lint.Position, message string) {
	id, text := len(r.Related)+1, sarifMessage(message)
	r.Related = append(r.Related, sarifLocation{ID: &id, Physical: sarifPlace(at), Message: &text})
}

// sarifMessage returns a message without links: "[text](target)" is one even in plain text, section 3.11.6, and a name
// in a manifest may look like that. Braces are left alone, against 3.11.5: there are no arguments, and readers print
// them.
func sarifMessage(text string) sarifText {
	return sarifText{Text: strings.ReplaceAll(text, "](", "] (")}
}

// sarifLocationOf is where a finding is, in the file and in the CRD.
func sarifLocationOf(f *lint.Finding) sarifLocation {
	location := sarifLocation{Physical: sarifPlace(f.Pos)}
	if about := about(f); about != "" {
		name := sarifLogical{Name: about, Kind: "resource"}
		if f.Path != "" {
			name.Qualified = about + "/" + f.Path
		}
		location.Logical = []sarifLogical{name}
	}
	return location
}

func sarifPlace(pos lint.Position) sarifPhysical {
	return sarifPhysical{sarifFile(pos.File), sarifRegion{pos.Line, pos.Column, pos.EndLine, pos.EndColumn}}
}

// sarifFile is a path as a URI. Only one below the working directory has the base; section 3.4.4 wants no "..".
func sarifFile(path string) sarifArtifact {
	switch {
	case filepath.IsAbs(path):
		return sarifArtifact{URI: "file:///" + strings.TrimPrefix(EscapePath(path), "/")}
	case !filepath.IsLocal(path):
		return sarifArtifact{URI: EscapePath(path)}
	}
	return sarifArtifact{URI: EscapePath(path), URIBaseID: sourceRoot}
}

func sarifChangeOf(file string, edits []lint.TextEdit) sarifChange {
	change := sarifChange{Artifact: sarifFile(file)}
	for _, e := range edits {
		change.Replacements = append(change.Replacements,
			sarifReplacement{sarifRegion{e.Line, e.Column, e.EndLine, e.EndColumn}, sarifText{Text: e.Text}})
	}
	return change
}

// addOrigin adds the place in Go types to the result of a finding: as the last of its related locations or, where it comes
// first, as its location, and then the one in the manifest is related. The message links to the related one, since GitHub
// shows only those. What names the CRD and the path in it stays. A place in another module is only told.
func (r *sarifResult) addOrigin(f *lint.Finding, first bool) {
	if f.Origin.InModule { // a file that readers of the log do not have
		r.Message.Text += "; Go: " + sarifMessage(origin(f.Origin)).Text
		return
	}
	told, id := origin(f.Origin), len(r.Related)+1
	place, message := sarifPlace(f.Origin.Pos), sarifMessage(told)
	if first {
		at := &r.Locations[0].Physical
		place, *at = *at, place
		message.Text = "the generated manifest"
		r.Message.Text += "; Go: " + sarifMessage(told).Text + "; manifest: " + sarifLink(where(f.Pos), id)
	} else {
		at := where(f.Origin.Pos)
		r.Message.Text += "; Go: " + sarifLink(at, id) + sarifMessage(strings.TrimPrefix(told, at)).Text
	}
	r.Related = append(r.Related, sarifLocation{ID: &id, Physical: place, Message: &message})
	if len(f.Origin.Edits) > 0 {
		r.Fixes = []sarifFix{sarifMarkersOf(f.Origin)}
	}
}

// sarifLink is a link to a related location, section 3.11.6.
func sarifLink(s string, id int) string {
	return fmt.Sprintf("[%s](%d)", strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s), id)
}

// sarifMarkersOf is the change of markers that fixes a finding.
func sarifMarkersOf(o *lint.Origin) sarifFix {
	var changes []sarifChange
	for _, edits := range ordered.Grouped(o.Edits, func(e lint.FileEdit) string { return e.File }) {
		var here []lint.TextEdit
		for _, e := range edits {
			here = append(here, e.TextEdit)
		}
		changes = append(changes, sarifChangeOf(edits[0].File, here))
	}
	title := "change the markers in Go: " + origin(o) + "; then run " + text.Harmless(o.Generator) + " again"
	return sarifFix{sarifText{Text: title}, changes, map[string]bool{"safe": o.Safe}}
}
