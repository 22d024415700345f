package request_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/applying"
)

// crates is a CRD with versions: name, whether it is stored, and the schemas of the fields of spec.
func crates(more string, versions ...string) string {
	all := ""
	for i := 0; i < len(versions); i += 2 {
		all += fmt.Sprintf("\n  - {name: %s, served: true, storage: %v, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {%s}}, status: {type: object, properties: {p: {type: string}, i: {type: integer}}}}}}}",
			versions[i], i == 0, versions[i+1])
	}
	return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crates.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Crate, plural: crates}` + more + "\n  versions:" + all + "\n"
}

// lid are fields of spec that most stories are about.
const lid = `a: {type: string}, b: {type: string}, i: {type: integer}, is: {type: boolean}, t: {type: string, format: date-time}, p: {x-kubernetes-int-or-string: true},
  d: {type: string, default: d}, maybe: {type: string, nullable: true}, m: {type: object, additionalProperties: {type: string}}, bare: {type: object},
  o: {type: object, properties: {x: {type: string}, w: {type: string}}}, free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {in: {type: object, properties: {x: {type: string}}}}},
  l: {type: array, items: {type: string}}, s: {type: array, x-kubernetes-list-type: set, items: {type: string}}, so: {type: array, x-kubernetes-list-type: set, items: {type: object, properties: {x: {type: string}}}},
  k: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [r, q], items: {type: object, properties: {q: {type: integer}, r: {type: string}, v: {type: string}}}},
  kd: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [q], items: {type: object, properties: {q: {type: integer, default: 1}, v: {type: string}}}},
  e: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object, properties: {x: {type: string}}}}}`

// webhook has crates converted by one that nobody can ask.
const webhook = "\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://127.0.0.1:1/'}}}"

// keeping has crates that keep what no schema declares.
const keeping = `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: crates.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Crate, plural: crates}
  version: v1
  validation: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}}
