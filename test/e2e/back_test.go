package e2e

import (
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
)

// TestBack gives the last server of v1beta1 our conversions of v1 manifests, reads them back as v1 and compares with
// what the manifests meant.
func TestBack(t *testing.T) {
	check(t, crd.V1, last(t).checkBack)
}

func (s *server) checkBack(m *crdManifest, tally *tally) (err error) {
	made, manifest, err := m.converted(policy.Options{To: policy.V1beta1, OnLoss: policy.DropLoss})
	if err != nil {
		tally.fail("cannot be converted", m, err.Error())
		return nil
	}
	if manifest == nil {
		tally.count("left to a person: "+made.Notes[0].ID, 1, m, ": ", made.Notes[0].Message)
		return nil
	}
	if made.State != policy.Converted {
		tally.count("a part of a CRD, and left as it is", 1)
		return nil
	}
	created, err := s.createCRD("v1beta1", manifest)
	if err != nil {
		return err
	}
	if !created.ok() {
		tally.fail("rejected by 1.21 as v1beta1", m, created.reason())
		return nil
	}
	defer s.deleteBehind(made.Name, &err)
	tally.count("created on 1.21 as v1beta1", 1)
	stored, err := s.readCRD(made.Name)
	if err != nil {
		return err
	}
	meant, err := asV1(m.json, crd.V1)
	if err != nil {
		return err
	}
	excused := noted(made.Notes)
	at, err := difference(meant, stored, excused)
	switch {
	case err != nil:
		return err
	case at != "":
		tally.differs("read back as v1 it is not what it was", m, at)
	case len(excused) == 0:
		tally.count("read back as v1 equal to the input", 1)
	default:
		tally.count("read back as v1 equal to the input but for what notes say", 1)
	}
	return nil
}
