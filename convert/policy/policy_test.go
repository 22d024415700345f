package policy

import (
	"reflect"
	"strings"
	"testing"
)

// TestSettings sets each setting alone: together they are all the options, each under its own name.
func TestSettings(t *testing.T) {
	t.Parallel()
	changed := map[string]bool{}
	for _, s := range Settings() {
		if (s.Word == nil) != (s.Words == nil) || (s.Word == nil) == (s.Switch == nil) {
			t.Fatalf("%s is neither a choice nor a switch, or both", s.Key)
		}
		var from, to Options
		if s.Word != nil {
			*s.Word(&from) = s.Words[len(s.Words)-1]
		} else {
			*s.Switch(&from) = true
		}
		s.Copy(&to, from)
		if to != from || to == (Options{}) {
			t.Errorf("%s: %+v was copied as %+v", s.Key, from, to)
		}
		value := reflect.ValueOf(to)
		for i := range value.NumField() {
			if name, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ","); !value.Field(i).IsZero() {
				if name != s.Key || changed[name] {
					t.Errorf("%s sets %s, or is not alone in that", s.Key, name)
				}
				changed[name] = true
			}
		}
	}
	if n := reflect.TypeFor[Options]().NumField(); len(changed) != n {
		t.Errorf("there are settings for %d of %d options", len(changed), n)
	}
}

// TestCheck takes every word that a setting lists, and no other.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, s := range Settings() {
		if s.Word == nil {
			continue
		}
		for _, word := range append([]string{""}, s.Words...) {
			var o Options
			*s.Word(&o) = word
			if err := o.Check(); err != nil {
				t.Error(err)
			}
		}
		var o Options
		*s.Word(&o) = "none of them"
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), s.Name) {
			t.Errorf("%s: got %v", s.Name, err)
		}
	}
}

func TestDecided(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ given, want Options }{
		{Options{}, Options{To: V1, Policy: Exact, UnknownFields: Preserve, MissingTypes: PreserveUntyped, OnLoss: ReportLoss}},
		{Options{Policy: Idiomatic}, Options{To: V1, Policy: Idiomatic, UnknownFields: Prune, MissingTypes: Infer, OnLoss: ReportLoss}},
		{Options{Policy: Idiomatic, UnknownFields: Root}, Options{To: V1, Policy: Idiomatic, UnknownFields: Root, MissingTypes: Infer, OnLoss: ReportLoss}},
		{Options{To: V1beta1, OnLoss: DropLoss, KeepStatus: true, MissingTypes: Infer},
			Options{To: V1beta1, Policy: Exact, UnknownFields: Preserve, MissingTypes: Infer, KeepStatus: true, OnLoss: DropLoss}},
	} {
		if got := test.given.Decided(); got != test.want {
			t.Errorf("%+v is decided as %+v, want %+v", test.given, got, test.want)
		}
	}
}
