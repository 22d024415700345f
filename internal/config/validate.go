package config

import "github.com/crdlift/crdlift/lint"

// A choice is a word for a severity.
type choice struct {
	word string
	lint.Severity
}

// What becomes of unknown fields, in kubectl's words, and of custom resources without a CRD.
var (
	fieldValidations = []choice{{"strict", lint.Error}, {"warn", lint.Warning}, {"ignore", lint.Off}}
	missingCRDs      = []choice{{"ignore", lint.Off}, {"warn", lint.Warning}, {"error", lint.Error}}
)

// FieldValidations and MissingCRDs are the words, of which the first is the default.
func FieldValidations() []string { return words(fieldValidations) }
func MissingCRDs() []string      { return words(missingCRDs) }

// FieldValidation and MissingCRD return the severity that a word stands for; nil for any other word.
func FieldValidation(word string) *lint.Severity { return meaning(fieldValidations, word) }
func MissingCRD(word string) *lint.Severity      { return meaning(missingCRDs, word) }

func words(all []choice) (words []string) {
	for _, c := range all {
		words = append(words, c.word)
	}
	return words
}

func meaning(all []choice, word string) *lint.Severity {
	for _, c := range all {
		if c.word == word {
			return &c.Severity
		}
	}
	return nil
}

// word is the word for a severity; "" for nil.
func word(all []choice, s *lint.Severity) string {
	for _, c := range all {
		if s != nil && c.Severity == *s {
			return c.word
		}
	}
	return ""
}
