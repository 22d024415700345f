package serve_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/serve"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

var update = flag.Bool("update", false, "write the answers into the stories")

const token = "secret"

// TestStories holds what clients are answered. A story has CRDs, and exchanges: a request with its headers and body, and behind "= " the
// answer. There, uids and times are numbered and managedFields left out, unless the request has the header Show: managedFields.
func TestStories(t *testing.T) {
	t.Parallel()
	stories, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(stories) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, path := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			server := newServer(t, archive, schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
			for i, file := range archive.Files {
				if filepath.Ext(file.Name) == ".yaml" {
					continue
				}
				told := (&story{server: server}).tell(t, string(file.Data))
				if told != string(file.Data) && *update {
					archive.Files[i].Data = []byte(told)
				} else if told != string(file.Data) {
					t.Errorf("%s is told as\n%s", file.Name, told)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// newServer serves the CRDs of an archive.
func newServer(t testing.TB, archive *txtar.Archive, also ...schema.GroupVersionKind) *serve.Server {
	t.Helper()
	server, err := serve.New(serve.Config{Token: token, Also: also, Converter: swap})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		if filepath.Ext(file.Name) == ".yaml" {
			define(t, server, file.Data)
		}
	}
	return server
}

func define(t testing.TB, server *serve.Server, src []byte) {
	t.Helper()
	for _, c := range crd.Parse(src) {
		decoded, err := c.Decode()
		if err == nil {
			err = server.Define(decoded.Hub)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// swap is a webhook that calls spec.size "spec.length" in v2.
func swap(*apiextensions.CustomResourceDefinition) (func(string, request.Object) (request.Object, error), error) {
	return func(to string, o request.Object) (request.Object, error) {
		from, into := "size", "length"
		if strings.HasSuffix(to, "/v1") {
			from, into = into, from
		}
		if spec, is := o["spec"].(map[string]any); is && spec[from] != nil {
			if spec[from] == int64(13) {
				return nil, fmt.Errorf("conversion webhook for %v failed: 13 is unlucky", o["kind"])
			}
			spec[into] = spec[from]
			delete(spec, from)
		}
		o["apiVersion"] = to
		return o, nil
	}, nil
}

// A story is told request by request.
type story struct {
	server http.Handler
	uids   []string
}

var (
	uids  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	times = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)
	named = regexp.MustCompile(`UID\d+`)
	tails = regexp.MustCompile(`(generated-)[a-z0-9]{5}\b`)
	ages  = regexp.MustCompile(`"\d+s"`) // in tables
)

func (s *story) tell(t *testing.T, text string) string {
	var told []string
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		var kept []string
		for line := range strings.SplitSeq(block, "\n") {
			if !strings.HasPrefix(line, "= ") {
				kept = append(kept, line)
			}
		}
		if i := slices.IndexFunc(kept, func(line string) bool { return !strings.HasPrefix(line, "#") }); i >= 0 {
			kept = append(kept, s.ask(t, kept[i:])...)
		}
		told = append(told, strings.Join(kept, "\n"))
	}
	return strings.Join(told, "\n\n") + "\n"
}

// ask makes a request, and returns the lines of its answer.
func (s *story) ask(t *testing.T, lines []string) (told []string) {
	t.Helper()
	method, path, _ := strings.Cut(lines[0], " ")
	headers := http.Header{"Authorization": {"Bearer " + token}, "User-Agent": {"story/1"}, "Content-Type": {"application/json"}}
	lines = lines[1:]
	for len(lines) > 0 && regexp.MustCompile(`^[A-Z][A-Za-z-]*: `).MatchString(lines[0]) {
		name, value, _ := strings.Cut(lines[0], ": ")
		headers.Set(name, value)
		lines = lines[1:]
	}
	fill := func(text string) string {
		return named.ReplaceAllStringFunc(text, func(name string) string {
			var i int
			if _, err := fmt.Sscanf(name, "UID%d", &i); err != nil || i > len(s.uids) {
				t.Fatalf("there is no %s", name)
			}
			return s.uids[i-1]
		})
	}
	req := httptest.NewRequest(method, fill(path), strings.NewReader(fill(strings.Join(lines, "\n"))))
	req.Header = headers
	w := httptest.NewRecorder()
	s.server.ServeHTTP(w, req)
	told = append(told, fmt.Sprintf("= %d %s", w.Code, http.StatusText(w.Code)))
	for _, name := range []string{"Warning", "Retry-After"} {
		for _, value := range w.Header().Values(name) {
			told = append(told, "= "+name+": "+value)
		}
	}
	body := uids.ReplaceAllStringFunc(w.Body.String(), func(uid string) string {
		if !slices.Contains(s.uids, uid) {
			s.uids = append(s.uids, uid)
		}
		return fmt.Sprintf("UID%d", slices.Index(s.uids, uid)+1)
	})
	body = ages.ReplaceAllString(tails.ReplaceAllString(times.ReplaceAllString(body, "TIME"), "${1}xxxxx"), `"AGE"`)
	for line := range strings.SplitSeq(strings.TrimSpace(body), "\n") {
		told = append(told, "= "+plain(line, headers.Get("Show") == "managedFields"))
	}
	return told
}

// plain leaves out what distracts.
func plain(line string, managers bool) string {
	var value any
	if json.Unmarshal([]byte(line), &value) != nil {
		return line
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(tidied(value, managers)) // as it was decoded
	return strings.TrimSpace(out.String())
}

// tidied is a value without managedFields, or with these in an order that does not depend on when the second changed.
func tidied(value any, managers bool) any {
	switch value := value.(type) {
	case map[string]any:
		if entries, is := value["managedFields"].([]any); is && managers {
			slices.SortFunc(entries, func(a, b any) int {
				x, y := a.(map[string]any), b.(map[string]any)
				return strings.Compare(fmt.Sprint(x["manager"], x["subresource"]), fmt.Sprint(y["manager"], y["subresource"]))
			})
		} else {
			delete(value, "managedFields")
		}
		for key, member := range value {
			value[key] = tidied(member, managers)
		}
	case []any:
		for i := range value {
			value[i] = tidied(value[i], managers)
		}
	}
	return value
}
