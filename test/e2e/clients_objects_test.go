package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apply"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/applying"
)

// A situation is a manifest that follows another one, and what somebody else does in between. Manifests are without what all have.
type situation struct {
	older, manifest string
	other           string // a merge patch
	created         bool   // the older manifest by a POST
	only            string // the way that it is for, where it is not for all
}

// situations are of parcels, the kind of parcelCRD.
var situations = map[string]situation{
	"nothing there":                  {manifest: `{"spec":{"a":"x"}}`},
	"null of what is not there":      {manifest: `{"spec":{"a":null,"b":"x"}}`},
	"the same again":                 {older: `{"spec":{"a":"x","n":1}}`, manifest: `{"spec":{"a":"x","n":1}}`},
	"a change":                       {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"a":"y"}}`},
	"left out":                       {older: `{"spec":{"a":"x","n":1}}`, manifest: `{"spec":{"a":"x"}}`},
	"left out after a create":        {older: `{"spec":{"a":"x","n":1}}`, manifest: `{"spec":{"a":"x"}}`, created: true},
	"a member of a map":              {older: `{"spec":{"m":{"a":"x","b":"x"}}}`, manifest: `{"spec":{"m":{"a":"x"}}}`, other: `{"spec":{"m":{"c":"x"}}}`},
	"a map is emptied":               {older: `{"spec":{"m":{"a":"x"}}}`, manifest: `{"spec":{"m":{}}}`},
	"a list is shortened":            {older: `{"spec":{"l":["x","y"]}}`, manifest: `{"spec":{"l":["x"]}}`},
	"an item of another":             {older: `{"spec":{"ports":[{"k":"a"}]}}`, manifest: `{"spec":{"ports":[{"k":"a"}]}}`, other: `{"spec":{"ports":[{"k":"a"},{"k":"b"}]}}`},
	"another has changed it":         {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"a":"x"}}`, other: `{"spec":{"a":"y"}}`},
	"another has removed it":         {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"a":"x"}}`, other: `{"spec":{"a":null}}`},
	"another has added something":    {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"a":"y"}}`, other: `{"spec":{"n":1}}`},
	"null removes":                   {older: `{"spec":{"a":"x","n":1}}`, manifest: `{"spec":{"a":"x","n":null}}`},
	"null where it may be":           {older: `{"spec":{"maybe":"x"}}`, manifest: `{"spec":{"maybe":null}}`},
	"a default is written":           {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"a":"x","d":"other"}}`},
	"a default comes back":           {older: `{"spec":{"a":"x","d":"other"}}`, manifest: `{"spec":{"a":"x"}}`},
	"a number that JSON rounds":      {older: `{"spec":{"n":1}}`, manifest: `{"spec":{"n":9007199254740993}}`},
	"labels and annotations":         {older: `{"metadata":{"labels":{"a":"x"},"annotations":{"a":"x"}},"spec":{}}`, manifest: `{"metadata":{"annotations":{"b":"<x>"}},"spec":{}}`},
	"another version":                {older: `{"spec":{"a":"x"}}`, manifest: `{"apiVersion":"clients.example.org/v2","spec":{"a":"y"}}`},
	"another type":                   {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"a":1}}`},
	"a value that is not one of all": {older: `{"spec":{"choice":"x"}}`, manifest: `{"spec":{"choice":"z"}}`},
	"a status":                       {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"a":"y"},"status":{"phase":"x"}}`},
	"what is open":                   {older: `{"spec":{"open":{"a":["x"],"b":{"c":1}}}}`, manifest: `{"spec":{"open":{"a":["y"],"b":{"d":1}}}}`},
	"an annotation that is too long": {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"a":"` + strings.Repeat("x", 270000) + `"}}`},
	"what no schema declares":        {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"zz":"x"}}`, only: serverSide},
	"below what declares nothing":    {older: `{"spec":{"a":"x"}}`, manifest: `{"spec":{"bare":{"a":"x"}}}`, only: serverSide},
}

// unlike are the situations in which a client does not do what internal/apply says that its newest release, or Helm 3, does.
var unlike = map[string]string{
	"kubectl028, client-side": "null of what is not there", // sends null in a POST; a server drops it where it may not be
	"helm4, release":          "a number that JSON rounds", // its JSON patches have numbers as they are written
}

// The ways to apply.
const (
	serverSide = "server-side"
	clientSide = "client-side"
	replaced   = "replace"
)

// ways are those of a client with their command lines, where OLD and NEW are files.
func (c *client) ways() map[string][]string {
	switch c.name {
	case "helm3":
		return map[string][]string{"release": {"OLD", "NEW"}}
	case "helm4":
		return map[string][]string{"release": {"-server-side=false", "OLD", "NEW"}, serverSide: {"OLD", "NEW"}, serverSide + ", forced": {"-force-conflicts", "OLD", "NEW"}}
	case "flux":
		return map[string][]string{serverSide: {"NEW"}, serverSide + ", migrated": {"-migrate", "NEW"}}
	}
	return map[string][]string{
		clientSide: {"apply", "-f", "NEW"}, serverSide: {"apply", "--server-side", "-f", "NEW"},
		serverSide + ", forced": {"apply", "--server-side", "--force-conflicts", "-f", "NEW"}, replaced: {"replace", "-f", "NEW"},
	}
}

// TestClients has real clients apply objects, and compares what they send with what internal/apply says that they do, and what comes of
// it with what internal/request says.
func TestClients(t *testing.T) {
	eachClient(t, func(t *testing.T, c *client) {
		manifest := []byte(parcelCRD)
		decoded, err := crd.DecodeJSON(manifest, crd.V1)
		if err != nil {
			t.Fatal(err)
		}
		judge, err := request.New(decoded.Hub)
		if err != nil {
			t.Fatal(err)
		}
		m := &crdManifest{file: &file{path: "parcels"}, version: crd.V1, name: "parcels.clients.example.org", group: "clients.example.org", json: manifest}
		each(t, []*crdManifest{m}, func(m *crdManifest, tally *tally) error {
			return c.server.inhabit(m, true, tally, func(r *resources) error {
				c.resources = r
				number := 0
				for way, command := range c.ways() {
					for name, s := range situations {
						if s.only != "" && !strings.HasPrefix(way, s.only) || way == replaced && s.older == "" {
							continue
						}
						number++
						f := &following{client: c, situation: s, t: t, judge: judge, way: way, command: command, name: fmt.Sprintf("p%d", number), tally: tally}
						f.fail = func(why string) {
							if unlike[c.name+", "+way] == name {
								tally.count("known to differ", 1, way, ", ", name)
								return
							}
							tally.fail("a situation", m, fmt.Sprintf("%s, %s: %s", way, name, why))
						}
						f.follow()
					}
				}
				return nil
			})
		})
	})
}

// parcelCRD has a field of each kind that clients treat in a way of its own.
const parcelCRD = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"parcels.clients.example.org"},"spec":{
"group":"clients.example.org","scope":"Namespaced","names":{"kind":"Parcel","listKind":"ParcelList","plural":"parcels","singular":"parcel"},"versions":[
{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"schema":` + parcelSchema + `},
{"name":"v2","served":true,"storage":false,"subresources":{"status":{}},"schema":` + parcelSchema + `}]}}`

