package conversion

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// legible says whether the input is something that the v1beta1 server accepts. What it refuses has no meaning that a
// conversion could keep; every reason is reported, with the right spelling where a wrong one is known.
func (j *job) legible() bool {
	j.alphaSpellings()
	j.yttValues()
	d, err := j.input.Decode()
	if err != nil {
		j.undecoded("v1beta1", err)
		return false
	}
	j.decoded = d
	j.reportVerdict(apiserver.OnCreate(d.Hub, crd.V1beta1), j.input, "v1beta1")
	return !j.reported()
}

// schemaKeywords are enough of a schema's keywords to recognise one.
var schemaKeywords = []string{"properties", "type", "required", "description", "items", "additionalProperties"}

// alphaSpellings finds what the design documents of multi-version CRDs wrote before the API was settled, and no server
// ever understood.
func (j *job) alphaSpellings() {
	versions := crd.Get(j.input.Node, "spec", "versions")
	if versions != nil && versions.Kind == yaml.SequenceNode {
		for i, item := range versions.Content {
			path := crd.Item("spec.versions", i) + ".schema"
			j.bareSchema(crd.Get(item, "schema"), path)
		}
	}
	j.bareSchema(crd.Get(j.input.Node, "spec", "validation"), "spec.validation")
	conversion := crd.Get(j.input.Node, "spec", "conversion")
	if k, _ := crd.Lookup(conversion, "webhook"); k != nil && j.input.Version == crd.V1beta1 {
		j.report("v1-field-in-v1beta1", crd.Place{Node: k, Path: "spec.conversion.webhook"},
			"the v1beta1 API server knows no conversion.webhook; write conversion.webhookClientConfig with service or url, and caBundle")
	}
}

func (j *job) bareSchema(schema *yaml.Node, path string) {
	if schema == nil || schema.Kind != yaml.MappingNode || crd.Get(schema, "openAPIV3Schema") != nil {
		return
	}
	for _, e := range crd.Entries(schema) {
		if slices.Contains(schemaKeywords, e.Name) {
			j.report("schema-wrapper-missing", crd.Place{Node: e.Key, Path: crd.Join(path, e.Name)},
				fmt.Sprintf("%s stands directly below %s, where servers ignore it; put openAPIV3Schema between them", e.Name, crd.LastField(path)))
			return
		}
	}
}

// reportVerdict reports what a server refuses, each error once, at the node that the user wrote.
func (j *job) reportVerdict(v apiserver.Verdict, c *crd.CRD, server string) {
	if v.Panic != "" {
		j.reportText("api-server", crd.Place{Node: j.input.Node}, text.Sprintf("the %s API server's validation crashes on this: %s", server, text.Reason(v.Panic)))
	}
	var ytt []crd.YttValue
	if len(v.Errors) > 0 {
		ytt = j.input.YttValues()
	}
	seen := map[string]bool{}
	for _, err := range v.Errors {
		rule := apiserver.RuleOf(err)
		if j.toldBetter(err, rule) {
			continue
		}
		there, complete := c.LocateExactly(err.Field)
		at, same := j.input.Resolve(crd.Steps(j.inputPath(there.Path)))
		if j.filledIn(at, err, ytt) {
			continue
		}
		message, foreign := refusal(err, rule, server)
		if key := rule + at.Path + message.String(); !seen[key] {
			seen[key] = true
			n := j.reportText(rule, at, message)
			if n.Foreign = foreign; foreign {
				n.Err, n.Complete = err, complete && same
			}
		}
	}
}

// toldBetter says whether an error only repeats what another one, or another note, says in better words.
func (j *job) toldBetter(err *field.Error, rule string) bool {
	switch rule {
	case "default-in-v1beta1":
		return true // v1 takes defaults, and they convert as they are
	case "schema-junctor-incomplete":
		return strings.HasSuffix(err.Field, ".properties[metadata]") // schema-junctor-metadata comes with it
	case "webhook-config-required":
		return slices.ContainsFunc(j.notes, func(n *Note) bool { return n.ID == "v1-field-in-v1beta1" })
	}
	return false
}

