package overview

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
)

// maxCount bounds numbers in reports, so that their sums are numbers, too.
const maxCount = 1 << 31

var (
	// ErrNoReport is what Read says of JSON that no command of crdlift wrote.
	ErrNoReport = errors.New("is not a report of crdlift: it has neither findings nor plans")
	// ErrOverview is what Read says of JSON that crdlift report wrote.
	ErrOverview = errors.New("was written by crdlift report; name the reports of runs instead")
)

// Read reads reports in JSON, one after the other, and hands them on: those that docs/schema/findings.json and
// docs/schema/plan.json describe. Members that it does not know are skipped, whatever version of crdlift wrote them. A
// finding at a time is in memory, besides what an overview keeps. The name is that of a report that does not say which
// repository it is about. Errors are those of the reader, and texts that are no reports of version 1.
func Read(in io.Reader, name string, handOn func(*Run)) error {
	text := bufio.NewReader(in)
	if mark, err := text.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, _ = text.Discard(len(byteOrderMark)) // which are there
	}
	d := json.NewDecoder(text)
	for n := 0; ; n++ {
		r := &reading{Run: &Run{Name: name}, decoder: d}
		err := r.report()
		if errors.Is(err, io.EOF) && n > 0 {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return errors.New("is empty")
		}
		if err != nil {
			return err
		}
		if r.Repository != "" {
			r.Name = r.Repository
		}
		handOn(r.Run)
	}
}

// byteOrderMark is what some editors and shells begin a text with.
const byteOrderMark = "\ufeff"

// A reading is a report while it is read.
type reading struct {
	*Run
	decoder  *json.Decoder
	version  int
	known    bool // it has findings or plans
	overview bool // it has repositories
}

// report reads the next report; io.EOF where there is none.
func (r *reading) report() error {
	t, err := r.decoder.Token()
	if err != nil {
		return inJSON(err)
	}
	if t != json.Delim('{') {
		return ErrNoReport
	}
	for r.decoder.More() {
		name, err := r.decoder.Token()
		if err != nil {
			return cut(inJSON(err))
		}
		if err := r.member(name.(string)); err != nil { // the key of a member is a string
			return cut(err)
		}
	}
	if _, err := r.decoder.Token(); err != nil {
		return cut(inJSON(err))
	}
	switch {
	case !r.known && r.overview:
		return ErrOverview
	case !r.known:
		return ErrNoReport
	case r.version == 0:
		return fmt.Errorf("is not a report of crdlift: it has no version")
	case r.version != report.ContractVersion:
		return fmt.Errorf("is a report of version %d, and this crdlift reads version %d; update crdlift", r.version, report.ContractVersion)
	case r.Migration != nil && r.Migration.To != "v1" && r.Migration.To != "v1beta1":
		return fmt.Errorf("migration.to is %q, and neither v1 nor v1beta1", r.Migration.To)
	}
	return nil
}

// member reads the value of a member of the report.
func (r *reading) member(name string) error {
	if to, plain := map[string]any{
		"version": &r.version, "crdlift": &r.Crdlift, "command": &r.Command, "repository": &r.Repository, "filesURL": &r.FilesURL,
		"against": &r.Against, "target": &r.New, "migration": &r.Migration,
	}[name]; plain {
		return r.value(name, to)
	}
	switch name {
	case "summary":
		return r.summary()
	case "leftOut":
		return r.leftOut()
	case "crds":
		return list(r.decoder, name, func(c lint.CRD) error { r.CRDs = append(r.CRDs, c); return nil })
	case "coverage":
		return list(r.decoder, name, func(c lint.Coverage) error { r.Coverage = append(r.Coverage, c); return nil })
	case "added":
		return list(r.decoder, name, func(a lint.Addition) error { r.Added = append(r.Added, a); return nil })
	case "repositories":
		r.overview = true
	case "plans":
		r.known, r.Command = true, "plan"
		return list(r.decoder, name, func(p plan.Plan) error {
			if len(p.CRDs) == 0 {
				return errors.New("the plan has no CRD; write it again with 'crdlift plan --output json'")
			}
			r.Plans = append(r.Plans, &p)
			return nil
		})
	case "findings":
		r.known = true
		return list(r.decoder, name, func(f finding) error { return r.finding(&f) })
	}
	return inJSON(r.decoder.Decode(&json.RawMessage{})) // which is passed over
}

// summary reads the counts that do not follow from the findings.
func (r *reading) summary() error {
	var s struct {
		Files int `json:"files"`
		*Objects
		*Cases
		Conversions *lint.Conversions `json:"conversions"`
	}
	if err := r.value("summary", &s); err != nil {
		return err
	}
	numbers := []int{s.Files}
	if o := s.Objects; o != nil {
		numbers = slices.AppendSeq(append(numbers, o.Judged, o.Refused, o.Unjudged), maps.Values(o.Upgrade))
	}
	if c := s.Conversions; c != nil {
		numbers = append(numbers, c.Tested, c.Objects)
	}
	if c := s.Cases; c != nil {
		numbers = append(numbers, c.All, c.Failed, c.Skipped)
	}
	if slices.ContainsFunc(numbers, func(n int) bool { return n < 0 || n > maxCount }) {
		return errors.New("summary has a number that is negative, or more than there can be")
	}
	r.Files, r.Run.Objects, r.Run.Conversions, r.Run.Cases = s.Files, s.Objects, s.Conversions, s.Cases
	return nil
}

// leftOut reads how many findings the run only counted.
func (r *reading) leftOut() error {
	var all map[lint.Role]struct {
		Count int `json:"count"`
	}
	if err := r.value("leftOut", &all); err != nil {
		return err
	}
	r.LeftOut = LeftOut{}
	for _, role := range lint.Roles() {
		n := all[role].Count
		if n < 0 || n > maxCount {
			return errors.New("leftOut has a number that is negative, or more than there can be")
		}
		if n > 0 {
			r.LeftOut[role] = n
		}
	}
	return nil
}

func (r *reading) value(name string, to any) error {
	if err := r.decoder.Decode(to); err != nil {
		return fmt.Errorf("%s: %w", name, inJSON(err))
	}
	return nil
}

// list reads a list, an item at a time.
func list[T any](d *json.Decoder, name string, take func(T) error) error {
	t, err := d.Token()
	if err != nil {
		return fmt.Errorf("%s: %w", name, inJSON(err))
	}
	if t != json.Delim('[') {
		return fmt.Errorf("%s is not a list", name)
	}
	for i := 0; d.More(); i++ {
		var item T
		if err := d.Decode(&item); err != nil {
			return fmt.Errorf("%s[%d]: %w", name, i, inJSON(err))
		}
		if err := take(item); err != nil {
			return fmt.Errorf("%s[%d]: %w", name, i, err)
		}
	}
	if _, err = d.Token(); err != nil {
		return fmt.Errorf("%s: %w", name, inJSON(err))
	}
	return nil
}

// inJSON says what is wrong with a text, where Go's words speak of Go's types.
func inJSON(err error) error {
	var wrongType *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrongType):
		return fmt.Errorf("%s is a %s, which no report of crdlift has there", cmp.Or(wrongType.Field, "it"), wrongType.Value)
	case errors.As(err, &syntax):
		return fmt.Errorf("is not JSON: byte %d: %w", syntax.Offset, err)
	}
	return err
}

// cut says of a text that ends too early that it does.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("ends in the middle of a report")
	}
	return err
}