const parcelSchema = `{"openAPIV3Schema":{"type":"object","properties":{"status":{"type":"object","properties":{"phase":{"type":"string"}}},"spec":{"type":"object","properties":{
"a":{"type":"string"},"b":{"type":"string"},"d":{"type":"string","default":"d"},"n":{"type":"integer"},"choice":{"type":"string","enum":["x","y"]},
"maybe":{"type":"string","nullable":true},"m":{"type":"object","additionalProperties":{"type":"string"}},"l":{"type":"array","items":{"type":"string"}},
"bare":{"type":"object"},"open":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
"ports":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},"v":{"type":"string","default":"v"}}}}}}}}}`

// A following is a situation, and a way that a client brings it about.
type following struct {
	*client
	situation
	t         *testing.T
	judge     *request.Server
	way, name string
	command   []string
	tally     *tally
	fail      func(why string)
}

func (f *following) follow() {
	f.tally.count("situations: "+f.way, 1)
	older, manifest := f.parcel(f.older), f.parcel(f.manifest)
	path := f.resources.path("v1", f.name, "")
	switch {
	case older == nil:
	case f.created || f.way == replaced:
		f.demand(f.server.request(http.MethodPost, f.resources.path("v1", "", "")+"?fieldManager=kubectl-create", []byte(text(older))))
	default:
		f.does(nil, older)
	}
	if f.other != "" {
		f.demand(f.server.requestOf(http.MethodPatch, path+"?fieldManager=ctl", "application/json", "application/merge-patch+json", []byte(f.other)))
	}
	f.does(older, manifest)
}

