package mask

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
)

const vaultCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: vaults.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Vault, listKind: VaultList, plural: vaults, singular: vault}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: string, default: small}
              pin: {type: string, format: password}
              password: {type: string, default: changeme}
              secretName: {type: string}
              zones: {type: array, default: [east, west], items: {type: string}}
              tags: {type: object, additionalProperties: {type: object, properties: {color: {type: string}}}}
              env: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}
              free: {type: object, required: [must], x-kubernetes-preserve-unknown-fields: true}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`

// vault reads an object, and the document that it is in.
func vault(t *testing.T, src string) (*objects.Object, *objects.Definition, *manifest.Document) {
	t.Helper()
	d := manifest.Parse("vault.yaml", []byte("apiVersion: example.com/v1\nkind: Vault\n"+src)).Documents[0]
	if d.Err != nil {
		t.Fatal(d.Err)
	}
	found, _ := objects.Find(d.Root.YNode())
	return found[0], objects.Definitions("crd.yaml", "crd.yaml", []byte(vaultCRD), false)[0], d
}

func TestPath(t *testing.T) {
	t.Parallel()
	o, d, _ := vault(t, "spec: {}\n")
	m := Of(o, d, Options{All: true})
	for _, test := range []struct {
		at   request.Path
		want string
	}{
		{request.Keys("spec", "size"), "spec.size"},
		{request.Keys("spec", "typo"), "spec.typo"},
		{request.Keys("spec", "typo", "below"), "spec.typo.***"},
		{request.Keys("spec", "tags", "mine"), "spec.tags.***"},
		{request.Keys("spec", "tags", "mine", "color"), "spec.tags.***.color"},
		{request.Keys("spec", "tags", "mine", "typo"), "spec.tags.***.typo"},
		{request.Keys("spec", "env").To(request.Index(1), request.Key("value")), "spec.env[1].value"},
		{request.Keys("spec", "free", "mine", "deep"), "spec.free.***.***"},
		{request.Keys("spec", "free", "must"), "spec.free.must"},
		{request.Keys("spec", "template", "metadata", "labels", "mine"), "spec.template.metadata.labels[***]"},
		{request.Keys("spec", "template", "kind"), "spec.template.kind"},
		{request.Keys("spec", "template", "spec"), "spec.template.***"},
		{request.Keys("metadata", "labels", "mine"), "metadata.labels[***]"},
		{request.Keys("metadata", "annotations", "mine"), "metadata.annotations[***]"},
		{request.Keys("metadata", "typo"), "metadata.typo"},
		{request.Keys("metadata", "ownerReferences").To(request.Index(0), request.Key("uid")), "metadata.ownerReferences[0].uid"},
	} {
		if got := m.Path(test.at).String(); got != test.want {
			t.Errorf("%s is shown as %s, want %s", test.at, got, test.want)
		}
		if got := m.Path(test.at); got.String() != test.at.String() {
			if _, same := got.In(map[string]any{}); same || len(got) != len(test.at) || got[len(got)-1].Key != test.at[len(test.at)-1].Key {
				t.Errorf("%s leads elsewhere", got)
			}
		}
		if got := Of(o, d, Options{Secrets: true}).Path(test.at).String(); got != test.at.String() {
			t.Errorf("in a file of the user's, %s is shown as %s", test.at, got)
		}
	}
}

// TestPathOfUnknownVersion shows the names that the CRD declares, and no others: they may be fields or data.
func TestPathOfUnknownVersion(t *testing.T) {
	t.Parallel()
	o, d, _ := vault(t, "spec: {}\n")
	o.Version = "v9"
	m := Of(o, d, Options{All: true})
	for _, test := range []struct {
		at   request.Path
		want string
	}{
		{request.Keys("spec", "size"), "spec.size"},
		{request.Keys("spec", "typo"), "spec.***"},
		{request.Keys("spec", "tags", "mine"), "spec.tags.***"},
		{request.Keys("metadata", "labels", "mine"), "metadata.labels[***]"},
	} {
		if got := m.Path(test.at).String(); got != test.want {
			t.Errorf("%s is shown as %s, want %s", test.at, got, test.want)
		}
	}
}

// TestScrub: no words have what is hidden, in any argument of a message.
func TestScrub(t *testing.T) {
	t.Parallel()
	o, d, _ := vault(t, "metadata: {name: first, labels: {mylabel: itsvalue}}\nspec: {size: gigantic, pin: mypin, free: {mykey: 123456}, lines: \"one line\\nand another\", short: abc, four: wxyz, string: array}\n")
	for _, test := range []struct {
		options    Options
		said, want string
	}{
		{Options{All: true}, "spec.size is gigantic", "spec.size is ***"},
		{Options{All: true}, "mylabel and itsvalue, mykey and 123456", "*** and ***, *** and ***"},
		{Options{All: true}, "'and another' of first", "'***' of first"},
		{Options{All: true}, "giganticgigantic, and giganticitsvalue", "******, and ******"},
		{Options{All: true}, "wxyz wxy", "*** wxy"}, // as short as a secret may be
		{Options{All: true}, "abc", "abc"},          // too short to tell from words
		{Options{All: true}, "spec.size is no array", "spec.size is no array"},
		{Options{Secrets: true}, "gigantic mypin", "gigantic ***"},
		{Options{Anonymous: true}, "gigantic mypin of first", "gigantic mypin of ***"},
	} {
		m := Of(o, d, test.options)
		if got := m.Scrub(test.said); got != test.want {
			t.Errorf("%+v: %q became %q, want %q", test.options, test.said, got, test.want)
		}
		for _, arg := range []any{test.said, text.Foreign(test.said), text.Value(test.said + strings.Repeat(" and so on", 10)), []string{test.said}} {
			got := text.Sprintf("%s", m.Args([]any{arg})...)
			for _, word := range []string{"gigantic", "mypin", "itsvalue", "mykey", "123456", "and another"} {
				if hidden := strings.Contains(test.said, word) && !strings.Contains(test.want, word); hidden && strings.Contains(got.String()+got.Brief(), word) {
					t.Errorf("%+v: %T has %s: %s", test.options, arg, word, got)
				}
			}
		}
	}
	if got := (*Mask)(nil).Args([]any{"gigantic"}); got[0] != "gigantic" {
		t.Errorf("without a mask: %v", got)
	}
}

// TestPrint: an object is shown without its values, and with the defaults that it gets.
func TestPrint(t *testing.T) {
	t.Parallel()
	o, d, _ := vault(t, "metadata:\n  name: first\n  labels: {mine: x}\n  managedFields: [{manager: kubectl}]\n  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}\nspec:\n  typo: 5\n  tags: {mine: {color: red}}\n  free: {mine: null, other: [true]}\n")
	before, _, err := o.Tree()
	if err != nil {
		t.Fatal(err)
	}
	after := request.Object{"apiVersion": "example.com/v1", "kind": "Vault", "metadata": map[string]any{"name": "first"},
		"spec": map[string]any{"size": "small", "password": "changeme", "tags": map[string]any{"mine": map[string]any{"color": "blue"}}, "free": map[string]any{}}}
	was, is, err := Of(o, d, Options{All: true, Secrets: true}).Print(before, after)
	if err != nil {
		t.Fatal(err)
	}
	const wantWas = `apiVersion: example.com/v1
