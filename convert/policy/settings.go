package policy

import (
	"fmt"
	"slices"
	"strings"
)

// A Setting is one of the Options, with its names for users.
type Setting struct {
	Flag    string   // on the command line: "unknown-fields"
	Key     string   // in files: "unknownFields"
	Usage   string   // one line of help
	Words   []string // that it takes; nil for a switch, which is true or false
	Default string   // without it, in words for people; "" for a switch
	// Lasting is true for a setting of a whole repository, which may be in its .crdlift.yaml. The others are for one
	// run.
	Lasting bool

	Word   func(*Options) *string // where the options hold the word; nil for a switch
	Switch func(*Options) *bool   // where the options hold whether it is on; nil for one that takes words
}

// A Choice is a setting as a message advises it.
type Choice struct {
	Flag string // that of the Setting; "" for no choice
	Word string // "" for a switch, which is turned on
}

// String is the choice on the command line, as the message has it.
func (c Choice) String() string {
	if c.Word == "" {
		return "--" + c.Flag
	}
	return "--" + c.Flag + "=" + c.Word
}

// Copy sets the setting in one of the options as it is in the other.
func (s Setting) Copy(to *Options, from Options) {
	if s.Word != nil {
		*s.Word(to) = *s.Word(&from)
	} else {
		*s.Switch(to) = *s.Switch(&from)
	}
}

var settings = []Setting{
	{Flag: "to", Key: "to", Words: words(V1, V1beta1), Default: string(V1),
		Usage: "API version to convert to",
		Word:  func(o *Options) *string { return (*string)(&o.To) }},
	{Flag: "policy", Key: "policy", Words: words(Exact, Idiomatic), Default: string(Exact), Lasting: true,
		Usage: "how to convert what the versions do not have in common (default exact)",
		Word:  func(o *Options) *string { return (*string)(&o.Policy) }},
	{Flag: "unknown-fields", Key: "unknownFields", Words: words(Preserve, Root, Prune), Default: "by the policy", Lasting: true,
		Usage: "how to convert fields that the schema does not declare (default by policy)",
		Word:  func(o *Options) *string { return (*string)(&o.UnknownFields) }},
	{Flag: "missing-types", Key: "missingTypes", Words: words(PreserveUntyped, Infer), Default: "by the policy", Lasting: true,
		Usage: "how to convert schema nodes without a type (default by policy)",
		Word:  func(o *Options) *string { return (*string)(&o.MissingTypes) }},
	{Flag: "unapproved-api", Key: "unapprovedAPI", Lasting: true,
		Usage:  "annotate CRDs of protected groups (*.k8s.io, *.kubernetes.io) as unapproved",
		Switch: func(o *Options) *bool { return &o.UnapprovedAPI }},
	{Flag: "upgrade-in-place", Key: "upgradeInPlace", Lasting: true,
		Usage:  "write preserveUnknownFields: false, for clusters that have had the CRD since v1beta1",
		Switch: func(o *Options) *bool { return &o.UpgradeInPlace }},
	{Flag: "keep-status", Key: "keepStatus", Lasting: true,
		Usage:  "keep the status stanza",
		Switch: func(o *Options) *bool { return &o.KeepStatus }},
	{Flag: "on-loss", Key: "onLoss", Words: words(ReportLoss, DropLoss), Default: string(ReportLoss),
		Usage: "to v1beta1: how to convert defaults, CEL rules and selectable fields, which it does not support (default report)",
		Word:  func(o *Options) *string { return (*string)(&o.OnLoss) }},
	{Flag: "with-version-field", Key: "withVersionField",
		Usage:  "to v1beta1: also write the deprecated spec.version",
		Switch: func(o *Options) *bool { return &o.WithVersionField }},
}

func words[T ~string](all ...T) (texts []string) {
	for _, word := range all {
		texts = append(texts, string(word))
	}
	return texts
}

// Settings returns all settings, in the order in which the command line's help lists them.
func Settings() []Setting { return slices.Clone(settings) }

// Check reports the first word of the options that is none of those its setting takes.
func (o *Options) Check() error {
	for _, s := range settings {
		if s.Word == nil {
			continue
		}
		if word := *s.Word(o); word != "" && !slices.Contains(s.Words, word) {
			return fmt.Errorf("%s cannot be %q; it is one of %s", s.Flag, word, strings.Join(s.Words, ", "))
		}
	}
	return nil
}