`

// An asked is a request in a story: who does what with which members of an object, and what comes of it.
type asked struct {
	who  string // "flux" applies; "flux!" by force; "flux merge" and others do that
	body string // without apiVersion, kind and name; a CRD replaces the one before
	code int
	says string // what is served but metadata, or where what is wrong
	owns string // who owns what then; not compared where it is empty
}

// TestApplyStories tells stories of one object that people and programs apply.
func TestApplyStories(t *testing.T) {
	t.Parallel()
	one := crates("", "v1", lid)
	type story struct {
		name, crd string
		steps     []asked
	}
	for _, s := range []story{
		{"who it is", one, []asked{
			{"", "spec: {a: x}", 422, " fieldManager", ""},
			{strings.Repeat("m", 129), "spec: {a: x}", 422, " fieldManager", ""},
			{"a\nb", "spec: {a: x}", 422, " fieldManager", ""},
			{strings.Repeat("m", 128), "spec: {a: x}", 201, `{"spec":{"a":"x","d":"d"}}`, ""},
		}},
		{"another kind or version", one, []asked{
			{"flux", "apiVersion: example.org/v2", 400, "apiVersion ", ""},
			{"flux", "kind: Box", 400, "kind ", ""},
			{"flux", "kind: null", 400, "kind  null", ""},
			{"flux", "metadata: {name: o, managedFields: []}", 400, "metadata.managedFields ", ""},
			{"flux", "metadata: {name: o, managedFields: null}", 201, `{}`, ""},
		}},
		{"undeclared fields", one, []asked{
			{"flux", "spec: {zz: 1, a: x, yy: {a: 1}}, status: {zz: 1}, other: 1", 500, "other properties; spec.yy properties; spec.zz properties; status.zz properties", ""},
			{"flux", "metadata: {name: o, foo: bar}", 500, "metadata.foo properties", ""},
			{"flux", "spec: {o: {zz: 1}, e: {metadata: {foo: bar}, spec: {zz: 1}, zz: 1}}", 500, "spec.e.metadata.foo properties; spec.e.spec.zz properties; spec.e.zz properties; spec.o.zz properties", ""},
			{"flux", "spec: {k: [{q: 1, zz: 1}, {q: 2, zz: 1}]}", 500, "spec.k[0].zz properties; spec.k[1].zz properties", ""},
			{"flux", "spec: {bare: {zz: {w: 1}}, free: {zz: [1], in: {zz: 1}}}", 201, `{"spec":{"bare":{},"d":"d","free":{"in":{},"zz":[1]}}}`, "flux Apply v1 f:spec.f:bare.f:zz.. f:spec.f:bare.f:zz.f:w f:spec.f:free.f:in.f:zz f:spec.f:free.f:zz"},
		}},
		{"what was dropped comes back when it is declared", one, []asked{
			{"flux", "spec: {bare: {zz: x}}", 201, `{"spec":{"bare":{},"d":"d"}}`, ""},
			{"", crates("", "v1", strings.Replace(lid, "bare: {type: object}", "bare: {type: object, properties: {zz: {type: string}}}", 1)), 0, "", ""},
			{"ed merge", "spec: {a: x}", 200, `{"spec":{"a":"x","bare":{"zz":"x"},"d":"d"}}`, "ed Update v1 f:spec.f:a; flux Apply v1 f:spec.f:bare.f:zz"},
		}},
		{"types", one, []asked{
			{"flux", "spec: {a: 1, i: x, is: x, o: x, l: x, m: {k: 1}, t: {}, p: x}", 500,
				"spec.a type integer; spec.i type string; spec.is type string; spec.l type string; spec.m.k type integer; spec.o type string; spec.t type object", ""},
			{"flux", "spec: []", 500, "spec type array", ""},
			{"flux", "spec: {a: true}", 500, "spec.a type boolean", ""},
			{"flux", "spec: {i: 1.5, t: 5, p: x}", 422, "spec.i format; spec.i type number; spec.t type integer", ""},
			{"flux", "metadata: {name: o, labels: {a: 1}}", 500, "metadata.labels[a] type integer", ""},
			{"flux", "spec: {i: 9007199254740993, p: 1}", 201, `{"spec":{"d":"d","i":9007199254740993,"p":1}}`, ""},
		}},
		{"null is a value", one, []asked{
			{"flux", "spec: {a: null}", 422, "spec.a type null", ""},
			{"flux", "spec: null", 422, "spec type null", ""},
			{"flux", "spec: {m: {k: null}, o: null, l: null}", 422, "spec.l type null; spec.m.k type null; spec.o type null", ""},
			{"flux", "spec: {maybe: null, d: null}", 201, `{"spec":{"d":"d","maybe":null}}`, "flux Apply v1 f:spec.f:d f:spec.f:maybe"},
		}},
		{"sets and maps", one, []asked{
			{"flux", "spec: {s: [x, w, x, x], k: [{q: 1}, {q: 1, r: a}, {q: 1}]}", 500, "spec.k[2] x-kubernetes-list-type; spec.s[2] x-kubernetes-list-type; spec.s[3] x-kubernetes-list-type", ""},
			{"flux", "spec: {s: [null, [x], {}, x]}", 500, "spec.s[0] x-kubernetes-list-type null; spec.s[1] x-kubernetes-list-type array; spec.s[2] x-kubernetes-list-type object", ""},
			{"flux", "spec: {so: [{x: w}]}", 500, "spec.so[0] x-kubernetes-list-type object", ""},
			{"flux", "spec: {k: [null, x, [], {}, {v: x}, {q: 1, v: 1}]}", 500, "spec.k[0] x-kubernetes-list-type null; spec.k[1] x-kubernetes-list-type string; spec.k[2] x-kubernetes-list-type array; " +
				"spec.k[3] x-kubernetes-list-map-keys; spec.k[4] x-kubernetes-list-map-keys; spec.k[5].v type integer", ""},
			{"flux", "spec: {kd: [{v: x}, {q: 1}]}", 500, "spec.kd[1] x-kubernetes-list-type", ""},
			{"flux", "spec: {l: [x, x], kd: [{v: x}, {q: 2}]}", 201, `{"spec":{"d":"d","kd":[{"q":1,"v":"x"},{"q":2}],"l":["x","x"]}}`, ""},
			{"flux", `metadata: {name: o, finalizers: [a/b, a/b], ownerReferences: [{uid: "1"}, {uid: "1"}]}`, 500, "metadata.finalizers[1] x-kubernetes-list-type; metadata.ownerReferences[1] x-kubernetes-list-type", ""},
		}},
		{"emptied", one, []asked{
			{"flux", "spec: {m: {k: x}, o: {x: w}, s: [x], free: {u: 1}}, metadata: {name: o, labels: {a: b}}", 201, "", ""},
			{"flux", "spec: {m: {}, o: {}, s: [], free: {}}, metadata: {name: o, labels: {}}", 422, "spec.free type null; spec.m type null; spec.o type null", ""},
			{"flux", "spec: {b: x, s: []}", 200, `{"spec":{"b":"x","d":"d"}}`, "flux Apply v1 f:spec.f:b"},
		}},
		{"all is emptied", crates("", "v1", "a: {type: string}"), []asked{
			{"flux", "spec: {a: x}", 201, "", ""},
			{"flux", "spec: {}", 422, "spec type null", ""},
			{"flux", "", 200, "{}", ""},
		}},
		{"empty from the start", one, []asked{{"flux", "spec: {m: {}, o: {}}", 201, `{"spec":{"d":"d","m":{},"o":{}}}`, "flux Apply v1 f:spec.f:m f:spec.f:o"}}},
		{"conflicts", one, []asked{
			{"flux", "spec: {a: x, b: x, k: [{q: 1, v: x}, {q: 2, r: z, v: x}], s: [x], l: [x], o: {x: x}}", 201, "", ""},
			{"argo", "spec: {a: x, k: [{q: 2, r: z, v: w}], s: [w, x], l: [x, w]}", 409, `spec.k[0].v  conflict with "flux"; spec.l  conflict with "flux"`, ""},
			{"argo!", "spec: {k: [{q: 2, r: z, v: w}], s: [w, x], l: [x, w]}", 200, "", ""},
			{"flux", "spec: {a: x, b: x, k: [{q: 1, v: x}, {q: 2, r: z, v: x}], s: [x], l: [x], o: {x: x}}", 409, `spec.k[1].v  conflict with "argo"; spec.l  conflict with "argo"`, ""},
			{"ed merge", "spec: {b: w, o: {w: w}}", 200, "", ""},
			{"flux", "spec: {a: x, b: x}", 409, `spec.b  conflict with "ed" using example.org/v1`, ""},
			{"flux", "spec: {a: x, b: w}", 200, `{"spec":{"a":"x","b":"w","d":"d","k":[{"q":2,"r":"z","v":"w"}],"l":["x","w"],"o":{"w":"w"},"s":["w","x"]}}`, ""},
		}},
		{"before the first apply", one, []asked{
			{"cli post", "spec: {a: x}", 201, `{"spec":{"a":"x","d":"d"}}`, "cli Update v1 f:spec.. f:spec.f:a f:spec.f:d"},
			{"fix json", `[{"op": "replace", "path": "/metadata/managedFields", "value": [{}]}]`, 200, "", ""},
			{"flux", "spec: {a: w}", 409, `spec.a  conflict with "before-first-apply" using example.org/v1`, ""},
			{"flux!", "spec: {a: w}", 200, "", "before-first-apply Update v1 f:spec.. f:spec.f:d; flux Apply v1 f:spec.f:a"},
		}},
		{"defaults are owned by who creates otherwise", one, []asked{
			{"cli post", "spec: {a: x}", 201, "", ""},
			{"flux", "spec: {d: e}", 409, `spec.d  conflict with "cli" using example.org/v1`, ""},
			{"cli put", "spec: {b: x}", 200, `{"spec":{"b":"x","d":"d"}}`, "cli Update v1 f:spec.. f:spec.f:b f:spec.f:d"},
		}},
		{"kubectl takes what it applied last", one, []asked{
			{"kubectl-client-side-apply post", `spec: {a: x}, metadata: {name: o, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"example.org/v1","kind":"Crate","metadata":{"name":"o"},"spec":{"a":"x"}}'}}`, 201, "", ""},
			{"flux", "spec: {a: w}", 409, `spec.a  conflict with "kubectl-client-side-apply" using example.org/v1`, ""},
			{"kubectl", "spec: {a: w}", 200, `{"spec":{"a":"w","d":"d"}}`, ""},
		}},
		{"left out", one, []asked{
			{"flux", "spec: {a: x, b: x, d: e}", 201, "", ""},
			{"ed merge", "spec: {b: w}", 200, "", ""},
			{"flux", "spec: {i: 1}", 200, `{"spec":{"b":"w","d":"d","i":1}}`, "ed Update v1 f:spec.f:b; flux Apply v1 f:spec.f:i"},
		}},
		{"status", one, []asked{
			{"flux", "spec: {a: x}, status: {p: x}", 201, `{"spec":{"a":"x","d":"d"}}`, "flux Apply v1 f:spec.f:a"},
			{"ctl apply-status", "status: {p: x, i: 1}, spec: {a: z}", 200, `{"spec":{"a":"x","d":"d"},"status":{"i":1,"p":"x"}}`, "ctl Apply v1 status f:status.f:i f:status.f:p; flux Apply v1 f:spec.f:a"},
			{"flux", "spec: {a: x}, status: {p: w}", 200, `{"spec":{"a":"x","d":"d"},"status":{"i":1,"p":"x"}}`, ""},
			{"old put-status", "status: {p: z}", 200, `{"spec":{"a":"x","d":"d"},"status":{"p":"z"}}`, "flux Apply v1 f:spec.f:a; old Update v1 status f:status.f:p"},
			{"ctl apply-status", "status: {p: x}", 409, `status.p  conflict with "old" with subresource "status" using example.org/v1`, ""},
			{"ctl apply-status", "status: {zz: x}", 500, "status.zz properties", ""},
			{"ctl apply-status", "status: {i: 1.5}", 422, "status.i format; status.i type number", ""},
		}},
		{"what only a server writes", one, []asked{
			{"flux", "metadata: {name: o, uid: u}", 409, "metadata.uid ", ""},
			{"flux", "metadata: {generateName: o-}", 400, "metadata.name ", ""},
			{"flux", "metadata: {name: o, resourceVersion: '7', creationTimestamp: null, generation: 9}, spec: {a: x}", 201, `{"spec":{"a":"x","d":"d"}}`, "flux Apply v1 f:spec.f:a"},
			{"flux", "metadata: {name: o, resourceVersion: '7'}", 409, "metadata.resourceVersion ", ""},
			{"flux", "metadata: {name: o, uid: u}", 422, "metadata.uid  field is immutable", ""},
			{"flux", "metadata: {name: o, resourceVersion: '1001'}, spec: {a: x}", 200, `{"spec":{"a":"x","d":"d"}}`, ""},
		}},
		{"a list becomes a map", one, []asked{
			{"flux", "spec: {l: [x, w]}", 201, "", ""},
			{"", crates("", "v1", strings.Replace(lid, "l: {type: array,", "l: {type: array, x-kubernetes-list-type: set,", 1)), 0, "", ""},
			{"flux", "spec: {l: [x]}", 200, `{"spec":{"d":"d","l":["x","w"]}}`, `flux Apply v1 f:spec.f:l.v:"x"`},
		}},
		{"a map becomes a list", one, []asked{
			{"flux", "spec: {k: [{q: 1, v: x}]}", 201, "", ""},
			{"argo", "spec: {k: [{q: 2, v: x}]}", 200, "", ""},
			{"", crates("", "v1", strings.Replace(lid, "k: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [r, q],", "k: {type: array,", 1)), 0, "", ""},
			{"flux", "spec: {k: [{q: 1, v: x}]}", 409, `spec.k  conflict with "argo"`, ""},
			{"flux!", "spec: {k: [{q: 1, v: x}]}", 200, `{"spec":{"d":"d","k":[{"q":1,"v":"x"}]}}`, "flux Apply v1 f:spec.f:k"},
		}},
		{"duplicates that are there", one, []asked{
			{"flux", "spec: {l: [x, x]}", 201, "", ""},
			{"", crates("", "v1", strings.Replace(lid, "l: {type: array,", "l: {type: array, x-kubernetes-list-type: set,", 1)), 0, "", ""},
			{"flux", "spec: {l: [x]}", 200, `{"spec":{"d":"d","l":["x"]}}`, ""},
		}},
		{"duplicates that are there, and another version", crates("", "v1", "l: {type: array, items: {type: string}}, a: {type: string}", "v2", "l: {type: array, items: {type: string}}, a: {type: string}"), []asked{
			{"flux@v2", "spec: {l: [x, x]}", 201, "", ""},
			{"", crates("", "v1", "l: {type: array, x-kubernetes-list-type: set, items: {type: string}}, a: {type: string}", "v2", "l: {type: array, items: {type: string}}, a: {type: string}"), 0, "", ""},
			{"flux", "spec: {a: x}", 500, "live spec.l[1] x-kubernetes-list-type example.org/v1", ""},
			{"flux@v2", "spec: {a: x}", 200, `{"spec":{"a":"x"}}`, ""},
		}},
		{"owners that are there twice", one, []asked{
			{"flux", "spec: {a: x}", 201, "", ""},
			{"cli put", `metadata: {name: o, ownerReferences: [{apiVersion: v1, kind: A, name: a, uid: "1"}, {apiVersion: v1, kind: A, name: a, uid: "1"}]}`, 200, "{}", `cli Update v1 f:metadata.f:ownerReferences.. f:metadata.f:ownerReferences.k:{"uid":"1"}`},
		}},
		{"another type than what is there", one, []asked{
			{"flux", "spec: {a: x}", 201, "", ""},
			{"", crates("", "v1", strings.Replace(lid, "a: {type: string}", "a: {type: integer}", 1)), 0, "", ""},
			{"flux", "spec: {a: 1}", 500, "live spec.a type string", ""},
			{"flux!", "spec: {a: x, zz: 1}", 500, "live spec.a type string; spec.a type string; spec.zz properties", ""},
			{"ed merge", "spec: {a: 1}", 200, `{"spec":{"a":1,"d":"d"}}`, "flux Apply v1 f:spec.f:a"},
		}},
		{"a version is gone", crates("", "v2", "a: {type: string}, b: {type: string}", "v1", "a: {type: string}, b: {type: string}"), []asked{
			{"flux@v1", "spec: {a: x}", 201, "", ""},
			{"ed@v2 merge", "spec: {b: x}", 200, "", ""},
			{"", crates("", "v2", "a: {type: string}, b: {type: string}"), 0, "", ""},
			{"flux@v2", "spec: {a: x}", 500, "live metadata.managedFields[0].apiVersion  example.org/v1", ""},
			{"ed@v2 merge", "spec: {b: w}", 200, `{"spec":{"a":"x","b":"w"}}`, "ed Update v2 f:spec.f:b; flux Apply v1 f:spec.f:a"},
		}},
		{"another version lacks a field that is there", crates("", "v2", "a: {type: string}, b: {type: string}", "v1", "a: {type: string}"), []asked{
			{"ctl@v1", "spec: {a: x}", 201, "", ""},
			{"ctl@v1 put-status", "status: {p: x}", 200, "", ""},
			{"ed@v2 merge", "spec: {b: x}", 200, "", ""},
			{"flux@v2", "spec: {}", 500, "live spec.b properties example.org/v1", ""},
			{"flux@v2", "spec: {b: w}", 500, "live spec.b properties example.org/v1", ""},
			{"flux@v1", "spec: {a: x}", 200, "", ""},
		}},
		{"another version lacks a field that is applied", crates("", "v2", "a: {type: string}, b: {type: string}", "v1", "a: {type: string}"), []asked{
			{"flux@v1", "spec: {a: x}", 201, "", ""},
			{"flux@v2", "spec: {a: x, b: x}", 500, "spec.b properties example.org/v1", ""},
			{"argo@v2", "spec: {b: x}", 500, "spec.b properties example.org/v1", ""},
			{"flux@v2", "spec: {a: x}", 200, "", "flux Apply v2 f:spec.f:a"},
			{"flux@v2", "spec: {a: x, b: x}", 200, `{"spec":{"a":"x","b":"x"}}`, ""},
			{"flux@v1", "spec: {a: w}", 200, `{"spec":{"a":"w"}}`, "flux Apply v1 f:spec.f:a"},
		}},
		{"another version names items in another way", crates("", "v2", strings.Replace(lid, "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [r, q],", "", 1), "v1", lid), []asked{
			{"flux@v1", "spec: {k: [{q: 1, r: a.b, v: x}]}", 201, "", ""},
			{"argo@v2", "spec: {k: [{q: 1, r: a.b, v: z}]}", 409, `spec.k  conflict with "flux"`, ""},
		}},
		{"another version has a field of another type", crates("", "v2", "a: {type: integer}", "v1", "a: {type: string}"), []asked{
			{"flux@v1", "spec: {a: x}", 201, "", ""},
			{"argo@v2!", "spec: {a: 1}", 500, "live spec.a type string", ""},
		}},
		{"the spec in an apply of the status", crates("", "v2", "a: {type: string}", "v1", "a: {type: string}"), []asked{
			{"flux@v1", "spec: {a: x}", 201, "", ""},
			{"ctl@v2 apply-status", "spec: {a: z}, status: {p: x}", 200, `{"spec":{"a":"x"},"status":{"p":"x"}}`, ""},
			{"", strings.Replace(crates("", "v2", "a: {type: string}", "v1", "a: {type: string}"), "name: v1, served: true", "name: v1, served: false", 1), 0, "", ""},
			{"ctl@v2 apply-status", "spec: {a: z}, status: {p: w}", 409, `spec.a  conflict with "flux"`, ""},
			{"", strings.Replace(crates("", "v1", "a: {type: string}", "v2", "a: {type: string}"), "name: v1, served: true", "name: v1, served: false", 1), 0, "", ""},
			{"ctl@v2 apply-status", "spec: {a: z}, status: {p: w}", 200, `{"spec":{"a":"x"},"status":{"p":"w"}}`, ""},
			{"", strings.Replace(crates("", "v1", "a: {type: string}", "v2", "a: {type: string}"), "subresources: {status: {}}", "subresources: {}", 1), 0, "", ""},
			{"ctl@v2 apply-status", "spec: {a: z}, status: {p: z}", 409, `spec.a  conflict with "flux"`, ""},
			{"flux@v1", "spec: {a: x}, status: {p: z}", 409, `status.p  conflict with "ctl" with subresource "status"`, ""},
			{"flux@v1!", "spec: {a: x}, status: {p: z}", 200, `{"spec":{"a":"x"},"status":{"p":"z"}}`, "flux Apply v1 f:spec.f:a f:status.f:p"},
		}},
		{"a CRD that keeps unknown fields", keeping, []asked{
			{"flux", "spec: {a: x, zz: {w: 1}}, other: 1", 201, `{"other":1,"spec":{"a":"x","zz":{"w":1}}}`, "flux Apply v1 f:other f:spec.f:a f:spec.f:zz.. f:spec.f:zz.f:w"},
			{"flux", "spec: {a: 1}", 500, "spec.a type integer", ""},
		}},
		{"a rule sees what others have applied", crates("", "v1", `a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "!has(self.a) || !has(self.b)", message: one}], required: [], minProperties: 0, description: "", example: {`), []asked{
			{"flux", "spec: {a: x}", 201, "", ""},
			{"argo", "spec: {b: x}", 422, "spec x-kubernetes-validations one", ""},
		}},
		{"a webhook converts", crates("", "v2", lid, "v1", lid), []asked{
			{"old@v1", "spec: {a: x}", 201, "", ""},
			{"", crates(webhook, "v2", lid, "v1", lid), 0, "", ""},
			{"flux@v2", "spec: {b: x}", -1, "a webhook converts between version v2 and version v1, which old wrote", ""},
			{"flux@v1", "spec: {b: x}", 200, "", "flux Apply v1 f:spec.f:b; old Apply v1 f:spec.f:a"},
			{"ed@v2 merge", "spec: {b: w}", -1, "a webhook converts between version v2 and version v1, which old wrote", ""},
		}},
		{"a webhook converts what somebody claims", crates(webhook, "v2", lid, "v1", lid), []asked{
			{"flux@v2", "spec: {a: x}", 201, "", ""},
			{"fix@v2 merge", "metadata: {managedFields: [{manager: old, operation: Update, apiVersion: example.org/v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:b': {}}}}]}", -1,
				"a webhook converts between version v2 and version v1, which old wrote", ""},
			{"fix@v2 merge", "metadata: {managedFields: [{manager: old, operation: Update, apiVersion: example.org/v0, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:b': {}}}}]}", 200, "", "flux Apply v2 f:spec.f:a"},
		}},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			server := &applying.Server{CRD: serveCRD(t, s.crd)}
			for i, step := range s.steps {
				if step.code == 0 {
					server.CRD = serveCRD(t, step.body)
					continue
				}
				step.check(t, fmt.Sprintf("step %d", i+1), server)
			}
		})
	}
}

