package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	crds "github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestSuites has today's server answer the requests of the suites that are stories of internal/suite, and compares what it answers and
// what a read shows afterwards with what internal/suite says of them.
func TestSuites(t *testing.T) {
	s := today(t)
	var all []*crdManifest
	written := map[*crdManifest]suiteFiles{}
	for i, one := range storiesOfSuites(t) {
		group := strings.NewReplacer("example.com", fmt.Sprintf("s%d.example.com", i), "example.org", fmt.Sprintf("s%d.example.org", i))
		for name, src := range one.files {
			one.files[name] = []byte(group.Replace(string(src)))
		}
		found, _ := read(t, []*file{{path: one.path, src: one.files["crd.yaml"]}}, crd.V1)
		if len(found) != 1 {
			t.Fatalf("%s has %d CRDs", one.path, len(found))
		}
		all, written[found[0]] = append(all, found[0]), one
	}
	each(t, all, func(m *crdManifest, tally *tally) error {
		return s.inhabit(m, true, tally, func(r *resources) error {
			for name, src := range written[m].files {
				p := &performance{resources: r, m: m, tally: tally}
				if suite.IsNamed(name) {
					if err := p.perform(src, written[m].files); err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
				}
			}
			return nil
		})
	})
}

// suiteFiles are suites, their CRD and earlier ones, by their names.
type suiteFiles struct {
	path  string
	files map[string][]byte
}

