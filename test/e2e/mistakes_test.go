package e2e

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"sigs.k8s.io/yaml"
)

// TestMistakes makes the mistakes of testdata/mistakes.yaml, each in a CRD that is right, and wants real servers to reject the
// same of them for the same fields as the judges do.
func TestMistakes(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "mistakes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var tables []struct {
		Version  crd.Version
		Base     map[string]any
		Mistakes [][]any
	}
	if err := yaml.UnmarshalStrict(source, &tables); err != nil {
		t.Fatal(err)
	}
	servers := map[crd.Version]func(*testing.T) *server{crd.V1: today, crd.V1beta1: last}
	for _, table := range tables {
		t.Run(string(table.Version), func(t *testing.T) {
			s := servers[table.Version](t)
			root := "/spec/versions/0/schema/openAPIV3Schema"
			if table.Version == crd.V1beta1 {
				root = "/spec/validation/openAPIV3Schema"
			}
			right, err := json.Marshal(table.Base)
			if err != nil {
				t.Fatal(err)
			}
			if !s.judgeAs(t, "the base", table.Version, right) {
				t.Fatal("the base is rejected")
			}
			for _, row := range table.Mistakes {
				name, at := row[0].(string), strings.Replace(row[1].(string), "#", root, 1)
				var wrong any
				if err := json.Unmarshal(right, &wrong); err != nil {
					t.Fatal(err)
				}
				put(wrong, strings.Split(at, "/")[1:], row[2:])
				raw, err := json.Marshal(wrong)
				if err != nil {
					t.Fatal(err)
				}
				if s.judgeAs(t, name, table.Version, raw) {
					t.Errorf("%s: is accepted", name)
				}
			}
			t.Logf("%d mistakes", len(table.Mistakes))
		})
	}
}

// put gives the member at a path another value, or takes it away.
func put(in any, at []string, value []any) {
	switch in := in.(type) {
	case []any:
		i, _ := strconv.Atoi(at[0])
		if len(at) > 1 {
			put(in[i], at[1:], value)
		} else {
			in[i] = value[0]
		}
	case map[string]any:
		switch {
		case len(at) > 1:
			put(in[at[0]], at[1:], value)
		case len(value) == 0:
			delete(in, at[0])
		default:
			in[at[0]] = value[0]
		}
	}
}

// swapped are the two fields that servers confuse with each other, and apiserver.OnCreate does not.
var swapped = strings.NewReplacer("webhookClientConfig.service.namespace", "webhookClientConfig.service.name", "webhookClientConfig.service.name", "webhookClientConfig.service.namespace")

// judgeAs reports whether a server accepts a manifest, and wants the judge of its version to say the same.
func (s *server) judgeAs(t *testing.T, name string, version crd.Version, raw []byte) bool {
	t.Helper()
	answer, err := s.request(http.MethodPost, crdsOf(string(version))+"?fieldValidation=Strict&dryRun=All", raw)
	crashed := errors.Is(err, io.EOF) // upstream's code panics on some, and the server hangs up
	if err != nil && !crashed {
		t.Fatal(err)
	}
	var judged, causes []string
	refused, panics := false, false
	decoded, err := crd.Parse(raw)[0].Decode()
	switch {
	case err != nil || version == crd.V1 && len(decoded.Strict) > 0:
		refused = true
	default:
		for _, way := range []func() apiserver.Verdict{
			func() apiserver.Verdict { return fast.OnCreate(decoded.Hub, version).Verdict },
			func() apiserver.Verdict { return apiserver.OnCreate(decoded.Hub, version) },
		} {
			verdict := way()
			if again := refused; again == verdict.Accepted() && judged != nil {
				t.Errorf("%s: rejected is %t in full, but not with shortcuts: %v", name, refused, verdict)
			}
			judged, refused, panics = []string{}, !verdict.Accepted(), verdict.Panic != ""
			for _, err := range verdict.Errors {
				judged = append(judged, string(err.Type)+" "+err.Field)
			}
		}
	}
	if refused == answer.ok() || panics != crashed {
		t.Errorf("%s: rejected is %t, panics %t (%v, %v), but the server says %s", name, refused, panics, err, judged, answer.reason())
		return answer.ok()
	}
	if answer.code == http.StatusUnprocessableEntity {
		if causes, err = answer.refusal(); err != nil {
			t.Fatal(err)
		}
		for i := range causes {
			causes[i] = swapped.Replace(causes[i])
		}
		slices.Sort(judged)
		slices.Sort(causes)
		if judged, causes = slices.Compact(judged), slices.Compact(causes); !slices.Equal(judged, causes) {
			t.Errorf("%s: the server says %q, and not %q", name, causes, judged)
		}
	}
	return answer.ok()
}
