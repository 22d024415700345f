package apiserver_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/testing/v121"
	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// An opinion is a verdict in terms that v0.21.14 and the profile share.
type opinion struct {
	refused bool
	decode  string          // why it could not be read
	panics  string          // the server answers 500
	errors  []string        // "rule at field", sorted, each once; at paths of the internal type
	rows    []apiserver.Row // sorted, each once
}

func (o opinion) String() string {
	switch {
	case o.decode != "":
		return "decoding: " + o.decode
	case o.panics != "":
		return "panic: " + strings.SplitN(o.panics, "\n", 2)[0]
	case !o.refused:
		return "accepted"
	}
	return strings.Join(o.errors, "; ")
}

// finer is the part of a path that the two need not agree on: 0.21 leaves out the index of an owner reference, and of
// the errors in the value of a default both tell one, by the order of a Go map.
var finer = regexp.MustCompile(`^(metadata\.ownerReferences)\[\d+\]|(\.default)[.\[].*`)

func opinionOf(errs field.ErrorList) opinion {
	var o opinion
	for _, err := range errs {
		row, rule := apiserver.Classify(err)
		o.errors = append(o.errors, rule+" at "+finer.ReplaceAllString(err.Field, "$1$2"))
		o.rows = append(o.rows, row)
	}
	o.refused = len(errs) > 0
	slices.Sort(o.errors)
	slices.Sort(o.rows)
	o.errors, o.rows = slices.Compact(o.errors), slices.Compact(o.rows)
	return o
}

// quick is the judgement with shortcuts.
func quick(hub *apiextensions.CustomResourceDefinition, version crd.Version) apiserver.Verdict {
	return fast.OnCreate(hub, version).Verdict
}

// profile is the opinion of the package under test, or of package fast.
func profile(c *crd.CRD, judge func(*apiextensions.CustomResourceDefinition, crd.Version) apiserver.Verdict) opinion {
	d, err := c.Decode()
	if err != nil {
		return opinion{refused: true, decode: err.Error()}
	}
	v := judge(d.Hub, c.Version)
	o := opinionOf(v.Errors)
	if v.Panic != "" {
		o.panics, o.refused = v.Panic, true
	}
	return o
}

// server is the opinion of v0.21.14.
func server(judge *v121.Judge, c *crd.CRD) (opinion, error) {
	raw, err := yaml11.ToJSON(c.Node)
	if err != nil {
		return opinion{}, err
	}
	v, err := judge.Judge(raw)
	if err != nil {
		return opinion{}, err
	}
	var errs field.ErrorList
	for _, e := range v.Errors {
		err := &field.Error{Type: field.ErrorType(e.Type), Field: e.Field, Detail: e.Detail}
		apiserver.Unswap(err)
		errs = append(errs, err)
	}
	o := opinionOf(errs)
	o.decode, o.panics, o.refused = v.DecodeError, v.Panic, !v.Accepted
	return o, nil
}

// A record counts how often the profile and v0.21.14 agreed, and which rows came up.
type record struct {
	asked, refused, undecodable int
	verdicts, lists             int // of them differ
	rows                        map[apiserver.Row]int
}

var errDiffers = errors.New("differs")

// sameQuick wants shortcuts to make no difference.
func sameQuick(c *crd.CRD, full opinion) error {
	if got := profile(c, quick); got.String() != full.String() {
		return fmt.Errorf("%w: with shortcuts it is %v\n  in full: %v", errDiffers, got, full)
	}
	return nil
}

// compare asks both about one CRD.
func (r *record) compare(judge *v121.Judge, c *crd.CRD) error {
	want, err := server(judge, c)
	if err != nil {
		return err
	}
	got := profile(c, apiserver.OnCreate)
	if err := sameQuick(c, got); err != nil {
		return err
	}
	r.asked++
	if want.refused {
		r.refused++
	}
	if want.decode != "" {
		r.undecodable++
	}
	if r.rows == nil {
		r.rows = map[apiserver.Row]int{}
	}
	for _, row := range want.rows {
		r.rows[row]++
	}
	switch {
	case got.refused != want.refused:
		r.verdicts++
		return fmt.Errorf("%w: the verdict\n  profile: %v\n  server:  %v", errDiffers, got, want)
	case (got.decode != "") != (want.decode != ""), (got.panics != "") != (want.panics != ""), !slices.Equal(got.errors, want.errors):
		r.lists++
		return fmt.Errorf("%w: the errors\n  profile only: %v\n  server only:  %v", errDiffers, without(got, want), without(want, got))
	}
	return nil
}

func without(a, b opinion) string {
	if a.decode+a.panics != "" || b.decode+b.panics != "" {
		return a.String()
	}
	rest := slices.DeleteFunc(slices.Clone(a.errors), func(e string) bool { return slices.Contains(b.errors, e) })
	return strings.Join(rest, "; ")
}

func (r *record) log(t *testing.T, what string) {
	t.Logf("%s: %d judged, %d rejected (%.0f%%), %d of them unreadable; verdicts that differ: %d, error lists that differ: %d",
		what, r.asked, r.refused, 100*float64(r.refused)/float64(max(r.asked, 1)), r.undecodable, r.verdicts, r.lists)
}