// parcel is an object; nil for no text.
func (f *following) parcel(content string) map[string]any {
	if content == "" {
		return nil
	}
	o, err := decodedJSON([]byte(content))
	if err != nil {
		f.t.Fatal(err)
	}
	metadata := metadataOf(o)
	metadata["name"], metadata["namespace"], o["kind"] = f.name, "default", "Parcel"
	if o["apiVersion"] == nil {
		o["apiVersion"] = "clients.example.org/v1"
	}
	return o
}

func (f *following) demand(a answer, err error) {
	f.t.Helper()
	if err != nil || !a.ok() {
		f.t.Fatal(f.name, a.reason(), err)
	}
}

// does has the client apply a manifest after another one.
func (f *following) does(older, manifest map[string]any) {
	before, err := f.resources.inEtcd(f.name)
	if err != nil {
		f.t.Fatal(err)
	}
	var command []string
	for _, word := range f.command {
		switch word {
		case "OLD":
			word = f.write(f.t, "old.json", older)
		case "NEW":
			word = f.write(f.t, "new.json", manifest)
		}
		command = append(command, word)
	}
	sent := f.run(f.t, command...)
	for _, x := range sent {
		f.judged(x)
	}
	if !strings.HasPrefix(f.way, serverSide) {
		f.expected(before, older, manifest, sent)
	}
}

// judged holds what came of a request against what internal/request says of it.
func (f *following) judged(x sentRequest) {
	r := x.request()
	judge := &applying.Server{CRD: f.judge, Stored: x.before}
	expected, err := judge.Do(r)
	if err != nil {
		f.fail(err.Error())
		return
	}
	f.tally.count(fmt.Sprintf("requests: %s, %d", r.Op, x.answer.code), 1)
	if why := applyDiffers(x.answer, expected, x.after, judge.Stored); why != "" {
		f.fail(fmt.Sprintf("%s by %q (force %v): %.500s: %s\n%s", r.Op, r.Manager, r.Force, x.body, why, x.answer.reason()))
	}
}

// expected holds what was sent against what internal/apply says would be, and what came of it against what it says of that.
func (f *following) expected(before, older, manifest map[string]any, sent []sentRequest) {
	_, version, _ := strings.Cut(fmt.Sprint(manifest["apiVersion"]), "/")
	var live map[string]any
	var err error
	if before != nil {
		if live, err = f.judge.Version(version).Serve(before); err != nil {
			f.t.Fatal(err)
		}
	}
	var body, merged map[string]any
	switch {
	case f.way == replaced:
		body = apply.Replace(live, manifest)
	case live == nil && f.way == clientSide:
		body, err = apply.Saved(manifest)
	case live == nil:
		body = manifest
	case f.way == clientSide:
		merged, body, err = apply.ClientSide(live, manifest)
	case older == nil:
		merged, body, err = apply.Release(live, live, manifest)
	default:
		merged, body, err = apply.Release(live, older, manifest)
	}
	if err != nil {
		f.fail(err.Error())
		return
	}
	if len(sent) == 0 {
		if len(body) > 0 {
			f.fail("nothing is sent, and not " + text(body))
		}
		return
	}
	x := sent[0]
	f.tally.count("bodies compared", 1)
	if len(sent) != 1 || valuesDiffer(x.object(), body, "the body") != "" {
		f.fail(fmt.Sprintf("%d requests are sent, first\n\t%.500s\nand not\n\t%.500s", len(sent), x.body, text(body)))
	}
	if merged == nil {
		return
	}
	r := x.request()
	r.Op = applying.Put
	if r.Body, err = json.Marshal(merged); err != nil {
		f.t.Fatal(err)
	}
	judge := &applying.Server{CRD: f.judge, Stored: x.before}
	put, err := judge.Do(r)
	if err != nil {
		f.fail(err.Error())
		return
	}
	if why := applyDiffers(x.answer, put, x.after, judge.Stored); why != "" {
		f.fail("what it makes of the object: " + why)
	}
}
