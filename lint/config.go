package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
)

// A Config is what `.crdlift.yaml` and the command line say. The zero value is the default: the recommended rules at
// their own severities.
type Config struct {
	// Path is the configuration file, for messages; "" when there is none. Globs match paths relative to its folder, or
	// to the working directory without one.
	Path              string
	Preset            Preset
	Rules             map[string]Severity // by rule id; a rule named here runs whatever the preset
	Overrides         []Override          // for some files; later ones win
	Only              []string            // ids of the rules to run, and of no others; all when empty
	CommandLine       Override            // wins over all others; its Paths do not matter
	Paths             []string            // globs of the files to lint when the command line names none; relative to the folder
	Exclude           []string            // globs of files that are passed over
	Ignores           []Ignore
	KubernetesVersion KubernetesVersion // the zero value means the newest
	FailOn            Severity          // Error when Off, Never for no finding at all
	MinSeverity       Severity          // of reported findings: Info when Off, Never for none
	Baseline          string            // path of the baseline file, relative to the configuration's folder; "" for none
	Compatibility     Compatibility
	Go                GoTypes
	GoLocation        GoLocation
	Convert           policy.Options // of the settings that last
	Roles             RoleSettings
	Validate          Validate
	Test              Test
	Apply             Apply
	Renamed           []string     // earlier ids that it uses; all other fields have the present ones
	Files             []ConfigFile // where it extends others, all files that it was read from, each after those that it extends; else nil
}

// A ConfigFile is a file that a configuration is read from.
type ConfigFile struct {
	Path  string // absolute
	Label string // as messages name it, such as "v1.2.0:policy/crds.yaml"
	Text  []byte
}

// An Override changes rules for the files that match one of its globs.
type Override struct {
	Paths  []string
	Preset *Preset // nil leaves it as it is
	Rules  map[string]Severity
}

// An Ignore hides findings that all its members match, and says why. Empty members match all.
type Ignore struct {
	Rule   string // rule id or glob
	CRD    string // glob for metadata.name
	Path   string // glob for the path of the finding, such as "spec.versions[v1].schema.**"
	File   string // glob for the file
	Reason string
	At     Source // where the configuration file has it
	Shared bool   // it is in a file that the configuration extends, by what is at At
}

// A Compatibility limits the severity of findings about the change of an API: by the stability of the version, and to
// Status for fields below `status`, which controllers write and users read. A nil member means its default.
type Compatibility struct{ Alpha, Beta, Stable, Status *Severity }

// A GoTypes says where the Go types are that manifests are generated from.
type GoTypes struct {
	Off     bool     // they are not looked for
	Folders []string // of modules, relative to the configuration's folder; none to look around each manifest
}

// A Validate says what `crdlift validate` checks, and how.
type Validate struct {
	Paths []string // globs of the files with custom resources when the command line names none; relative to the folder
	CRDs  []string // globs of the files with CRDs besides those among the paths, likewise
	// Unknown is the severity of fields that no schema declares, and Missing that of custom resources without a CRD; nil for
	// those of their rules.
	Unknown, Missing *Severity
}

// A Test says which suites `crdlift test` runs, and how much of the CRDs they have to test.
type Test struct {
	Paths []string // globs of the files with suites when the command line names none; relative to the folder
	CRDs  []string // globs of the files with the CRDs of suites that do not name theirs, likewise
	Cover Cover
}

// A Cover says what share of a CRD's constraints has to be tested.
type Cover struct {
	Min    map[string]int // the percentage that is enough, by one of Covered
	Ignore []Ignore       // constraints that do not count, by CRD and Path
}

// Covered are the words for kinds of constraints.
func Covered() []string {
	return []string{"rules", "transitions", "defaults", "bounds", "enums", "patterns", "formats", "required", "all"}
}

// An Apply says how custom resources and CRDs get into clusters.
type Apply struct {
	Way     Way
	Manager string // who applies server-side, as managedFields name it; "" to find out
	Force   bool   // what others manage is taken from them
	Assumed bool   // it is what files of the repository say, and the user says nothing
}

// Of is how an object is applied. Nothing is assumed of one that comes from a cluster, which shows how it was.
func (a Apply) Of(live bool) Apply {
	if a.Assumed && live {
		return Apply{}
	}
	return a
}