// hints say what to do about errors of a rule.
var hints = map[string]string{
	"schema-additional-properties-root":   "additionalProperties at the root would also restrict apiVersion, kind and metadata; describe the fields below spec",
	"schema-root-type":                    "the root is always an object; write type: object",
	"schema-junctor-metadata":             "metadata cannot be described inside allOf, anyOf, oneOf or not; move what it says about the name to the root's metadata",
	"schema-junctor-incomplete":           "this is described inside allOf, anyOf, oneOf or not only; declare it outside of them as well",
	"schema-metadata-restricted":          "only name and generateName of metadata can be restricted; --policy=idiomatic drops the rest",
	"schema-root-forbidden-with-status":   "with the status subresource the root may not have anyOf, oneOf, allOf, not, additionalProperties, nullable or x-kubernetes-map-type; say it below spec",
	"selectable-field-no-schema":          "selectableFields must be the same in all versions when the schemas are, and differ when they differ",
	"api-approval-missing":                "*.k8s.io and *.kubernetes.io are protected groups; annotate api-approved.kubernetes.io, or use --unapproved-api",
	"api-approval-invalid":                `api-approved.kubernetes.io must be the URL of the approval, or start with "unapproved"`,
	"conversion-webhook-preserve-unknown": "a conversion webhook needs preserveUnknownFields: false",
	"per-version-identical":               "all versions have the same value; v1beta1 wants it once, at the top level of spec",
	"top-level-and-per-version":           "v1beta1 wants this at the top level or in the versions, not both; remove one",
	"version-field-mismatch":              "version must be the name of the first entry of versions",
}

var (
	unsupported = regexp.MustCompile(`^supported values: (.*)$`)
	goPrefix    = regexp.MustCompile(`(?s)^(?:OpenAPIV3Schema|internal error:).*?: `)
)

// refusal says in one line what is wrong and what to do; where nothing better is known it passes on the server's words.
func refusal(err *field.Error, rule, server string) (message text.Text, foreign bool) {
	switch typ, _ := err.BadValue.(string); {
	case rule == "schema-type-invalid" && strings.Contains(err.Detail, "nullable"):
		return text.Sprintf("type: null is not supported; write the type of the other values and nullable: true"), false
	case rule == "schema-type-invalid":
		return noSuchType(typ), false
	case rule == "schema-pattern-invalid":
		return badPattern(err.Detail), false
	}
	if known := ownWords(err, rule, server); known != "" {
		return text.Sprintf("%s", known), false
	}
	detail := text.OneLine(goPrefix.ReplaceAllString(err.Detail, ""))
	says := text.Reason(detail)
	if m := unsupported.FindStringSubmatch(detail); m != nil {
		says = text.Sprintf("%s is not one of %s", text.Quoted(err.BadValue), text.Reason(m[1]))
	}
	switch {
	case detail != "":
	case err.Type == field.ErrorTypeRequired:
		says = text.Reason(crd.LastField(err.Field) + " is required")
	default:
		says = text.Reason(crd.LastField(err.Field) + " is invalid")
	}
	return text.Sprintf("the %s API server refuses this: %s", server, says), true
}

// ownWords are what is better than what the server says; "" where nothing is known.
func ownWords(err *field.Error, rule, server string) string {
	switch {
	case rule == "schema-junctor-forbidden-field" && server == "v1beta1":
		return fmt.Sprintf("the v1beta1 API server refuses this: with x-kubernetes extensions, or preserveUnknownFields: false, there can be no %s inside allOf, anyOf, oneOf or not; move it out",
			crd.LastField(err.Field))
	case rule == "schema-junctor-forbidden-field":
		return fmt.Sprintf("%s inside allOf, anyOf, oneOf or not has no structural equivalent; move it out, or let --policy=idiomatic loosen it", crd.LastField(err.Field))
	case rule == "schema-additional-properties-root" && strings.Contains(err.Detail, "embedded"):
		return "additionalProperties on an embedded resource would also restrict its apiVersion, kind and metadata; describe its fields"
	case rule == "schema-list-map-key-optional" && server == "v1beta1" && strings.HasSuffix(err.Field, ".default"):
		return fmt.Sprintf("%s identifies an item of its list; require it, since v1beta1 has no defaults", crd.LastField(strings.TrimSuffix(err.Field, ".default")))
	case rule == "conversion-strategy-invalid":
		return strategyHint(fmt.Sprint(err.BadValue))
	case rule == "schema-metadata-restricted" && server == "v1beta1":
		return "the v1beta1 API server refuses this: of metadata only name and generateName can be described here; remove the rest"
	}
	return hints[rule]
}

