package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Setting is one of the Options, with its names for users.
type Setting struct {
	Name    string   // of the flag, if it has one, and in a ConfigMap: "unknown-fields"
	Key     string   // in files: "unknownFields"
	Usage   string   // one line of help
	Words   []string // that it takes; nil for a switch, which is true or false
	Default string   // without it, in words for people; "" for a switch
	Flag    bool     // the command line has it
	Once    bool     // it is for one run: .crdlift.yaml does not have it

	Word   func(*Options) *string // where the options hold the word; nil for a switch
	Switch func(*Options) *bool   // where the options hold whether it is on; nil for one that takes words
}

// A Choice is a setting as a message advises it.
type Choice struct {
	Name string // that of the Setting; "" for no choice
	Word string // "" for a switch, which is turned on
}

// String is the choice as the message has it: a flag, or else a key of .crdlift.yaml with its value.
func (c Choice) String() string {
	for _, s := range settings {
		switch {
		case s.Name != c.Name:
		case s.Flag:
			return "--" + s.Name + "=" + c.Word
		default:
			return "'convert." + s.Key + ": " + cmp.Or(c.Word, "true") + "'"
		}
	}
	return ""
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
	{Name: "to", Key: "to", Words: words(V1, V1beta1), Default: string(V1), Flag: true, Once: true,
		Usage: "API version to convert to",
		Word:  func(o *Options) *string { return (*string)(&o.To) }},
	{Name: "policy", Key: "policy", Words: words(Exact, Idiomatic), Default: string(Exact), Flag: true,
		Usage: "how to convert what the versions do not have in common (default exact)",
		Word:  func(o *Options) *string { return (*string)(&o.Policy) }},
	{Name: "unknown-fields", Key: "unknownFields", Words: words(Preserve, Root, Prune), Default: "by the policy",
		Usage: "how to convert fields that the schema does not declare (default by policy)",
		Word:  func(o *Options) *string { return (*string)(&o.UnknownFields) }},
	{Name: "missing-types", Key: "missingTypes", Words: words(PreserveUntyped, Infer), Default: "by the policy",
		Usage: "how to convert schema nodes without a type (default by policy)",
		Word:  func(o *Options) *string { return (*string)(&o.MissingTypes) }},
	{Name: "unapproved-api", Key: "unapprovedAPI",
		Usage:  "annotate CRDs of protected groups (*.k8s.io, *.kubernetes.io) as unapproved",
		Switch: func(o *Options) *bool { return &o.UnapprovedAPI }},
	{Name: "upgrade-in-place", Key: "upgradeInPlace",
		Usage:  "write preserveUnknownFields: false, for clusters that have had the CRD since v1beta1",
		Switch: func(o *Options) *bool { return &o.UpgradeInPlace }},
	{Name: "keep-status", Key: "keepStatus",
		Usage:  "keep the status stanza",
		Switch: func(o *Options) *bool { return &o.KeepStatus }},
	{Name: "on-loss", Key: "onLoss", Words: words(ReportLoss, DropLoss), Default: string(ReportLoss),
		Usage: "to v1beta1: how to convert defaults, CEL rules and selectable fields, which it does not support (default report)",
		Word:  func(o *Options) *string { return (*string)(&o.OnLoss) }},
	{Name: "with-version-field", Key: "withVersionField",
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

// Check reports the first word of the options that its setting does not have.
func (o *Options) Check() error {
	for _, s := range settings {
		if s.Word == nil {
			continue
		}
		if word := *s.Word(o); word != "" && !slices.Contains(s.Words, word) {
			return fmt.Errorf("%s cannot be %q; it is one of %s", s.Name, word, strings.Join(s.Words, ", "))
		}
	}
	return nil
}