// TestApplyToUnreadable applies to an object whose managedFields cannot be decoded.
func TestApplyToUnreadable(t *testing.T) {
	t.Parallel()
	v := serveCRD(t, crates("", "v1", lid)).Version("v1")
	o := object(t, "spec: {a: x}")
	o["apiVersion"], o["kind"] = "example.org/v1", "Crate"
	live := maps.Clone(o)
	live["metadata"] = map[string]any{"name": "test", "managedFields": []any{map[string]any{"manager": "x"}}}
	got := v.Apply(o, live, request.Applier{Manager: "flux"})
	if is := reasons(got.Causes); got.Code() != 500 || got.Err != nil || is != "live metadata.managedFields[0].apiVersion " {
		t.Errorf("code %d, %v, %s", got.Code(), got.Err, is)
	}
	live["metadata"].(map[string]any)["managedFields"] = []any{map[string]any{"manager": "x", "operation": "Apply", "fieldsType": "FieldsV1", "apiVersion": "example.com/v1"}}
	if is := reasons(v.Apply(o, live, request.Applier{Manager: "flux"}).Causes); is != "live metadata.managedFields[0].apiVersion  example.com/v1" {
		t.Error(is)
	}
	live["metadata"].(map[string]any)["managedFields"] = []any{map[string]any{"manager": "x", "apiVersion": "example.org/v1"}}
	if is := reasons(v.Apply(o, live, request.Applier{Manager: "flux"}).Causes); is != "live metadata.managedFields " {
		t.Error(is)
	}
}