kind: Vault
metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: ***
  labels:
    ***: ***
  managedFields: ***
  name: first
spec:
  free:
    ***: null
    ***:
    - ***
  tags:
    ***:
      color: ***
  typo: ***
`
	const wantIs = `apiVersion: example.com/v1
kind: Vault
metadata:
  name: first
spec:
  free: {}
  password: ***
  size: small
  tags:
    ***:
      color: *** (changed)
`
	if string(was) != wantWas || string(is) != wantIs {
		t.Errorf("got\n%s\n%s", was, is)
	}
}

// TestAnonymous hides what identifies the object, and nothing of what is in it.
func TestAnonymous(t *testing.T) {
	t.Parallel()
	const src = "metadata: {generateName: order-, labels: {app: blue}, name: orders, namespace: shop}\nspec:\n  size: small\n  template:\n    metadata: {name: inner, namespace: there}\n"
	for _, test := range []struct {
		options Options
		want    string
	}{
		{Options{}, "generateName: order- labels: app: blue name: orders namespace: shop size: small metadata: name: inner namespace: there"},
		{Options{Secrets: true}, "generateName: order- labels: app: blue name: orders namespace: shop size: small metadata: name: inner namespace: there"},
		{Options{Anonymous: true}, "generateName: *** labels: app: blue name: *** namespace: *** size: small metadata: name: inner namespace: there"},
		{Options{All: true}, "generateName: *** labels: ***: *** name: orders namespace: shop size: *** metadata: name: *** namespace: ***"},
		{Options{All: true, Anonymous: true}, "generateName: *** labels: ***: *** name: *** namespace: *** size: *** metadata: name: *** namespace: ***"},
	} {
		o, d, doc := vault(t, src)
		tree, _, err := o.Tree()
		if err != nil {
			t.Fatal(err)
		}
		m := Of(o, d, test.options)
		was, _, err := m.Print(tree, tree)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(strings.Fields(string(was)), " ")
		_, got, _ = strings.Cut(got, "metadata: ")
		if got = strings.NewReplacer("spec: ", "", "template: ", "").Replace(got); got != test.want {
			t.Errorf("%+v: got %s\nwant %s", test.options, got, test.want)
		}
		shown := string(Replace(doc.File.Source, m.Spans(doc)))
		for _, name := range []string{"order-", "orders", "shop"} {
			if hidden := !strings.Contains(test.want, ": "+name+" "); hidden && (strings.Contains(shown, name+",") || strings.Contains(shown, name+"}")) {
				t.Errorf("%+v: %s is in %s", test.options, name, shown)
			}
		}
	}
}

// TestPrintLists: items that an object gets are told from those that change, and defaults are shown.
func TestPrintLists(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		options         Options
		was, is         []any
		wantWas, wantIs string
	}{
		{Options{All: true}, nil, []any{"east", "west"}, "", "- east - west"},
		{Options{All: true}, nil, []any{"east", "else"}, "", "- east - ***"},
		{Options{All: true}, nil, []any{"east", "west", "more"}, "", "- east - west - ***"},
		{Options{All: true}, []any{"east"}, []any{"east", "west"}, "- ***", "- *** - west"},
		{Options{All: true}, []any{"a", "b"}, []any{"a", "c", "d"}, "- *** - ***", "- *** - *** (changed) - ***"},
		{Options{Secrets: true}, []any{"a"}, []any{"b", "c"}, "- a", "- b - c"},
	} {
		o, d, _ := vault(t, "spec: {}\n")
		tree := func(zones []any) request.Object {
			spec := map[string]any{}
			if zones != nil {
				spec["zones"] = zones
			}
			return request.Object{"spec": spec}
		}
		was, is, err := Of(o, d, test.options).Print(tree(test.was), tree(test.is))
		if err != nil {
			t.Fatal(err)
		}
		for got, want := range map[string]string{string(was): test.wantWas, string(is): test.wantIs} {
			_, got, _ = strings.Cut(strings.Join(strings.Fields(got), " "), "zones: ")
			if got != want {
				t.Errorf("%v to %v: got %q, want %q", test.was, test.is, got, want)
			}
		}
	}
}

// TestKeptForms: what a server keeps of other forms of an object is closed as a whole, where anything of it is hidden.
func TestKeptForms(t *testing.T) {
	t.Parallel()
	const src = "metadata:\n  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{hunter2}', mine: shown}\n  managedFields: [{fieldsV1: {f:hunter3: {}}}]\n"
	for _, test := range []struct {
		options Options
		want    string
	}{
		{Options{}, "annotations: kubectl.kubernetes.io/last-applied-configuration: \"{hunter2}\" mine: shown managedFields: - fieldsV1: f:hunter3: {}"},
		{Options{Secrets: true}, "annotations: kubectl.kubernetes.io/last-applied-configuration: *** mine: shown managedFields: ***"},
		{Options{All: true}, "annotations: kubectl.kubernetes.io/last-applied-configuration: *** ***: *** managedFields: ***"},
	} {
		o, d, _ := vault(t, src)
		tree, _, err := o.Tree()
		if err != nil {
			t.Fatal(err)
		}
		m := Of(o, d, test.options)
		was, _, err := m.Print(tree, tree)
		if err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(strings.Join(strings.Fields(string(was)), " "), "metadata: "); got != test.want {
			t.Errorf("%+v: got %s\nwant %s", test.options, got, test.want)
		}
		if got := m.Scrub("about f:hunter3"); (got == "about f:hunter3") != !test.options.All {
			t.Errorf("%+v: %s", test.options, got)
		}
	}
}

// TestSpans: of the user's own files, secrets are hidden wherever they are written.
func TestSpans(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ src, want string }{
		{"spec: {pin: hunter2, size: big}\n", "spec: {pin: ***, size: big}\n"},
		{"spec: {password: 'hunter2', secretName: s}\n", "spec: {password: ***, secretName: s}\n"},
		{"spec:\n  password: |\n    hunter2\n    hunter3\n  size: big\n", "spec:\n  password: ***\n    ***\n    ***\n  size: big\n"},
		{"spec:\n  env:\n  - {name: DB_PASSWORD, value: hunter2}\n  - {name: HOME, value: here}\n", "spec:\n  env:\n  - {name: DB_PASSWORD, value: ***}\n  - {name: HOME, value: here}\n"},
		{"spec:\n  password: |\n    hunter2\n\n    hunter3\n  size: big\n", "spec:\n  password: ***\n    ***\n\n    ***\n  size: big\n"},
		{"spec: {size: small, password: &p hunter2, pin: *p, free: {b: *p}}\n", "spec: {size: small, password: ***, pin: *p, free: {b: *p}}\n"},
		{"metadata: {name: password, labels: {password: label}}\n", "metadata: {name: password, labels: {password: ***}}\n"},
		{"spec: {free: {kind: Secrets, data: {a: b}, value: c, name: token}}\n", "spec: {free: {kind: Secrets, data: {a: b}, value: ***, name: token}}\n"},
		{"spec: {free: {kind: Secret, data: {a: hunter2}}}\n", "spec: {free: {kind: Secret, data: {a: ***}}}\n"},
		{"spec: {free: {a: &x hunter2, apiToken: *x}}\n", "spec: {free: {a: ***, apiToken: *x}}\n"},
		{"spec: {free: {<<: {token: hunter2}}}\n", "spec: {free: {<<: {token: ***}}}\n"},
		{"spec: {free: {<<: [{token: hunter2}]}}\n", "spec: {free: {<<: [{token: ***}]}}\n"},
		{"spec: {free: {key: \"-----BEGIN PRIVATE KEY-----\"}}\n", "spec: {free: {key: ***}}\n"},
		{"spec: {free: {private-key: {a: [hunter2, null]}}}\n", "spec: {free: {private-key: {a: [***, null]}}}\n"},
		{"spec: {size: &a {b: *a}}\n", "spec: {size: &a {b: *a}}\n"},
	} {
		o, d, doc := vault(t, test.src)
		m := Of(o, d, Options{Secrets: true})
		got := string(Replace(doc.File.Source, m.Spans(doc)))
		if _, got, _ = strings.Cut(got, "kind: Vault\n"); got != test.want {
			t.Errorf("%s became\n%s", test.src, got)
		}
	}
}

func TestIsSecret(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"password": true, "adminPassword": true, "DB_PASSWORD": true, "secret": true, "client-secret": true, "token": true, "api_key": true,
		"privateKey": true, "credentials": true, "awsSecretAccessKey": true,
		"secretName": false, "passwordSecretRef": false, "tokenRefs": false, "key": false, "name": false, "publicKey": false, "secretNamespace": false,
	} {
		if isSecret(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
	if !May([]byte("a: b\npass word: x")) || !May([]byte("kind: Secret\n")) || May([]byte("size: 5\n")) {
		t.Error("texts")
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	again := strings.Join([]string{"or", "ders"}, "")
	if Hash("") != "" || len(Hash("orders")) != 8 || Hash("orders") != Hash(again) || Hash("orders") == Hash("users") || strings.Contains(Hash("orders"), "orders") {
		t.Errorf("got %s and %s", Hash("orders"), Hash("users"))
	}
}
