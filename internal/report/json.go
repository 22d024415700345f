package report

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// ContractVersion changes when a member of the JSON output changes its meaning or goes; not when one is added.
const ContractVersion = 1

// A Head is what a report in JSON says about its run, for programs that put several together. Each member may be empty.
type Head struct {
	Crdlift    string `json:"crdlift,omitempty"`    // the version of the program, such as "v1.2.3"
	Command    string `json:"command,omitempty"`    // "lint", "webhook test" and so on
	Repository string `json:"repository,omitempty"` // "owner/name"
	// FilesURL is what to put before a path to look at the file: "https://host/owner/name/blob/COMMIT/".
	FilesURL  string          `json:"filesURL,omitempty"`
	Against   string          `json:"against,omitempty"` // what CRDs are compared with, as the user calls it
	Migration *lint.Migration `json:"migration,omitempty"`
}

type jsonReport struct {
	Version int `json:"version"`
	Head
	Findings []jsonFinding              `json:"findings"`
	CRDs     []lint.CRD                 `json:"crds,omitempty"`
	Added    []lint.Addition            `json:"added,omitempty"`
	LeftOut  map[lint.Role]*jsonLeftOut `json:"leftOut,omitempty"`
	Tests    []jsonTest                 `json:"tests,omitempty"`
	Coverage []lint.Coverage            `json:"coverage,omitempty"`
	Summary  jsonSummary                `json:"summary"`
}

type jsonFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	jsonPlace
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
	findingData
	Related []jsonRelated `json:"related,omitempty"`
	Copies  []jsonPlace   `json:"copies,omitempty"`
	Remedy  []lint.Change `json:"remedy,omitempty"`
	Source  *jsonSource   `json:"source,omitempty"`
	Fix     *jsonFix      `json:"fix,omitempty"`
	Ignored string        `json:"ignored,omitempty"`
	Count   int           `json:"count,omitempty"`
}

// findingData are the members that SARIF has no place for, other than among its properties.
type findingData struct {
	Document  int      `json:"document"`
	Resource  string   `json:"resource,omitempty"`
	Path      string   `json:"path,omitempty"`
	Field     string   `json:"field,omitempty"`
	Versions  []string `json:"versions,omitempty"`
	Old       any      `json:"old,omitempty"`
	New       any      `json:"new,omitempty"`
	Witness   any      `json:"witness,omitempty"`
	Replay    string   `json:"replay,omitempty"`
	RefusedBy string   `json:"refusedBy,omitempty"`

	Object    *lint.Object `json:"object,omitempty"`
	Operation string       `json:"operation,omitempty"`
	Scope     string       `json:"scope,omitempty"`
	CRD       *jsonCRD     `json:"crd,omitempty"`

	Role        lint.Role `json:"role,omitempty"`
	RoleBecause string    `json:"roleBecause,omitempty"`
	CopyOf      string    `json:"copyOf,omitempty"`

	Suite string `json:"suite,omitempty"`
	Case  string `json:"case,omitempty"`
}

// A jsonCRD is what a custom resource is judged by.
type jsonCRD struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func dataOf(f *lint.Finding) findingData {
	data := findingData{f.Document, f.Resource, f.Path, f.Field, f.Versions, f.Old, f.New, f.Witness, f.Replay, f.RefusedBy, f.Object, f.Operation, f.Scope, nil, f.Role, f.RoleBecause, f.CopyOf, f.Suite, f.Case}
	if f.Object != nil && f.Resource != "" {
		_, version, _ := strings.Cut(f.Object.APIVersion, "/")
		data.CRD = &jsonCRD{f.Resource, version}
	}
	return data
}

// A jsonPlace is where something begins.
type jsonPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func placeOf(pos lint.Position) jsonPlace { return jsonPlace{pos.File, pos.Line, pos.Column} }

type jsonRelated struct {
	jsonPlace
	Message string `json:"message"`
}

// A jsonLeftOut counts the findings about files of a role that are not listed.
type jsonLeftOut struct {
	Count int            `json:"count"`
	Rules map[string]int `json:"rules"`
}

