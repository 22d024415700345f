package rules_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/rules"
)

// ofOneVersion are the rules whose findings may differ between a CRD and its conversion, and why.
var ofOneVersion = map[string]string{
	"deprecated-api-version":                  "is about v1beta1",
	"version-field-deprecated":                "is about a field of v1beta1",
	"preserve-unknown-fields-implicit":        "is about the default of v1beta1",
	"preserve-unknown-fields-redundant":       "is about the default of v1",
	"conversion-review-versions-implicit":     "a conversion writes them out",
	"conversion-review-versions-v1beta1-only": "speaks of what is written out, which a conversion does",
	"status-in-manifest":                      "a conversion drops the status",
	"metadata-server-fields":                  "a conversion drops them",
	"server-field-stub":                       "a conversion drops them",
	"unknown-field":                           "a conversion drops them",
	"manifest-not-normal":                     "is about what v1 returns",
	"manifest-too-large":                      "what is written once or in every version differs in size",
	"cel-message-missing":                     "v1beta1 has no CEL rules",
	"cel-in-v1beta1":                          "v1beta1 has no CEL rules",
	"file-name-convention":                    "is about the file",
}

// spellings are the words of messages that the versions spell differently.
var spellings = strings.NewReplacer("JSONPath", "jsonPath", "webhookClientConfig", "webhook.clientConfig", "spec.validation", "schema")

// versionName is how messages name a version: what v1beta1 says once, at the top level, v1 says in every version.
var versionName = regexp.MustCompile(`version "[^"]*"`)

// lineNumber is a line of the manifest in a message.
var lineNumber = regexp.MustCompile(`at line \d+`)

// neutralFindings are what the version-neutral rules say about a CRD, by rule and message.
func neutralFindings(src []byte) []string {
	said := map[string]bool{}
	l := rules.EveryRule()
	for _, f := range l.Report([]*engine.FileReport{l.File("crd.yaml", src)}).Findings {
		if _, differs := ofOneVersion[f.Rule.ID]; !differs && f.Foreseen == "" {
			message := versionName.ReplaceAllString(spellings.Replace(f.Message), "a version")
			if f.Rule.ID == "yaml-duplicate-key" { // it says where the other key is
				message = lineNumber.ReplaceAllString(message, "at a line")
			}
			said[f.Rule.ID+": "+message] = true
		}
	}
	return slices.Sorted(maps.Keys(said))
}

// metamorphosis compares the findings of CRDs with those of their conversions.
type metamorphosis struct {
	sync.Mutex
	compared int
	differ   map[string]int // by rule
}

// compare converts the CRDs of a file that lose nothing by it, and need no repair.
func (m *metamorphosis) compare(t *testing.T, path string) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	for _, to := range []policy.Target{policy.V1, policy.V1beta1} {
		out, err := convert.Explained(path, src, policy.Options{To: to}, rules.Explainer())
		if err != nil || len(out.CRDs) != 1 || out.CRDs[0].State != policy.Converted || out.CRDs[0].Marks > 0 || out.Others > 0 {
			continue
		}
		if slices.ContainsFunc(out.CRDs[0].Notes, func(n convert.Note) bool { return n.Class != policy.Safe }) || !rules.IsAccepted(crd.Parse(src)[0]) {
			continue
		}
		before, after := neutralFindings(src), neutralFindings(out.Output)
		m.Lock()
		m.compared++
		if diff := cmp.Diff(strings.Join(before, "\n"), strings.Join(after, "\n")); diff != "" {
			t.Errorf("%s to %s: the findings differ:\n%s", path, to, diff)
			for _, s := range symmetric(before, after) {
				rule, _, _ := strings.Cut(s, ":")
				m.differ[rule]++
			}
		}
		m.Unlock()
	}
}

// symmetric is what only one of two lists has.
func symmetric(a, b []string) []string {
	var only []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			only = append(only, s)
		}
	}
	for _, s := range b {
		if !slices.Contains(a, s) {
			only = append(only, s)
		}
	}
	return only
}

func (m *metamorphosis) compareAll(t *testing.T, paths []string) {
	m.differ = map[string]int{}
	rules.InParallel(len(paths), func(i int) { m.compare(t, paths[i]) })
	t.Logf("%d conversions compared", m.compared)
	for rule, n := range m.differ {
		t.Logf("%s: %d", rule, n)
	}
	if m.compared == 0 {
		t.Error("nothing was compared")
	}
}

// TestConversionChangesNoFindings is about version-neutral rules: what they say of a CRD does not depend on the version of
// apiextensions.k8s.io that it is written for.
func TestConversionChangesNoFindings(t *testing.T) {
	t.Parallel()
	new(metamorphosis).compareAll(t, rules.Own(t))
}

func TestConversionChangesNoFindingsOnCorpus(t *testing.T) {
	t.Parallel()
	new(metamorphosis).compareAll(t, corpus.Sample(t, rules.Volume(t, "v1", "v1beta1"), 16))
}

func TestAgreesWithServerOnConversions(t *testing.T) {
	t.Parallel()
	rules.AgreesOnConversions(t, func(path string, src []byte, chosen policy.Policy) ([]byte, error) {
		out, err := convert.Explained(path, src, policy.Options{To: policy.V1, Policy: chosen}, rules.Explainer())
		if err != nil {
			return nil, err
		}
		return out.Output, nil
	})
}
