package conversion

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// legible reports whether the input is something that the v1beta1 server accepts, or may do: see catchUp. What it rejects has no
// meaning that a conversion could keep; every reason is reported, with the right spelling where a wrong one is known.
func (j *job) legible() bool {
	j.alphaSpellings()
	j.yttValues()
	d, err := j.input.Decode()
	if err != nil {
		j.undecoded("v1beta1", err)
		return false
	}
	j.decoded = d
	if j.postponed = j.answer == nil && !j.reported() && fast.MayPostpone(d); !j.postponed {
		j.judgeInput()
	}
	return !j.reported()
}

// judgeInput reports what the API server of the input's version says of it.
func (j *job) judgeInput() {
	if j.answer == nil {
		answer := fast.OnCreate(j.decoded.Hub, j.input.Version)
		j.answer = &answer
	}
	j.reportVerdict(j.answer.Verdict, j.input, string(j.input.Version))
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
			`v1beta1 has no field "webhook" here; it belongs to webhookClientConfig and conversionReviewVersions of spec.conversion`)
	}
}

func (j *job) bareSchema(schema *yaml.Node, path string) {
	if schema == nil || schema.Kind != yaml.MappingNode || crd.Get(schema, "openAPIV3Schema") != nil {
		return
	}
	for _, e := range crd.Entries(schema) {
		if slices.Contains(schemaKeywords, e.Name) {
			j.report("schema-wrapper-missing", crd.Place{Node: e.Key, Path: crd.Join(path, e.Name)},
				fmt.Sprintf(crd.WrapperMissing, e.Name, crd.LastField(path)))
			return
		}
	}
}

// reportVerdict reports what a server rejects, each error once, at the node that the user wrote.
func (j *job) reportVerdict(v apiserver.Verdict, c *crd.CRD, server string) {
	if v.Panic != "" {
		j.reportText("api-server", crd.Place{Node: j.input.Node}, text.Sprintf("the %s API server's validation crashes on this: %s", server, text.Reason(v.Panic)))
	}
	var ytt []crd.YttValue
	if len(v.Errors) > 0 {
		ytt = j.input.YttValues()
	}
	seen := map[string]bool{}
	c, input := c.Frozen(), j.input.Frozen()
	for _, err := range v.Errors {
		rule := apiserver.RuleOf(err)
		if j.toldBetter(err, rule) {
			continue
		}
		there, complete := c.LocateExactly(err.Field)
		at, same := input.Resolve(crd.Steps(j.inputPath(there.Path)))
		if j.filledIn(at, err, ytt) {
			continue
		}
		message := refusal(err, server)
		if key := rule + at.Path + message.String(); !seen[key] {
			seen[key] = true
			n := j.reportText(rule, at, message)
			n.Foreign, n.Err, n.Complete = true, err, complete && same
		}
	}
}

// toldBetter reports whether an error only repeats what another one, or another note, says in better words.
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

var (
	unsupported = text.Pattern(`^supported values: (.*)$`)
	goPrefix    = text.Pattern(`(?s)^(?:OpenAPIV3Schema|internal error:).*?: `)
)

// refusal passes on the server's words. What they mean, and what to do, the rules say; see Explainer.
func refusal(err *field.Error, server string) text.Text {
	detail := text.OneLine(goPrefix().ReplaceAllString(err.Detail, ""))
	says := text.Reason(detail)
	if m := unsupported().FindStringSubmatch(detail); m != nil {
		says = text.Sprintf("%s is not one of %s", text.Quoted(err.BadValue), text.Reason(m[1]))
	}
	switch {
	case detail != "":
	case err.Type == field.ErrorTypeRequired:
		says = text.Reason(crd.LastField(err.Field) + " is required")
	default:
		says = text.Reason(crd.LastField(err.Field) + " is invalid")
	}
	return text.Sprintf("the %s API server rejects this: %s", server, says)
}

// UnusableBundle is the message about a caBundle that no server rejects and none can use.
const UnusableBundle = "caBundle has no PEM certificate, so the CRD is never established from Kubernetes 1.31 on; set a certificate"

// checkCABundle reports a bundle that lets the CRD be created but never become Established. A blank one is the
// usual stand-in for what a tool puts there later, and only worth a word.
func (j *job) checkCABundle(hub *apiextensions.CustomResourceDefinition) {
	c := hub.Spec.Conversion
	if c == nil || c.WebhookClientConfig == nil || len(c.WebhookClientConfig.CABundle) == 0 || apiserver.UsableCABundle(c.WebhookClientConfig.CABundle) {
		return
	}
	at := j.inInput("spec.conversion.webhook.clientConfig.caBundle")
	if len(bytes.TrimSpace(c.WebhookClientConfig.CABundle)) == 0 {
		j.changes("webhook-cabundle-placeholder", at, "caBundle is a blank placeholder; from Kubernetes 1.31 on the CRD is not established until a certificate replaces it")
		return
	}
	j.report("webhook-cabundle-invalid", at, UnusableBundle)
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

// placeholderRule is the rule of lint that speaks of templates which parse as YAML.
const placeholderRule = "template-placeholder"

// yttValues reports the values that ytt puts in. To YAML they are null, and to a conversion that is nothing, which it would
// leave out, or write a default for. Below metadata nothing is converted.
func (j *job) yttValues() {
	for _, v := range j.input.YttValues() {
		if !strings.HasPrefix(v.At.Path, "metadata.") {
			j.placeholder(v.Comment, v.At)
		}
	}
}

// filledIn reports whether a server's error about a place of the input comes from a placeholder, which is reported instead.
func (j *job) filledIn(at crd.Place, err *field.Error, ytt []crd.YttValue) bool {
	for _, v := range ytt {
		if v.Explains(at.Path, true) {
			j.placeholder(v.Comment, v.At)
			return true
		}
	}
	bad, _ := err.BadValue.(string)
	name := crd.PlaceholderAt(at)
	switch {
	case name != "" || crd.InSchema(at.Path):
	case at.Path == "metadata.name":
		name, at = j.input.NamePlaceholder()
	default:
		name = crd.PlaceholderIn(bad)
	}
	if name != "" {
		j.placeholder(name, at)
	}
	return name != ""
}

// undecoded reports that a server cannot read the manifest: for placeholders that are of a wrong type, or in its words.
func (j *job) undecoded(server string, err error) {
	wrong := j.input.WrongTypes()
	if len(wrong) == 0 || slices.ContainsFunc(wrong, func(w crd.WrongType) bool { return crd.PlaceholderAt(w.Place) == "" }) {
		j.passOn(crd.Place{Node: j.input.Node}, server, err)
		return
	}
	for _, w := range wrong {
		j.placeholder(crd.PlaceholderAt(w.Place), w.Place)
	}
}

// placeholder reports a placeholder, once for each place.
func (j *job) placeholder(name string, at crd.Place) {
	if slices.ContainsFunc(j.notes, func(n *Note) bool { return n.ID == placeholderRule && n.At.Path == at.Path }) {
		return
	}
	j.reportText(placeholderRule, at, text.Sprintf("%s is a placeholder; convert the rendered manifest", text.Value(name)))
}