func jsonLeftOutOf(r *lint.Report) map[lint.Role]*jsonLeftOut {
	all := map[lint.Role]*jsonLeftOut{}
	for role, findings := range leftOutBy(r, byRole) {
		all[role] = &jsonLeftOut{findings.count(), map[string]int{}}
		for _, f := range findings {
			all[role].Rules[f.Rule.ID] += f.Count()
		}
	}
	return all
}

// A jsonSource is a place in Go types.
type jsonSource struct {
	jsonMark
	Type       string     `json:"type,omitempty"`
	Module     string     `json:"module,omitempty"`
	Version    string     `json:"moduleVersion,omitempty"`
	InModule   bool       `json:"inModule,omitempty"`
	Confidence string     `json:"confidence"`
	CopyOf     string     `json:"copyOf,omitempty"`
	Partial    bool       `json:"partial,omitempty"`
	Generator  string     `json:"generator"`
	Program    string     `json:"program,omitempty"`
	Others     []jsonMark `json:"others,omitempty"`

	Edits []lint.FileEdit `json:"edits,omitempty"`
}

// A jsonMark is a declaration in Go with the change of its markers.
type jsonMark struct {
	jsonPlace
	Symbol  string       `json:"symbol"`
	At      string       `json:"at"`
	Markers []jsonMarker `json:"markers,omitempty"`
	Drop    []jsonMarker `json:"drop,omitempty"`
	Correct []jsonMarker `json:"correct,omitempty"`
}

type jsonMarker struct {
	Text  string `json:"text"`
	Line  int    `json:"line,omitempty"`
	Open  bool   `json:"open,omitempty"`
	Needs string `json:"needs,omitempty"`
}

type jsonFix struct {
	Title string          `json:"title"`
	Safe  bool            `json:"safe"`
	Edits []lint.TextEdit `json:"edits,omitempty"`
}

type jsonSummary struct {
	Files          int `json:"files"`
	CRDs           int `json:"crds"`
	OtherDocuments int `json:"otherDocuments"`
	Errors         int `json:"errors"`
	Warnings       int `json:"warnings"`
	Infos          int `json:"infos"`
	Ignored        int `json:"ignored"`
	UnreadFiles    int `json:"unreadFiles,omitempty"`
	*jsonObjects
	*jsonCases
	Conversions *lint.Conversions `json:"conversions,omitempty"`
	Carried     *lint.Carried     `json:"carried,omitempty"`
}

// jsonObjects are the counts of a run that judges custom resources.
type jsonObjects struct {
	Objects    int            `json:"objects"`
	Refused    int            `json:"refused"`
	Unjudged   int            `json:"unjudged"`
	Unread     int            `json:"unread,omitempty"`
	Upgrade    map[string]int `json:"upgrade,omitempty"`
	PassedOver jsonPassedOver `json:"passedOver"`
}

type jsonPassedOver struct {
	BuiltIn    int            `json:"builtIn"`
	Partial    int            `json:"partial"`
	LeftOut    int            `json:"leftOut,omitempty"`
	WithoutCRD map[string]int `json:"withoutCRD,omitempty"`
}

func jsonObjectsOf(o *lint.Objects) *jsonObjects {
	if o == nil {
		return nil
	}
	out := &jsonObjects{o.Len(), o.Count(lint.Refused), o.Count(lint.Unjudged), o.Unread, nil, jsonPassedOver{o.BuiltIn, o.Partial, o.LeftOut, o.WithoutCRD}}
	if o.Upgrade {
		out.Upgrade = map[string]int{}
		for _, verdict := range lint.Foreseen() {
			out.Upgrade[verdict] = o.Count(verdict)
		}
	}
	return out
}

// WriteJSON writes a report in the format JSON, for programs that link no other format. Its errors are those of the writer.
func WriteJSON(w io.Writer, r *lint.Report) error {
	out := bufio.NewWriter(w)
	if err := writeJSON(out, r, Options{}); err != nil {
		return err
	}
	return out.Flush()
}

