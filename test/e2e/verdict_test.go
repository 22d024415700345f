package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A verdict is what became of a write: what a server made of it, or what internal/request expects.
type verdict struct {
	code     int
	causes   []string                  // why it was rejected: type and field of each, sorted; or the unknown fields
	warnings []string                  // in any order
	stored   map[string]any            // as it is in etcd afterwards; nil when the write was rejected
	served   map[string]map[string]any // what a read shows afterwards, by version
	foreign  bool                      // the body is not of the version that it is sent to, so that nothing is known of its unknown fields
}

// difference says in what the server differs from what was expected; "" when it does not.
func (server verdict) difference(expected verdict) string {
	if expected.foreign { // a server decodes its metadata strictly before it looks at what it is
		server.causes = slices.DeleteFunc(slices.Clone(server.causes), unknownField.MatchString)
		server.warnings = slices.DeleteFunc(slices.Clone(server.warnings), unknownField.MatchString)
	}
	switch {
	case server.code != expected.code:
		return fmt.Sprintf("the code is %d, and not %d; the server's causes are %q and not %q", server.code, expected.code, server.causes, expected.causes)
	case !slices.Equal(slices.Compact(server.causes), slices.Compact(expected.causes)): // upstream has some twice
		return fmt.Sprintf("the causes are %q, and not %q", server.causes, expected.causes)
	}
	if why := warningsDiffer(server.warnings, expected.warnings); why != "" {
		return why
	}
	if at := valuesDiffer(asWritten(server.stored), asWritten(expected.stored), "stored"); at != "" {
		return fmt.Sprintf("%s differs: it is\n\t%s\nand not\n\t%s", at, text(server.stored), text(expected.stored))
	}
	for version := range server.served {
		if at := valuesDiffer(asWritten(server.served[version]), asWritten(expected.served[version]), "served at "+version); at != "" {
			return fmt.Sprintf("%s differs: it is\n\t%s\nand not\n\t%s", at, text(server.served[version]), text(expected.served[version]))
		}
	}
	return ""
}

// asWritten is an object without what only a server knows.
func asWritten(object map[string]any) map[string]any {
	object = runtime.DeepCopyJSON(object)
	metadata, _ := object["metadata"].(map[string]any)
	for _, made := range []string{"uid", "creationTimestamp", "managedFields", "resourceVersion"} {
		delete(metadata, made)
	}
	if metadata["generateName"] != nil {
		delete(metadata, "name")
	}
	return object
}

// unknownField finds what a strict decoder says of undeclared fields.
var unknownField = regexp.MustCompile(`unknown field "[^"]*"`)

// refusal is what a server says of a write that it rejects.
func (a answer) refusal() (causes []string, err error) {
	var status metav1.Status
	if err := json.Unmarshal(a.body, &status); err != nil {
		return nil, fmt.Errorf("%d: %.300s", a.code, a.body)
	}
	switch {
	case a.code == http.StatusBadRequest && strings.Contains(status.Message, "strict decoding error"):
		causes = unknownField.FindAllString(status.Message, -1)
	case a.code == http.StatusUnprocessableEntity && status.Details != nil:
		for _, cause := range status.Details.Causes {
			causes = append(causes, string(cause.Type)+" "+cause.Field)
		}
	}
	slices.Sort(causes)
	return causes, nil
}

// mostWarnings is how many characters of warnings a server sends before it cuts them; see WithWarningRecorder of
// k8s.io/apiserver.
const mostWarnings = 4 * 1024

// asSent are warnings as a response has them: each once. They are sorted here. Of too many, what is sent depends on their
// order, which is random.
func asSent(warnings []string) (sorted []string, tooMany bool) {
	warnings = slices.Clone(warnings)
	slices.Sort(warnings)
	warnings = slices.Compact(warnings)
	total := 0
	for _, w := range warnings {
		total += utf8.RuneCountInString(w)
	}
	return warnings, total > mostWarnings
}

// unmet is what a server warns of when a rule is not met by a value that an update does not change.
var unmet = regexp.MustCompile(`^(\S+): (?:Invalid value|Forbidden|Required value|Duplicate value)\b`)

// ownersAgain is how the warning about owner references begins; what follows are values.
const ownersAgain = ".metadata.ownerReferences contains duplicate entries"

// withoutValues are warnings without values of the object: of those about rules, the field is left.
func withoutValues(warnings []string) (texts []string) {
	for _, w := range warnings {
		if match := unmet.FindStringSubmatch(w); match != nil {
			w = unmetAt(match[1])
		}
		if strings.HasPrefix(w, ownersAgain) {
			w = ownersAgain
		}
		texts = append(texts, w)
	}
	return texts
}

// unmetAt makes one of the two spellings of a map's key.
func unmetAt(field string) string {
	return "a rule is not met at " + strings.NewReplacer("[", ".", "]", "").Replace(field)
}

// warningsDiffer says in what warnings differ, but for an order that is random.
func warningsDiffer(server, expected []string) string {
	expected, tooMany := asSent(expected)
	server, _ = asSent(withoutValues(server))
	if tooMany || slices.Equal(server, expected) {
		return ""
	}
	return fmt.Sprintf("the warnings are %q, and not %q", server, expected)
}
