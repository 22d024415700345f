package e2e

import (
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
)

// TestV1 gives our conversions of v1beta1 manifests to today's server, which must take every one as it is.
func TestV1(t *testing.T) {
	check(t, crd.V1beta1, today(t).checkV1)
}

func (s *server) checkV1(m *crdManifest, tally *tally) error {
	for _, chosen := range []policy.Policy{policy.Exact, policy.Idiomatic} {
		made, manifest, err := m.converted(policy.Options{Policy: chosen, UnapprovedAPI: true})
		switch {
		case err != nil:
			tally.fail(string(chosen)+": cannot be converted", m, err.Error())
			continue
		case manifest == nil:
			tally.count(string(chosen)+": left to a person", 1, m, ": ", made.Notes[0].Message)
			continue
		}
		created, err := s.createCRD("v1", manifest)
		if err != nil {
			return err
		}
		if !created.ok() {
			tally.fail(string(chosen)+": rejected by 1.37", m, created.reason())
			continue
		}
		tally.count(string(chosen)+": created on 1.37", 1)
		if err := s.checkStored(m, made, manifest, tally); err != nil {
			return err
		}
	}
	return nil
}

// checkStored reads back a CRD that was just created, and deletes it.
func (s *server) checkStored(m *crdManifest, made convert.CRD, manifest []byte, tally *tally) (err error) {
	defer s.deleteBehind(made.Name, &err)
	stored, err := s.readCRD(made.Name)
	if err != nil {
		return err
	}
	ours, err := asV1(manifest, crd.V1)
	if err != nil {
		return err
	}
	at, err := difference(stored, ours, nil)
	if err != nil {
		return err
	}
	if at != "" {
		tally.differs("read back from 1.37 it is something else", m, at)
		return nil
	}
	tally.count("read back from 1.37 equal", 1)
	return nil
}