// TestApplyToFile applies to an object from a file, of which nothing is known that only a server knows, so that nothing that is said of
// it is wrong. It is there all the same: an update of it is no creation.
func TestApplyToFile(t *testing.T) {
	t.Parallel()
	v := serveCRD(t, crates("", "v1", lid)).Version("v1")
	made := func(metadata map[string]any, spec map[string]any) request.Object {
		metadata["name"] = "o"
		return request.Object{"apiVersion": "example.org/v1", "kind": "Crate", "metadata": metadata, "spec": spec}
	}
	live := made(map[string]any{}, map[string]any{"a": "x"})
	o := made(map[string]any{"uid": "u", "resourceVersion": "7"}, map[string]any{"a": "x"})
	got := v.Apply(o, live, request.Applier{Manager: "flux"})
	if !got.Accepted() {
		t.Fatalf("it is rejected for %s, %v", reasons(got.Causes), got.Err)
	}
	if is, _ := request.Keys("metadata", "uid").In(got.Object); is != nil {
		t.Errorf("it has the uid %v", is)
	}
	if is := owners(got.Object); is != "before-first-apply Update v1 f:spec.. f:spec.f:a; flux Apply v1 f:spec.f:a" {
		t.Errorf("it is owned by %s", is)
	}
	if text(got.Object) != text(v.Apply(o, live, request.Applier{Manager: "flux"}).Object) || strings.Contains(text(got.Object), `"time"`) {
		t.Errorf("it has a time: %s", text(got.Object))
	}
	written := v.Update(made(map[string]any{}, map[string]any{"a": "z"}), live, request.ManagedBy("ed"))
	if is := owners(written.Object); !written.Accepted() || is != "" {
		t.Errorf("an update has it owned by %s, %s", is, reasons(written.Causes))
	}
	if written := v.Update(live, live); strings.Contains(text(written.Object), "managedFields") {
		t.Errorf("nobody is named, and somebody owns it: %s", text(written.Object))
	}
	later := v.Apply(made(map[string]any{}, map[string]any{"b": "x"}), timed(got.Object), request.Applier{Manager: "argo"})
	if is := text(later.Object); strings.Count(is, `"time":"2026-01-01T00:00:00Z"`) != 2 || strings.Count(is, `"time"`) != 2 {
		t.Errorf("the times of others are gone, or there is a new one: %s", is)
	}
	changed := v.Update(made(map[string]any{}, map[string]any{"a": "z"}), timed(got.Object), request.ManagedBy("ed"))
	if is := text(changed.Object); strings.Count(is, `"time"`) != 1 {
		t.Errorf("a time is there that is not known: %s", is)
	}
	if created := v.Apply(made(map[string]any{}, map[string]any{"a": "x"}), nil, request.Applier{Manager: "flux"}); len(created.Changes) > 0 {
		t.Errorf("it is changed: %v", created.Changes)
	}
	if none := v.ApplyStatus(o, nil, request.Applier{Manager: "flux"}); none.Err == nil {
		t.Error("the status of nothing is applied")
	}
	if without := serve(t, "{type: object}").Version("v1").ApplyStatus(o, live, request.Applier{Manager: "flux"}); without.Err == nil {
		t.Error("the status is applied of a version without")
	}
}