func writeJSON(w *bufio.Writer, r *lint.Report, o Options) error {
	head := o.Head
	head.Crdlift, head.FilesURL, head.Migration = Released(o.Version), o.Repository, r.Migration
	out := jsonReport{
		Version:  ContractVersion,
		Head:     head,
		Findings: []jsonFinding{},
		CRDs:     r.Defined,
		Added:    o.Added,
		LeftOut:  jsonLeftOutOf(r),
		Tests:    jsonTestsOf(r),
		Coverage: r.Coverage,
		Summary: jsonSummary{
			len(r.Files), r.CRDs, r.Others,
			r.Count(lint.Error), r.Count(lint.Warning), r.Count(lint.Info), r.Ignored(), o.Unread, jsonObjectsOf(r.Objects), jsonCasesOf(r), r.Conversions, r.Carried,
		},
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, jsonOf(f))
	}
	return Encode(w, out)
}

func jsonOf(f *lint.Finding) jsonFinding {
	out := jsonFinding{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Message: f.Message,
		jsonPlace: placeOf(f.Pos), EndLine: f.Pos.EndLine, EndColumn: f.Pos.EndColumn,
		findingData: dataOf(f), Remedy: f.Remedy, Source: jsonSourceOf(f.Origin), Ignored: f.Ignored,
	}
	for _, other := range f.Related {
		out.Related = append(out.Related, jsonRelated{placeOf(other.Pos), other.Message})
	}
	for _, at := range f.Copies {
		out.Copies = append(out.Copies, placeOf(at))
	}
	if f.More > 0 {
		out.Count = f.Count()
	}
	if f.Fix != nil {
		out.Fix = &jsonFix{f.Fix.Title, f.Fix.Safe, f.Fix.Edits}
	}
	return out
}

func jsonSourceOf(o *lint.Origin) *jsonSource {
	if o == nil {
		return nil
	}
	out := &jsonSource{
		jsonMark: jsonMarkOf(o.Mark), Type: o.Type, Module: o.Module, Version: o.Version, InModule: o.InModule, CopyOf: o.CopyOf,
		Confidence: string(o.Confidence), Partial: o.Partial, Generator: o.Generator, Program: o.Program, Edits: o.Edits,
	}
	for _, m := range o.Others {
		out.Others = append(out.Others, jsonMarkOf(m))
	}
	return out
}

func jsonMarkOf(m lint.Mark) jsonMark {
	return jsonMark{placeOf(m.Pos), m.Symbol, string(m.At), jsonMarkers(m.Add), jsonMarkers(m.Drop), jsonMarkers(m.Correct)}
}

func jsonMarkers(all []lint.Marker) (out []jsonMarker) {
	for _, m := range all {
		out = append(out, jsonMarker{m.Text, m.Pos.Line, m.Open, m.Needs})
	}
	return out
}

// Encode writes a value as JSON, for programs and, indented, for people.
func Encode(w io.Writer, value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(text.HarmlessJSON(b.Bytes()))
	return err
}

// Released is a version of the program; "" for a text that is not one, such as that of a build from a working tree.
func Released(version string) string {
	if number := strings.TrimPrefix(version, "v"); number == "" || number[0] < '0' || number[0] > '9' {
		return ""
	}
	return version
}

// fingerprints name the findings of a report, in its order, so that a service recognises one in a later run: rule, file,
// CRD, path and custom resource make a name, and a number distinguishes those with the same name. Lines and messages are not part of it,
// so that neither an edit elsewhere in the file nor a reworded message makes a finding new. docs/reference/outputs.md promises
// this.
func fingerprints(r *lint.Report) []string {
	return fingerprintsBy(r, func(f *lint.Finding) []string { return []string{f.Rule.ID, f.Pos.File, f.Resource, f.Path} })
}

// fingerprintsAnywhere are those of another kind, in which the file makes a difference only where there is no CRD: a finding keeps
// its name when the source of its CRD moves, or another file becomes the source.
func fingerprintsAnywhere(r *lint.Report) []string {
	return fingerprintsBy(r, func(f *lint.Finding) []string { return []string{f.Rule.ID, cmp.Or(f.Resource, f.Pos.File), f.Path} })
}

func fingerprintsBy(r *lint.Report, parted func(*lint.Finding) []string) []string {
	seen := map[string]int{}
	out := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		parts := parted(f)
		if f.Object != nil {
			parts = append(parts, f.Object.ID())
		}
		name := strings.Join(parts, "\x00")
		seen[name]++
		sum := sha256.Sum256([]byte(name + "\x00" + strconv.Itoa(seen[name])))
		out[i] = hex.EncodeToString(sum[:16])
	}
	return out
}
