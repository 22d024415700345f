package e2e

import (
	"slices"
	"strings"
)

// A knownDifference is one that docs/serve.md lists.
type knownDifference struct {
	reason string
	is     func(s step, a, b said) bool
}

// Some are no matter of comparing: the texts that list formats do not have protobuf here, and serve warns of what it does not do.
var knownDifferences = []knownDifference{
	{"custom resources and discovery are not in protobuf: errors are JSON, and who accepts protobuf alone gets no discovery", func(s step, a, b said) bool {
		return a.contentType == "application/vnd.kubernetes.protobuf" && b.contentType == "application/json" && (a.code == b.code || b.code == 406)
	}},
	{"of a path that is not served, the answer is a Status with a sentence in place of a text", func(s step, a, b said) bool {
		o, _ := a.body.(map[string]any)
		return a.code == 404 && b.code == 404 && (o == nil || o["paths"] != nil)
	}},
	{"metadata of an applied object that cannot be decoded is dropped, as when there was none; the real server refuses it then", func(s step, a, b said) bool {
		return strings.HasPrefix(s.about, "apply") && a.code == 422 && strings.Contains(a.raw, "is invalid: metadata: Invalid value") && b.code == 200
	}},
	{"a Scale cannot be applied, only updated and patched", func(s step, a, b said) bool {
		return strings.HasPrefix(s.about, "apply of the scale") && strings.Contains(b.raw, "crdlift serve does not apply to the scale subresource")
	}},
	{"of a Scale that a patch makes wrong, the answer has the same reason in other words", func(s step, a, b said) bool {
		return strings.HasPrefix(s.about, "merge patch of the scale") && a.code == 422 && b.code == 422
	}},
	{"of the fields of a body that is of another version, nothing is said", func(s step, a, b said) bool {
		return a.code == 400 && b.code == 400 && strings.Contains(b.raw, "does not match the expected API version")
	}},
	{"of a patch that makes an object one of another version, nothing else is said", func(s step, a, b said) bool {
		return s.method == "PATCH" && a.code == 422 && b.code == 422 && strings.Contains(b.raw, "is invalid: apiVersion: Invalid value: ")
	}},
	{"an object of another kind has warnings of the fields that the kind of the path does not have", func(s step, a, b said) bool {
		return a.code == 422 && b.code == 422 && strings.Contains(a.raw, "kind: Invalid value: ") && strings.Contains(b.raw, "kind: Invalid value: ")
	}},
	{"of members of a Scale that it does not have, nothing is said", func(s step, a, b said) bool {
		return strings.HasPrefix(s.about, "update of the scale") && strings.Contains(s.body, `"unknown"`)
	}},
	{"a dry run of creating an object with a resourceVersion is judged as one without dryRun", func(s step, a, b said) bool {
		return s.method == "POST" && isDry(s) && strings.Contains(s.body, "resourceVersion")
	}},
}

// isKnown is the reason of a difference, "" for one that is not known.
func isKnown(s step, a, b said) string {
	for _, one := range knownDifferences {
		if one.is(s, a, b) {
			return one.reason
		}
	}
	return ""
}

// comparableWarnings are those of both servers: serve has its own for what it does not do.
func comparableWarnings(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(text string) bool { return strings.HasPrefix(text, "crdlift serve ") })
}