// TestCode has the code of an answer that has no causes go before that of others.
func TestCode(t *testing.T) {
	t.Parallel()
	v := serve(t, "{type: object, properties: {spec: {type: object, properties: {replicas: {type: integer, maximum: 3}}}}}", both).Version("v1")
	of := func(members string, more map[string]any) request.Object {
		o := object(t, members)
		maps.Copy(o["metadata"].(map[string]any), more)
		return o
	}
	old := object(t, "spec: {replicas: 1}, status: {replicas: x}")
	for _, c := range []struct {
		about string
		is    *request.Outcome
		code  int
	}{
		{"accepted", v.Create(object(t, "spec: {replicas: 1}")), 0},
		{"the schema", v.Create(object(t, "spec: {replicas: 4}")), 422},
		{"labels of a wrong type", v.Create(of("spec: {replicas: 4}", map[string]any{"labels": int64(1)})), 400},
		{"another version", v.Create(object(t, "apiVersion: example.com/v2")), 400},
		{"a resourceVersion", v.Create(of("spec: {replicas: 1}", map[string]any{"resourceVersion": "1"})), 500},
		{"a scale that cannot be read", v.UpdateScale(old, 2), 500},
	} {
		if c.is.Err != nil || c.is.Code() != c.code {
			t.Errorf("%s: the code is %d, want %d; %v", c.about, c.is.Code(), c.code, c.is.Err)
		}
	}
}