// lookAround begins a group that RE2 does not have, as Go's error about it quotes it.
var lookAround = regexp.MustCompile("`\\(\\?<?[=!]")

// backReference is one, as Go's error about it quotes it.
var backReference = regexp.MustCompile("escape sequence: `\\\\[1-9]")

func badPattern(detail string) text.Text {
	_, why, found := strings.Cut(detail, "error parsing regexp: ")
	if !found {
		why = "it does not compile"
	}
	advice := "rewrite it"
	switch {
	case lookAround.MatchString(why):
		advice = "rewrite it without look-around"
	case backReference.MatchString(why):
		advice = "rewrite it without back-references"
	}
	return text.Sprintf("the pattern is not RE2: %s; %s", text.Reason(text.OneLine(why)), advice)
}

func noSuchType(typ string) text.Text {
	if meant := repair.SuggestType(typ); meant != "" {
		return text.Sprintf("there is no type %s; write type: %s", text.Quoted(typ), meant)
	}
	return text.Sprintf("there is no type %s; the types are array, boolean, integer, number, object and string", text.Quoted(typ))
}

func strategyHint(strategy string) string {
	if meant := repair.SuggestStrategy(strategy); meant != "" {
		return "strategy must be spelled " + meant
	}
	return "strategy must be None or Webhook"
}

// checkCABundle reports a bundle that lets the CRD be created but never become Established. A blank one is the
// usual stand-in for what a tool puts there later, and only worth a word.
func (j *job) checkCABundle(hub *apiextensions.CustomResourceDefinition) {
	c := hub.Spec.Conversion
	if c == nil || c.WebhookClientConfig == nil || len(c.WebhookClientConfig.CABundle) == 0 || apiserver.UsableCABundle(c.WebhookClientConfig.CABundle) {
		return
	}
	at := j.inInput("spec.conversion.webhook.clientConfig.caBundle")
	if len(bytes.TrimSpace(c.WebhookClientConfig.CABundle)) == 0 {
		j.changes("webhook-cabundle-placeholder", at, "caBundle is a blank stand-in; from Kubernetes 1.31 on the CRD is not established until a certificate takes its place")
		return
	}
	j.report("webhook-cabundle-invalid", at,
		"caBundle holds no PEM certificate; from Kubernetes 1.31 on the CRD would never be established. Remove it, or put the certificate in")
}

// inInput finds the place of the input that a path in v1 layout came from, or the nearest one above.
func (j *job) inInput(path string) crd.Place {
	place, _ := j.input.Resolve(crd.Steps(j.inputPath(path)))
	return place
}

// inputPath translates a path in the result's layout to the input's.
func (j *job) inputPath(path string) string {
	for to, from := range j.hoisted {
		if rest, ok := strings.CutPrefix(path, to); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return from + rest
		}
	}
	if index, rest, ok := strings.Cut(path, "]."); ok && strings.HasPrefix(index, "spec.versions[") {
		to := path // such as spec.versions[0].schema
		if end := strings.IndexAny(rest, ".["); end >= 0 {
			to = path[:len(index)+len("].")+end]
		}
		if from, ok := j.lifted[to]; ok {
			return from + path[len(to):]
		}
	}
	if j.input.Version == crd.V1beta1 {
		path = strings.Replace(path, "spec.conversion.webhook.clientConfig", "spec.conversion.webhookClientConfig", 1)
		path = strings.Replace(path, "spec.conversion.webhook.conversionReviewVersions", "spec.conversion.conversionReviewVersions", 1)
		path = strings.Replace(path, "].jsonPath", "].JSONPath", 1)
	}
	return path
}
