package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/crdlift/crdlift/lint"
)

const (
	homepage = "https://github.com/crdlift/crdlift"
	// rulePage is where the catalogue speaks of a rule, whose id follows.
	rulePage = homepage + "/blob/main/rules/README.md#"
	// fingerprintKey names what fingerprints makes, with the version of how it does.
	fingerprintKey = "crdlift/v1"
	// sourceRoot stands for the working directory, to which paths are relative. GitHub takes it for the repository.
	sourceRoot = "%SRCROOT%"
)

var sarifLevels = map[lint.Severity]string{lint.Error: sarif.LevelError, lint.Warning: sarif.LevelWarning, lint.Info: sarif.LevelNote}

// writeSARIF writes SARIF 2.1.0; https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
func writeSARIF(w *bufio.Writer, r *lint.Report, o Options) error {
	driver := sarif.NewToolComponent().WithName("crdlift").WithInformationURI(homepage)
	if version := strings.TrimPrefix(o.Version, "v"); version != "" && version[0] >= '0' && version[0] <= '9' {
		driver.WithVersion(version) // readers compare versions as numbers; that of a build from a working tree is none
	}
	index := map[string]int{}
	rule := func(r *lint.Rule) int {
		i, known := index[r.ID]
		if !known {
			i = len(driver.Rules)
			index[r.ID] = i
			driver.AddRule(sarifRule(r))
		}
		return i
	}
	for _, known := range o.Rules {
		rule(known)
	}
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(driver)).WithColumnKind("unicodeCodePoints").WithDefaultEncoding("utf-8")
	run.WithOriginalUriBaseIds(map[string]sarif.ArtifactLocation{
		sourceRoot: *sarif.NewArtifactLocation().WithDescription(sarif.NewTextMessage("The working directory of the run.")),
	})
	run.AddInvocation(sarif.NewInvocation().WithExecutionSuccessful(!o.Failed))
	names := fingerprints(r)
	for i, f := range r.Findings {
		result := sarifResult(f).WithRuleIndex(rule(f.Rule))
		run.AddResult(result.WithPartialFingerprints(map[string]string{fingerprintKey: names[i]}))
	}
	encoded, err := json.Marshal(sarif.NewReport().AddRun(run))
	if err != nil {
		return err
	}
	var log any
	if err := json.Unmarshal(encoded, &log); err != nil {
		return err
	}
	return encode(w, pruned(log))
}

// pruned is a log without the defaults that the library writes into every object, such as empty lists and an index of -1
// for "none": two thirds of the text, and GitHub bounds it. An empty list of results says that there are none.
func pruned(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			list, isList := member.([]any)
			object, isObject := member.(map[string]any)
			if isList && len(list) == 0 && name != "results" || isObject && len(object) == 0 || member == -1.0 {
				delete(value, name)
				continue
			}
			value[name] = pruned(member)
		}
	case []any:
		for i, item := range value {
			value[i] = pruned(item)
		}
	}
	return value
}

func sarifRule(r *lint.Rule) *sarif.ReportingDescriptor {
	doc := cmp.Or(r.Doc, "Reports "+r.Summary+".")
	opening, _, _ := strings.Cut(doc, "\n\n")
	kind, _, _ := strings.Cut(r.ID, "-")
	properties := sarif.NewPropertyBag().Add("preset", r.Preset.String()).Add("problem.severity", problemSeverity(r.Severity))
	return sarif.NewReportingDescriptor().WithID(r.ID).WithHelpURI(rulePage + r.ID).
		WithShortDescription(sarif.NewMultiformatMessageString().WithText("Reports " + r.Summary + ".")).
		WithFullDescription(sarif.NewMultiformatMessageString().WithText(strings.ReplaceAll(opening, "\n", " "))).
		WithHelp(sarif.NewMultiformatMessageString().WithText(doc).WithMarkdown(doc)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarifLevels[r.Severity])).
		WithProperties(properties.WithTags([]string{"kubernetes", "crd", kind}))
}

