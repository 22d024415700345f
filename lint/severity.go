package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// A Severity is the importance of a finding. The zero value, Off, means that findings are not reported.
type Severity int8

const (
	Off     Severity = iota
	Info             // a convention, or worth knowing
	Warning          // probably wrong
	Error            // the API server rejects it, or it never works, or it loses data
)

// Never is a severity that no finding has. Config.FailOn may be it.
const Never = Error + 1

var severities = []string{"off", "info", "warning", "error"}

func (s Severity) String() string {
	if s == Never {
		return "never"
	}
	return severities[s]
}

// Severities are the names of severities, from off to error. Never is not one of them.
func Severities() []string { return slices.Clone(severities) }

// ParseSeverity reads a severity's name.
func ParseSeverity(name string) (Severity, error) {
	if i := slices.Index(severities, name); i >= 0 {
		return Severity(i), nil
	}
	return Off, fmt.Errorf("%s is not one of %s", text.Misspelt(name, severities), strings.Join(severities, ", "))
}

// A Preset is a set of rules to run. Each contains the one before.
type Preset int8

const (
	Recommended Preset = iota // errors, and their consequences
	All                       // conventions, too: those of most projects, and those that people disagree about
)

var presets = []string{"recommended", "all"}

// Presets are the names of presets, from the smallest.
func Presets() []string { return slices.Clone(presets) }

func (p Preset) String() string { return presets[p] }

// ParsePreset reads a preset's name.
func ParsePreset(name string) (Preset, error) {
	if i := slices.Index(presets, name); i >= 0 {
		return Preset(i), nil
	}
	return Recommended, fmt.Errorf("%s is not one of %s", text.Misspelt(name, presets), strings.Join(presets, ", "))
}