// A Way is how a manifest is written to a cluster. "" is AutoApply for what comes from one, and else AnyApply.
type Way string

const (
	AnyApply   Way = "any"         // what one of the others rejects or drops counts
	ServerSide Way = "server-side" // Flux, Helm 4, kubectl apply --server-side
	ClientSide Way = "client-side" // kubectl apply, Argo CD, Helm 3
	ReplacedBy Way = "replace"     // kubectl replace, Argo CD with Replace=true
	AutoApply  Way = "auto"        // that in which what is there was written
)

// Ways are the words for them.
func Ways() []string {
	return []string{string(AnyApply), string(ServerSide), string(ClientSide), string(ReplacedBy), string(AutoApply)}
}

// A GoLocation says which is the place of a finding that has one in a manifest and one in Go types, for outputs with a place
// for each finding: GitHub's annotations and SARIF. "" is GoPrimary for the former and GoRelated for the latter.
type GoLocation string

const (
	GoRelated GoLocation = "related" // that in the manifest
	GoPrimary GoLocation = "primary" // that in Go types
)

// A FileError is one thing that is wrong with a configuration or baseline file.
type FileError struct {
	Path         string
	Line, Column int // from 1
	Message      string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// A KubernetesVersion is a minor release of Kubernetes. The zero value means the newest that crdlift knows.
type KubernetesVersion struct{ Major, Minor int }

// ParseKubernetesVersion reads 1.27, v1.27 or 1.27.3.
func ParseKubernetesVersion(text string) (KubernetesVersion, error) {
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) == 2 || len(parts) == 3 {
		major, errMajor := strconv.Atoi(parts[0])
		minor, errMinor := strconv.Atoi(parts[1])
		if errMajor == nil && errMinor == nil && major == 1 && minor >= 0 {
			return KubernetesVersion{major, minor}, nil
		}
	}
	return KubernetesVersion{}, fmt.Errorf("%q is not a Kubernetes version such as 1.27", text)
}

// After reports whether a release came after 1.minor. The zero value comes after none.
func (v KubernetesVersion) After(minor int) bool { return v.Minor > minor }

// Before reports whether a release came before 1.minor. The zero value comes before none.
func (v KubernetesVersion) Before(minor int) bool {
	return v != (KubernetesVersion{}) && v.Minor < minor
}

func (v KubernetesVersion) String() string {
	if v == (KubernetesVersion{}) {
		return ""
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}

// A Baseline is the findings that a repository had when it began to use the linter: those are ignored, new ones are
// not. It tells findings apart by file, CRD, object, rule and path, so that lines may come and go; of one that copies have as well,
// that of any of their files will do.
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

// Options are what a run of the linter is asked for, whatever it compares with or checks by. The zero value reports what is
// wrong with each manifest by the recommended rules.
type Options struct {
	Config   *Config   // nil for the defaults
	Baseline *Baseline // of findings that are not new; nil for none
	Edits    bool      // make the text edits of every fix: outputs that carry them ask for it
	// Fixes reports whether to make the fix of a finding, or its edits; nil for all of them.
	Fixes    func(*Finding) bool `json:"-"`
	Rendered bool                // pass Helm templates over: what they render to is linted elsewhere
	Final    bool                // the manifests are what will be applied: nothing adds to them what a generator leaves out
	// Changes leaves only what is said of the change. What keeps a CRD from being compared is still reported: text that
	// does not parse, a head that is misspelt, manifests that are one document.
	Changes bool
	// Requirement takes the older side for what is needed: only the rules about that compare with it.
	Requirement bool
	Additions   bool // collect what a change adds, for a changelog
	KeepAll     bool // keep findings that would only be counted, as a baseline is to have them
	NewOnly     bool // prepare reports for telling new findings from those of an older report
	// Shown is the file that a finding is shown in, of a report with Sources; nil where each is in the report's own.
	Shown func(*Finding) string `json:"-"`
	// NoInline has comments in manifests ignore nothing: those that WasInline does not know.
	NoInline bool
	// WasInline reports whether a comment is not new that ignores a rule in a scope of a file; nil where nothing is known of that.
	WasInline func(file, rule, scope string) bool `json:"-"`
	// UnusedRoles are the settings of the configuration's roles that change nothing in the repository, for a report to tell of.
	UnusedRoles []RoleSetting
}
