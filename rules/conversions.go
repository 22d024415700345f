package rules

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/conversions"
	"github.com/crdlift/crdlift/rules/internal/crds"
)

// Conversions are tests of the conversion between the versions of CRDs: custom resources are converted there and back as an API
// server does it, by the conversion webhook or, for strategy None, without one. CRDs are tested one after the other. One value is for
// one run.
type Conversions struct {
	// Context ends the run; nil for one that ends by itself.
	Context context.Context
	Webhook

	Count      int         // objects to make for each version
	Seed       uint64      // another one makes other objects
	Pairs      [][2]string // of versions, from one to another; nil for all that an API server may ask for
	Skip       []string    // words of ConversionGroups: what is left out
	Objectives bool        // whether latencies above the API server's objectives are findings

	Progress func(resource string, done, all int) // of a CRD, in objects; nil for none
	// Save keeps the object of a finding as a file that AddCase reads, and returns the command that tries it again, "" for none. Nil
	// keeps nothing.
	Save func(file string, text []byte) (replay string)

	samples []sampleObject
	cases   []webhook.Case
	mu      sync.Mutex
	tests   []ConversionTest
}

// A Webhook says where the webhook is that converts the versions of CRDs: at URL, in place of what the CRD says; or where the CRD says,
// but at the address Connect, which is HOST:PORT. Handler answers in place of both.
type Webhook struct {
	URL, Connect string
	Handler      http.Handler
	AllowRemote  bool          // whether it may be on another machine
	CA           []byte        // certificates to trust, in PEM; nil for those of the CRD
	Insecure     bool          // whether its certificate is not verified
	Timeout      time.Duration // of a request; 0 for the API server's own
}

// isKnown reports whether anything says where the webhook is.
func (w *Webhook) isKnown() bool { return w.URL != "" || w.Connect != "" || w.Handler != nil }

// of is how the webhook is asked for a CRD.
func (w *Webhook) of(hub *apiextensions.CustomResourceDefinition) review.Config {
	return review.Config{
		CRD: hub, URL: w.URL, Connect: w.Connect, CA: w.CA, Insecure: w.Insecure, Local: !w.AllowRemote, Timeout: w.Timeout, Handler: w.Handler,
	}
}

// A ConversionTest is what became of the test of one CRD.
type ConversionTest struct {
	Path, Resource string
	PassedOver     bool // there is nothing to convert
	// Err is why nothing was tested; see ErrUnreachable and ErrNoWebhook. Other errors are about the CRD.
	Err                                error
	Versions, Pairs, Objects, Requests int
	Samples                            int           // of those that AddSamples added, the ones that the CRD defines
	Notes                              []string      // what could not be tested, and why
	Median, P99                        time.Duration // of requests for one object
	Elapsed, Waiting                   time.Duration // in all, and of that for the webhook
}

// ErrUnreachable is why a CRD is not tested whose webhook never answered, and ErrNoWebhook why one is not tested without any.
var (
	ErrUnreachable = webhook.ErrUnreachable
	ErrNoWebhook   = errors.New("a webhook converts its versions at an unknown address; set --url, or --connect to keep the service name and certificate of the CRD")
)

// DefaultConversionCount is how many objects make a thorough test.
const DefaultConversionCount = 300

// ConversionGroups are the words that Conversions.Skip takes.
func ConversionGroups() (words []string) {
	for _, g := range webhook.Groups() {
		words = append(words, string(g))
	}
	return words
}

// RulesOfGroup are the rules that have no findings where a word of ConversionGroups is left out.
func RulesOfGroup(word string) (ids []string) {
	for _, p := range map[webhook.Group][]webhook.Property{
		webhook.Pairs: {webhook.ReviewVersion}, webhook.Edits: {webhook.EditLost}, webhook.PartialOf: {webhook.Partial, webhook.Unvalidated},
		webhook.Concurrency: {webhook.Order, webhook.Concurrent}, webhook.Large: {webhook.AnnotationSize}, webhook.GarbageOf: {webhook.Garbage},
	}[webhook.Group(word)] {
		ids = append(ids, p.ID())
	}
	return ids
}

// A sampleObject is a custom resource that a user gave.
type sampleObject struct {
	group, kind string
	tree        webhook.Object
}