// storiesOfSuites are those of internal/suite and, where they are there, of the folder of cases.
func storiesOfSuites(t *testing.T) (all []suiteFiles) {
	t.Helper()
	archives, err := filepath.Glob("../../internal/suite/testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("there are no stories: %v", err)
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		one := suiteFiles{path, map[string][]byte{}}
		for _, f := range archive.Files {
			one.files[f.Name] = f.Data
		}
		if one.files["crd.yaml"] != nil { // else nothing can be run
			all = append(all, one)
		}
	}
	cases, err := filepath.Glob(filepath.Join(corpus.Cases(), "test", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range cases {
		one := suiteFiles{folder, map[string][]byte{}}
		for _, path := range corpus.Below(t, folder) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			one.files[filepath.Base(path)] = src
		}
		if one.files["crd.yaml"] != nil {
			all = append(all, one)
		}
	}
	return all
}

// A performance is a suite that a server has to answer.
type performance struct {
	*resources
	m       *crdManifest
	tally   *tally
	results map[*suite.Case]*suite.Result
	set     map[*suite.Case][]byte // what was there before, in etcd, of those cases for which another CRD was
	columns int
}

// perform runs a suite, and has the server answer what it asks. Earlier are CRDs by the names that before has for them.
func (p *performance) perform(src []byte, earlier map[string][]byte) error {
	now, then := crds.Definitions("crd.json", "crd.json", p.m.json, true)[0], map[string]*crds.Definition{}
	for name, raw := range earlier {
		if all := crds.Definitions(name, name, raw, true); len(all) == 1 {
			then[name] = all[0]
		}
	}
	runner := &suite.Runner{
		Find: func(_ *suite.Suite, _, kind string) (*crds.Definition, string) {
			if kind != now.Hub.Spec.Names.Kind {
				return nil, "there is none"
			}
			return now, ""
		},
		Earlier: func(_ *suite.Suite, where, _ string) (*crds.Definition, string) { return then[where], "there is none" },
	}
	s := suite.Read(manifest.Split("made.crdtest.yaml", src).Documents[0].Parsed())
	if s == nil || len(s.Wrong) > 0 {
		return fmt.Errorf("the suite cannot be run: %+v", s.Wrong)
	}
	p.results, p.set = map[*suite.Case]*suite.Result{}, map[*suite.Case][]byte{}
	for _, result := range runner.Run(s, nil) {
		if p.results[result.Case] = result; len(result.Exchanges) > 0 && !result.Exchanges[0].Version.Served {
			p.tally.count("not compared: cases of versions that are not served", 1)
			result.Exchanges = nil
		}
		if result.Case.Minor != 0 {
			p.tally.count("not compared: cases of older releases", 1)
			result.Exchanges = nil
		}
		if len(result.Exchanges) > 0 {
			p.tally.count("cases", 1)
		}
	}
	if err := p.setScenes(s, then); err != nil {
		return err
	}
	for _, c := range s.Cases {
		if err := p.play(c, nil); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// setScenes has the server write what is there before under the CRDs of that time, and keeps it.
func (p *performance) setScenes(s *suite.Suite, then map[string]*crds.Definition) error {
	hubs, cases := map[string]*apiextensions.CustomResourceDefinition{}, map[string][]*suite.Case{}
	for _, c := range s.Cases {
		d := p.results[c].Definition
		if c.Before.At == nil || len(p.results[c].Exchanges) == 0 {
			continue
		}
		name, hub := c.Before.CRD, d.Hub
		if name != "" {
			hub = then[name].Hub
		} else {
			hub = hub.DeepCopy()
			for _, one := range c.Before.Without {
				if err := one.Remove(hub, p.results[c].Version); err != nil {
					return err
				}
				name += fmt.Sprint(" ", p.results[c].Version, " ", one.String(), one.Value)
			}
		}
		hubs[name], cases[name] = hub, append(cases[name], c)
	}
	for name, hub := range hubs {
		was, err := crd.ToV1(hub)
		if err != nil {
			return err
		}
		raw, err := json.Marshal(was)
		if err != nil {
			return err
		}
		if is, err := p.become(raw); err != nil || !is {
			for _, c := range cases[name] {
				p.results[c].Exchanges = nil // nothing to compare
			}
			p.tally.count("earlier CRDs that are rejected", 1, name)
			continue
		}
		for _, c := range cases[name] {
			for _, x := range p.results[c].Exchanges {
				if !x.Setup {
					break
				}
				if err := p.ask(c, &x); err != nil {
					return err
				}
			}
			if p.set[c], err = p.leave(c); err != nil {
				return err
			}
		}
	}
	if len(hubs) == 0 {
		return nil
	}
	if is, err := p.become(p.m.json); err != nil || !is {
		return fmt.Errorf("the CRD is rejected the second time: %v", err)
	}
	return nil
}

// become replaces the CRD.
func (p *performance) become(manifest []byte) (bool, error) {
	p.columns++
	a, err := p.replace(manifest, fmt.Sprint("Column", p.columns))
	return a.ok(), err
}

// leave takes what a case has made out of etcd, and returns it.
func (p *performance) leave(c *suite.Case) (raw []byte, err error) {
	all := p.results[c].Exchanges
	if last := all[len(all)-1]; last.Stored != nil || last.Old != nil || last.Setup {
		if raw, err = p.raw(name(p.object(&last))); err != nil {
			raw = nil // it was rejected
		}
	}
	return raw, p.forget()
}

// object is an object that says which one a request is about.
func (p *performance) object(x *suite.Exchange) map[string]any {
	for _, o := range []request.Object{x.Old, x.Stored} { // a name may be the server's
		if o != nil {
			return o
		}
	}
	return x.Sent
}

// play has the server answer a case, on what is there in etcd, and then those that follow it.
func (p *performance) play(c *suite.Case, there []byte) error {
	result := p.results[c]
	for _, f := range result.Failures {
		if f.Kind == suite.Unrun {
			p.tally.count("not compared: cases that cannot be run", 1, f.Text)
		}
	}
	if len(result.Exchanges) == 0 {
		return nil
	}
	if before, ok := p.set[c]; ok {
		there = before
	}
	if there != nil {
		if _, err := p.putBack(name(p.object(&result.Exchanges[len(result.Exchanges)-1])), there); err != nil {
			return err
		}
	}
	for _, x := range result.Exchanges {
		if _, isSet := p.set[c]; x.Setup && isSet {
			continue
		}
		if err := p.ask(c, &x); err != nil {
			return err
		}
	}
	stored, err := p.leave(c)
	if err != nil {
		return err
	}
	for _, next := range c.Then {
		if err := p.play(next, stored); err != nil {
			return err
		}
	}
	return nil
}

// ask has the server answer a request, and compares the answers.
func (p *performance) ask(c *suite.Case, x *suite.Exchange) error {
	answer, err := p.sendExchange(x)
	if err != nil {
		return err
	}
	server := verdict{code: answer.code, warnings: answer.warnings}
	if x.Request == suite.Apply && x.Old == nil && answer.code == http.StatusCreated {
		server.code = http.StatusOK
	}
	if !answer.ok() && x.Request != suite.Apply {
		if server.causes, err = answer.refusal(); err != nil {
			return err
		}
	}
	if answer.ok() {
		object := x.Old
		if object == nil {
			if object, err = answer.object(); err != nil {
				return err
			}
		}
		shown, err := p.read(x.Version.Name, name(object))
		if err != nil {
			return err
		}
		server.served = map[string]map[string]any{"": shown}
	}
	expected := expectedOf(x)
	if p.isAnother(x) {
		// The path has the name and the namespace of what is there, which the server compares with the object's before anything else; and
		// the uid is one that only the server knows.
		if answer.ok() == x.Outcome.Accepted() || x.Old != nil && metadataOf(x.Old)["name"] == nil { // the server has made a name
			return nil
		}
		expected.code = http.StatusBadRequest
	}
	if slices.ContainsFunc(x.Outcome.Causes, func(c request.Cause) bool { return c.Stage == request.TypeMeta }) {
		server.causes = nil // of another version, all fields are unknown
	}
	if answer.code == http.StatusBadRequest {
		server.warnings, expected.warnings = nil, nil // which no case looks at
	}
	p.tally.count(fmt.Sprintf("requests: %s, %d", x.Request, server.code), 1)
	why := server.difference(expected)
	if why == "" && x.Request == suite.Apply && !answer.ok() {
		why = causesDiffer(answer, x.Outcome.Causes)
	}
	if why != "" {
		p.tally.fail("a request", p.m, fmt.Sprintf("%s: %s with %s at %s: %s\n%s\nsent: %s\nold: %s", c.Name, x.Request, x.Validation, x.Version.Name, why, answer.reason(), text(x.Sent), text(x.Old)))
	}
	return nil
}

// expectedOf is what internal/suite says of a request.
func expectedOf(x *suite.Exchange) verdict {
	v := verdict{code: http.StatusOK, warnings: warningTexts(x.Outcome, x.Sent), served: map[string]map[string]any{"": x.Stored}}
	unknown := slices.ContainsFunc(x.Outcome.Causes, func(c request.Cause) bool { return c.Keyword == suite.UnknownField })
	switch {
	case x.Outcome.Accepted() && x.Request == suite.Create:
		v.code = http.StatusCreated
	case x.Outcome.Accepted():
	case unknown && x.Request != suite.Apply:
		v.code = http.StatusBadRequest
		for _, c := range x.Outcome.Causes {
			v.causes = append(v.causes, fmt.Sprintf("unknown field %q", dotted(c.Path)))
		}
		slices.Sort(v.causes)
	default:
		if v.code = x.Outcome.Code(); v.code == http.StatusUnprocessableEntity && x.Request != suite.Apply {
			v.causes = causeTexts(x.Outcome)
		}
	}
	if x.Validation == suite.Warn && x.Request != suite.Scale && (x.Outcome.Accepted() || v.code == http.StatusUnprocessableEntity) {
		v.warnings = append(v.warnings, unknownFields(x.Outcome)...)
	}
	return v
}

// sendExchange makes a request as a client does that has read what is there.
func (p *performance) sendExchange(x *suite.Exchange) (answer, error) {
	version, mode := x.Version.Name, map[suite.Validation]string{suite.Strict: "Strict", suite.Warn: "Warn", suite.Ignore: "Ignore"}[x.Validation]
	query := "?fieldValidation=" + mode
	switch x.Request {
	case suite.Create:
		return p.sendJSON(http.MethodPost, p.path(version, "", "")+query+"&fieldManager=controller", "application/json", x.Sent)
	case suite.Apply:
		of := name(p.object(x))
		if _, is := x.Sent["metadata"].(map[string]any); !is {
			of = "test"
		}
		return p.sendJSON(http.MethodPatch, p.path(version, of, "")+query+"&fieldManager=kubectl", "application/apply-patch+yaml", x.Sent)
	}
	there, err := p.read(version, name(x.Old))
	if err != nil {
		return answer{}, err
	}
	if x.Request == suite.Scale {
		replicas, _ := x.Sent["replicas"].(int64)
		return p.sendJSON(http.MethodPut, p.path(version, name(x.Old), "scale")+query+"&fieldManager=controller", "application/json", scaleOf(there, int32(replicas)))
	}
	body, subresource := runtime.DeepCopyJSON(x.Sent), ""
	if metadata, is := body["metadata"].(map[string]any); is {
		if metadata["resourceVersion"] == nil {
			metadata["resourceVersion"] = metadataOf(there)["resourceVersion"]
		}
		if metadata["uid"] == metadataOf(x.Old)["uid"] {
			metadata["uid"] = metadataOf(there)["uid"] // which internal/suite cannot know
		}
	}
	if x.Request == suite.Status {
		subresource = "status"
	}
	return p.sendJSON(http.MethodPut, p.path(version, name(x.Old), subresource)+query+"&fieldManager=controller", "application/json", body)
}

func (p *performance) sendJSON(method, path, contentType string, body any) (answer, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	return p.server.requestOf(method, path, "application/json", contentType, raw)
}

// isAnother reports whether a request is about another object than the one that is there, or in another namespace than that of the path.
func (p *performance) isAnother(x *suite.Exchange) bool {
	sent, _ := x.Sent["metadata"].(map[string]any)
	if x.Request == suite.Scale || sent == nil {
		return false
	}
	if p.crd.Spec.Scope == v1.NamespaceScoped && sent["namespace"] != "default" {
		return true
	}
	return x.Old != nil && (sent["name"] != metadataOf(x.Old)["name"] || sent["uid"] != nil && sent["uid"] != metadataOf(x.Old)["uid"])
}
