package e2e

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A knownDifference is one that docs/internals/verdicts-of-serve.md lists.
type knownDifference struct {
	reason string
	is     func(s step, a, b said) bool
}

// Three more are passed over where answers are compared: the texts that list formats name protobuf on a real server only; serve has
// warnings of its own; and a real server's cache does not know of the newest resourceVersion when that is of another kind. Scripts leave out
// what ends or needs more than a request: bodies in protobuf, on which the real server panics; deletions that wait for the garbage
// collector; and members of applied metadata that are null or empty as a whole, which the real server stores until the next write.
var knownDifferences = []knownDifference{
	{"errors and discovery are never in protobuf", func(s step, a, b said) bool {
		return a.contentType == "application/vnd.kubernetes.protobuf" && b.contentType == "application/json" && (a.code == b.code || b.code == 406)
	}},
	{"the answer at a path that is not served is a Status, and not a plain text or a list of paths", func(s step, a, b said) bool {
		o, _ := a.body.(map[string]any)
		return a.code == 404 && b.code == 404 && (o == nil || o["paths"] != nil)
	}},
	{"an apply to an object drops metadata that cannot be decoded, such as the time x; a real server rejects it", func(s step, a, b said) bool {
		return strings.HasPrefix(s.about, "apply") && a.code == 422 && wrongMetadata.MatchString(a.raw)
	}},
	{"a Scale can be updated and patched, but not applied", func(s step, a, b said) bool {
		return strings.HasPrefix(s.about, "apply of the scale") && strings.Contains(b.raw, "crdlift serve does not apply to the scale subresource")
	}},
	{"a patch that makes a Scale wrong is rejected in other words", func(s step, a, b said) bool {
		return strings.HasPrefix(s.about, "merge patch of the scale") && a.code == 422 && b.code == 422
	}},
	{"a body of another version is rejected without a look at its fields", func(s step, a, b said) bool {
		in := strictlyIn.FindStringSubmatch(b.raw) // of duplicates, which it looks for
		return a.code == 400 && b.code == 400 && (strings.Contains(text(b.body), "does not match the expected API version") ||
			in != nil && !strings.Contains(s.path, "}/"+in[1]+"/"))
	}},
	{"a patch that changes the version of an object is rejected for nothing else", func(s step, a, b said) bool {
		return s.method == "PATCH" && a.code == 422 && b.code == 422 && strings.Contains(b.raw, "is invalid: apiVersion: Invalid value: ")
	}},
	{"a rejected body of another kind has warnings of unknown fields", func(s step, a, b said) bool {
		return a.code == 422 && b.code == 422 && strings.Contains(a.raw, "kind: Invalid value: ") && strings.Contains(b.raw, "kind: Invalid value: ")
	}},
	{"unknown fields of a Scale have no warnings", func(s step, a, b said) bool {
		return strings.HasPrefix(s.about, "update of the scale") && strings.Contains(s.body, `"unknown"`)
	}},
	{"an object that cannot be stored for what is embedded in it is rejected in other words", func(s step, a, b said) bool {
		return a.code == 500 && b.code == 500 && strings.Contains(b.raw, "an embedded resource of version")
	}},
	{"a dry run does not show a selfLink, which is not stored", func(s step, a, b said) bool {
		return isDry(s) && strings.Contains(a.request, "selfLink")
	}},
	{"a dry run refuses to create an object with a resourceVersion, as a real create does", func(s step, a, b said) bool {
		return s.method == "POST" && isDry(s) && strings.Contains(s.body, "resourceVersion")
	}},
}

// TestKnownDifferences: users find in docs/internals/verdicts-of-serve.md what is passed over here.
func TestKnownDifferences(t *testing.T) {
	page, err := os.ReadFile("../../docs/internals/verdicts-of-serve.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range knownDifferences {
		if !strings.Contains(string(page), "\n| "+one.reason+" | ") {
			t.Errorf("docs/internals/verdicts-of-serve.md does not say: %s", one.reason)
		}
	}
}

var strictlyIn = regexp.MustCompile(`in version \\"(\w+)\\" cannot be handled as a \w+: strict decoding error`)

var wrongMetadata = regexp.MustCompile(`[ \[]metadata: Invalid value: \{`)

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