// AddSamples adds the custom resources in a manifest to the objects that are converted. It is not to be called while the linter runs.
func (c *Conversions) AddSamples(path string, src []byte) (found int, err error) {
	for _, d := range manifest.Parse(path, src).Documents {
		if d.Err != nil {
			return found, fmt.Errorf("%s:%d: %s", path, d.Err.Line, d.Err.Message)
		}
		all, _ := objects.Find(d.Root.YNode())
		for _, o := range all {
			tree, _, err := o.Tree()
			if err != nil {
				return found, fmt.Errorf("%s: %w", path, err)
			}
			c.samples = append(c.samples, sampleObject{o.Group, o.Kind, tree})
			found++
		}
	}
	return found, nil
}

// AddCase adds a file that Save was given. With one, only cases are tried. It is not to be called while the linter runs.
func (c *Conversions) AddCase(path string, src []byte) error {
	one, err := webhook.ReadCase(path, src)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	c.cases = append(c.cases, one)
	return nil
}

// Given is the number of objects that AddSamples has added.
func (c *Conversions) Given() int { return len(c.samples) }

// Tests are those that the linter made, in their order.
func (c *Conversions) Tests() []ConversionTest {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.tests)
}

// counts are those of all tests.
func (c *Conversions) counts() *lint.Conversions {
	all := &lint.Conversions{}
	for _, t := range c.Tests() {
		switch {
		case t.PassedOver:
			all.PassedOver++
		case t.Err == nil && t.Objects > 0:
			all.Tested++
		}
		all.Versions += t.Versions
		all.Pairs += t.Pairs
		all.Objects += t.Objects
		for _, note := range t.Notes {
			all.Untested = append(all.Untested, t.Resource+": "+note)
		}
	}
	return all
}

// partly reports whether less is tried than finds what there is to be found.
func (c *Conversions) partly() bool {
	return len(c.cases) > 0 || c.Pairs != nil || len(c.Skip) > 0 || c.Count < DefaultConversionCount
}

func (c *Conversions) engine() *engine.Conversions {
	return &engine.Conversions{Partly: c.partly(), Test: c.test}
}

// test tests the conversion of a CRD.
func (c *Conversions) test(p *engine.Pass) *webhook.Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	test := ConversionTest{Path: p.File().Path, Resource: p.CRD.Name()}
	defer func() { c.tests = append(c.tests, test) }()
	hub, converts := c.conversionOf(p, &test)
	if hub == nil {
		return nil
	}
	options := c.options(hub)
	test.Samples = len(options.Samples)
	result, err := c.run(hub, converts, options)
	if err != nil {
		test.Err = err
		return nil
	}
	test.Versions, test.Pairs, test.Objects, test.Requests = len(result.Versions), len(result.Pairs), result.Objects, result.Requests
	test.Notes = append(test.Notes, result.Notes...)
	for _, r := range result.Refused {
		test.Notes = append(test.Notes, conversions.LeftOut(r).String())
	}
	test.Median, test.P99, test.Elapsed, test.Waiting = result.Median, result.P99, result.Elapsed, result.Waiting
	if c.Save != nil {
		c.save(hub, result)
	}
	return result
}

// conversionOf is the CRD as it is to be tested, and whether a webhook converts; nil, with the reason in the test, for one that is not
// tested.
func (c *Conversions) conversionOf(p *engine.Pass, test *ConversionTest) (hub *apiextensions.CustomResourceDefinition, converts bool) {
	hub = p.Hub().DeepCopy()
	reachable := c.URL != "" || c.Handler != nil
	written := crds.ConversionOf(p.CRD).At.Node != nil
	converts = hub.Spec.Conversion != nil && hub.Spec.Conversion.Strategy == apiextensions.WebhookConverter
	switch {
	case len(webhook.Versions(hub)) < 2, len(c.cases) > 0 && len(c.casesOf(hub)) == 0:
		test.PassedOver = true
		return nil, false
	case !converts && !written && reachable && (p.Unfinished() || !crds.SameSchemas(hub)):
		converts = true // kustomize adds the webhook, say
		hub.Spec.Conversion = &apiextensions.CustomResourceConversion{
			Strategy: apiextensions.WebhookConverter, ConversionReviewVersions: []string{string(crd.V1)},
			WebhookClientConfig: &apiextensions.WebhookClientConfig{},
		}
	case !converts && !written && p.Unfinished():
		test.PassedOver = true
		test.Notes = append(test.Notes, "its generated manifest has no spec.conversion, so its conversion is not tested; name the final manifest")
		return nil, false
	case !converts && crds.SameSchemas(hub):
		test.PassedOver = true
		return nil, false
	case converts && !c.isKnown():
		test.Err = ErrNoWebhook
		return nil, false
	}
	plain := hub.DeepCopy() // what it says of a webhook need not be right
	plain.Spec.Conversion = &apiextensions.CustomResourceConversion{Strategy: apiextensions.NoneConverter}
	if !fast.OnCreate(plain, p.CRD.Version).Accepted() {
		test.Err = errors.New("the API server rejects it; run 'crdlift lint' to see why")
		return nil, false
	}
	return hub, converts
}