// timed is an object whose managedFields all have a time.
func timed(o request.Object) request.Object {
	managed, _ := request.Keys("metadata", "managedFields").In(o)
	for _, entry := range managed.([]any) {
		entry.(map[string]any)["time"] = "2026-01-01T00:00:00Z"
	}
	return o
}

func (s asked) check(t *testing.T, name string, server *applying.Server) {
	t.Helper()
	r := s.request(t)
	got, err := server.Do(r)
	if err != nil {
		if s.code != -1 || err.Error() != s.says {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	if got.Code != s.code {
		t.Fatalf("%s: the code is %d, want %d: %s", name, got.Code, s.code, reasons(got.Causes))
	}
	if got.Code/100 != 2 {
		if is := reasons(got.Causes); is != s.says {
			t.Errorf("%s is rejected for\n%s\nwant\n%s", name, is, s.says)
		}
		return
	}
	if is := content(got.Object); s.says != "" && is != s.says {
		t.Errorf("%s: there is\n%s\nwant\n%s", name, is, s.says)
	}
	if is := owners(got.Object); s.owns != "" && is != s.owns {
		t.Errorf("%s: it is owned by\n%s\nwant\n%s", name, is, s.owns)
	}
}

// request is that of "manager@version operation" with a body that has what all objects have.
func (s asked) request(t *testing.T) applying.Request {
	t.Helper()
	who, op, _ := strings.Cut(s.who, " ")
	who, force := strings.CutSuffix(who, "!")
	who, version, found := strings.Cut(who, "@")
	if !found {
		version = "v1"
	}
	if op == "" {
		op = applying.Apply
	}
	r := applying.Request{Op: op, Version: version, Manager: who, Force: force, Body: []byte(s.body)}
	if op != applying.JSON && op != applying.Merge {
		members := map[string]string{"apiVersion": "example.org/" + version, "kind": "Crate", "metadata": "{name: o}"}
		for _, member := range slices.Sorted(maps.Keys(members)) {
			if !strings.HasPrefix(s.body, member+":") && (member != "metadata" || !strings.Contains(s.body, "metadata:")) {
				r.Body = append([]byte(member+": "+members[member]+", "), r.Body...)
			}
		}
	}
	if op != applying.JSON {
		r.Body = fmt.Appendf(nil, "{%s}", r.Body)
	}
	return r
}

// reasons are causes as stories tell them: where and what.
func reasons(causes []request.Cause) string {
	var all []string
	for _, c := range causes {
		text := c.Path.String() + " " + c.Keyword
		if c.Stage == request.Options {
			text = " " + c.Field
		}
		for _, more := range []string{c.Found, c.Detail} {
			if more != "" {
				text += " " + more
			}
		}
		if c.Live {
			text = "live " + text
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// content is what an object has beside what identifies it.
func content(o request.Object) string {
	o = maps.Clone(o)
	for _, key := range []string{"apiVersion", "kind", "metadata"} {
		delete(o, key)
	}
	return text(o)
}

// owners are the entries of managedFields: manager, operation, version, subresource and the fields.
func owners(o request.Object) string {
	var all []string
	_, managed := withoutServer(o)
	for _, entry := range managed {
		var e struct {
			Manager, Operation, APIVersion, Subresource string
			FieldsV1                                    map[string]any
		}
		_ = json.Unmarshal([]byte(entry), &e)
		text := e.Manager + " " + e.Operation + strings.Replace(e.APIVersion, "example.org/", " ", 1)
		if e.Subresource != "" {
			text += " " + e.Subresource
		}
		all = append(all, text+" "+strings.Join(leaves(e.FieldsV1, ""), " "))
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

func leaves(fields map[string]any, at string) (all []string) {
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		below, _ := fields[key].(map[string]any)
		if len(below) == 0 {
			all = append(all, at+key)
		}
		all = append(all, leaves(below, at+key+".")...)
	}
	return all
}
