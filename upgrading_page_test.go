package main

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/upgrading"
	"github.com/crdlift/crdlift/internal/upgrade"
)

// TestUpgradingPage holds the table of docs/internals/verdicts.md against the code that judges, and against what that foretells. In
// test/e2e, a server is held against it as well.
func TestUpgradingPage(t *testing.T) {
	t.Parallel()
	for _, row := range upgrading.Table(t, ".") {
		for _, u := range row.Upgrades {
			t.Run(u.Name, func(t *testing.T) {
				t.Parallel()
				was, is := serverOf(t, u.Was), serverOf(t, u.Is)
				if created := was.Version("v1").Create(u.Object); !created.Accepted() {
					t.Fatalf("the old CRD rejects the object: %+v", created.Causes)
				}
				tryRow(t, row, u, is.Version("v1"))
				foretell(t, row, u, upgrade.New(was, is, nil).Of(u.Object))
			})
		}
	}
}

func serverOf(t *testing.T, manifest []byte) *request.Server {
	t.Helper()
	decoded, err := crd.DecodeJSON(manifest, crd.V1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := request.New(decoded.Hub)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tryRow tries all writes of an object that is stored.
func tryRow(t *testing.T, row upgrading.Row, u upgrading.Upgrade, v *request.Version) {
	t.Helper()
	changed := func(change func(map[string]any)) request.Object {
		o := runtime.DeepCopyJSON(u.Object)
		change(o)
		return o
	}
	label := func(o map[string]any) { o["metadata"].(map[string]any)["labels"] = map[string]any{"touched": "yes"} }
	row.Touch.Hold(t, "a touch", upgrading.Part, verdict(t, v.Update(changed(label), u.Object)))
	row.Status.Hold(t, "the same status", upgrading.Elsewhere, verdict(t, v.UpdateStatus(u.Object, u.Object)))
	row.Status.Hold(t, "another status", upgrading.Part, verdict(t, v.UpdateStatus(changed(u.Status), u.Object)))
	row.Other.Hold(t, "a change inside", upgrading.Part, verdict(t, v.Update(changed(u.Inside), u.Object)))
	row.Other.Hold(t, "a change outside", upgrading.Elsewhere, verdict(t, v.Update(changed(u.Outside), u.Object)))
	row.Create.Hold(t, "a create", upgrading.Part, verdict(t, v.Create(u.Object)))
}

func verdict(t *testing.T, out *request.Outcome) upgrading.Verdict {
	t.Helper()
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	warned := slices.ContainsFunc(out.Warnings, func(w request.Warning) bool { return w.Kind == request.Ratcheted })
	return upgrading.Verdict{Refused: !out.Accepted(), Warned: warned, Why: out.Causes}
}

// foretell holds what is foretold of an object against a row.
func foretell(t *testing.T, row upgrading.Row, u upgrading.Upgrade, p *upgrade.Prospect) {
	t.Helper()
	if p.Err != nil {
		t.Fatal(p.Err)
	}
	want := upgrade.RefusedOnCreate
	switch {
	case row.Touch.Refused:
		want = upgrade.RefusedAlways
	case row.Status.Refused:
		want = upgrade.RefusedStatus
	case row.Other.Refused:
		want = upgrade.RefusedWhenChanged
	}
	if p.Worst() != want {
		t.Fatalf("foretold is %d, want %d", p.Worst(), want)
	}
	if worst := p.Effects[0]; worst.Scope.String() != u.Scope || worst.Status != (row.Touch.Refused && row.Status.Refused) {
		t.Errorf("foretold is that %q may not change; status %v", worst.Scope, worst.Status)
	}
}