// run tests the conversion of a CRD, which is by a webhook or by none.
func (c *Conversions) run(hub *apiextensions.CustomResourceDefinition, converts bool, o webhook.Options) (*webhook.Result, error) {
	ctx := c.Context
	if ctx == nil {
		ctx = context.Background()
	}
	var asker webhook.Asker
	if converts {
		client, err := conversions.Ask(c.of(hub))
		if err != nil {
			return nil, err
		}
		asker = client
	}
	return webhook.Test(ctx, hub, asker, o)
}

// options are those for a CRD.
func (c *Conversions) options(hub *apiextensions.CustomResourceDefinition) webhook.Options {
	o := webhook.Options{
		Count: c.Count, Seed: c.Seed, Objective: c.Objectives, Skip: map[webhook.Group]bool{}, Replay: c.casesOf(hub),
	}
	if c.Progress != nil {
		o.Progress = func(done, all int) { c.Progress(hub.Name, done, all) }
	}
	for _, pair := range c.Pairs {
		o.Pairs = append(o.Pairs, webhook.Pair{From: pair[0], To: pair[1]})
	}
	for _, group := range c.Skip {
		o.Skip[webhook.Group(group)] = true
	}
	for _, s := range c.samples {
		if s.group == hub.Spec.Group && s.kind == hub.Spec.Names.Kind {
			o.Samples = append(o.Samples, s.tree)
		}
	}
	return o
}

// casesOf are the cases of objects that a CRD defines.
func (c *Conversions) casesOf(hub *apiextensions.CustomResourceDefinition) (all []webhook.Case) {
	for _, one := range c.cases {
		apiVersion, _ := one.Object["apiVersion"].(string)
		if strings.HasPrefix(apiVersion, hub.Spec.Group+"/") && one.Object["kind"] == hub.Spec.Names.Kind {
			all = append(all, one)
		}
	}
	return all
}

// save keeps the objects of findings, and adds the commands that try them again.
func (c *Conversions) save(hub *apiextensions.CustomResourceDefinition, result *webhook.Result) {
	numbers := map[string]int{}
	for i := range result.Findings {
		f := &result.Findings[i]
		if f.Object == nil {
			continue
		}
		pair := pairOf(f, result)
		name := strings.Join([]string{hub.Spec.Names.Plural, strings.TrimPrefix(f.Property.ID(), "webhook-"), pair.From, pair.To}, "-")
		numbers[name]++
		one := webhook.Case{Property: f.Property, Pair: pair, Object: f.Object, Edit: f.Edit}
		src, err := one.YAML(aboutCase(f, c.Seed)...)
		if err == nil {
			f.Replay = c.Save(fmt.Sprintf("%s-%d.yaml", name, numbers[name]), src)
		}
	}
}

// pairOf is the pair of a finding or, for one that is about each, one of the pairs that its object can be tried with.
func pairOf(f *webhook.Finding, result *webhook.Result) webhook.Pair {
	if f.Pair != (webhook.Pair{}) {
		return f.Pair
	}
	apiVersion, _ := f.Object["apiVersion"].(string)
	for _, pair := range result.Pairs {
		if strings.HasSuffix(apiVersion, "/"+pair.From) {
			return pair
		}
	}
	return f.Pair
}

// aboutCase are the lines in a case for its reader.
func aboutCase(f *webhook.Finding, seed uint64) []string {
	lines := []string{fmt.Sprintf("seed: %d", seed)}
	if f.Change != webhook.Unchanged {
		lines = append(lines, conversions.Became(f).String())
	} else if len(f.Path) > 0 {
		lines = append(lines, "at: "+conversions.FieldAt(f).String())
	}
	if f.Detail != "" {
		lines = append(lines, "error: "+f.Detail)
	}
	return lines
}