// problemSeverity is a severity in the words of GitHub code scanning.
func problemSeverity(s lint.Severity) string {
	if s == lint.Info {
		return "recommendation"
	}
	return s.String()
}

func sarifResult(f *lint.Finding) *sarif.Result {
	result := sarif.NewRuleResult(f.Rule.ID).WithLevel(sarifLevels[f.Severity]).WithMessage(sarifMessage(f.Message)).
		AddLocation(sarifLocation(f.Pos, f))
	for i, other := range f.Related {
		location := sarifLocation(other.Pos, nil).WithID(i + 1).WithMessage(sarifMessage(other.Message))
		result.AddRelatedLocation(location)
	}
	properties := sarif.NewPropertyBag().Add("document", f.Document)
	for name, value := range map[string]string{"resource": f.Resource, "path": f.At.Path, "refusedBy": f.RefusedBy} {
		if value != "" {
			properties.Add(name, value)
		}
	}
	result.WithProperties(properties)
	if f.Fix != nil && len(f.Fix.Edits) > 0 {
		result.AddFixe(sarifFix(f))
	}
	if f.Ignored != "" {
		kind := "external"
		if f.InSource {
			kind = "inSource"
		}
		result.AddSuppression(sarif.NewSuppression().WithKind(kind).WithJustification(f.Ignored))
	}
	return result
}

// sarifMessage is a message without links: "[text](target)" is one even in plain text, section 3.11.6, and a name in a
// manifest may look like that. Braces are left alone, against 3.11.5: there are no arguments, and readers print them.
func sarifMessage(text string) *sarif.Message {
	return sarif.NewTextMessage(strings.ReplaceAll(text, "](", "] ("))
}

// sarifLocation is a position, with the names of the finding that it is of, if any.
func sarifLocation(pos lint.Position, f *lint.Finding) *sarif.Location {
	location := sarif.NewLocationWithPhysicalLocation(
		sarif.NewPhysicalLocation().WithArtifactLocation(sarifFile(pos.File)).WithRegion(sarifRegion(pos)))
	if f != nil && f.Resource != "" {
		name := sarif.NewLogicalLocation().WithName(f.Resource).WithKind("resource")
		if f.At.Path != "" {
			name.WithFullyQualifiedName(f.Resource + "/" + f.At.Path)
		}
		location.AddLogicalLocation(name)
	}
	return location
}

func sarifRegion(pos lint.Position) *sarif.Region {
	return sarif.NewRegion().WithStartLine(pos.Line).WithStartColumn(pos.Column).WithEndLine(pos.EndLine).WithEndColumn(pos.EndColumn)
}

// sarifFile is a path as a URI. Only one below the working directory has the base; section 3.4.4 wants no "..".
func sarifFile(path string) *sarif.ArtifactLocation {
	switch {
	case filepath.IsAbs(path):
		return sarif.NewSimpleArtifactLocation("file:///" + strings.TrimPrefix(EscapePath(path), "/"))
	case !filepath.IsLocal(path):
		return sarif.NewSimpleArtifactLocation(EscapePath(path))
	}
	return sarif.NewSimpleArtifactLocation(EscapePath(path)).WithURIBaseID(sourceRoot)
}

func sarifFix(f *lint.Finding) *sarif.Fix {
	change := sarif.NewArtifactChange().WithArtifactLocation(sarifFile(f.Pos.File))
	for _, e := range f.Fix.Edits {
		at := lint.Position{Line: e.Line, Column: e.Column, EndLine: e.EndLine, EndColumn: e.EndColumn}
		change.AddReplacement(sarif.NewReplacement().WithDeletedRegion(sarifRegion(at)).
			WithInsertedContent(sarif.NewArtifactContent().WithText(e.Text)))
	}
	return sarif.NewFix().WithDescription(sarif.NewTextMessage(f.Fix.Title)).AddArtifactChange(change).
		WithProperties(sarif.NewPropertyBag().Add("safe", f.Fix.Safe))
}
