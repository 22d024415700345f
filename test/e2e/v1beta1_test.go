package e2e

import (
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
)

// TestV1beta1 gives the last server of v1beta1 manifests of that version, reads them back as v1, and compares with what
// our conversion means; then it updates the CRD to our conversion, with custom resources in it.
func TestV1beta1(t *testing.T) {
	check(t, crd.V1beta1, last(t).checkV1beta1)
}

// checkV1beta1 does so for one CRD. The error is about the server and not about the CRD.
func (s *server) checkV1beta1(m *crdManifest, tally *tally) (err error) {
	created, err := s.createCRD("v1beta1", m.json)
	if err != nil {
		return err
	}
	decoded, decodeErr := crd.DecodeJSON(m.json, crd.V1beta1)
	judged := decodeErr == nil && apiserver.OnCreate(decoded.Hub, crd.V1beta1).Accepted()
	if judged != created.ok() {
		tally.differs("1.21 and the v1beta1 judge disagree", m, created.reason())
	}
	if !created.ok() {
		tally.count("rejected by 1.21 as v1beta1", 1, m, ": ", created.reason())
		return nil
	}
	defer s.deleteBehind(m.name, &err)
	tally.count("created on 1.21 as v1beta1", 1)
	stored, err := s.readCRD(m.name)
	if err != nil {
		return err
	}
	plain, err := asV1(m.json, crd.V1beta1)
	if err != nil {
		return err
	}
	at, err := difference(stored, plain, nil)
	switch {
	case err != nil:
		return err
	case at != "":
		tally.differs("read back as v1 it is not what upstream's conversion makes here", m, at)
	default:
		tally.count("read back as v1 equal to upstream's conversion here", 1)
	}

	made, manifest, err := m.converted(policy.Options{UnapprovedAPI: true})
	if err != nil {
		tally.fail("cannot be converted", m, err.Error())
		return nil
	}
	if manifest == nil {
		tally.count("left to a person: "+made.Notes[0].ID, 1, m, ": ", made.Notes[0].Message)
		return nil
	}
	ours, err := asV1(manifest, crd.V1)
	if err != nil {
		return err
	}
	at, err = difference(stored, ours, noted(made.Notes))
	switch {
	case err != nil:
		return err
	case at != "":
		tally.differs("read back as v1 it is not what we make of it", m, at)
	default:
		tally.count("read back as v1 equal to ours but for what notes say", 1)
	}
	return s.checkUpgrade(m, stored, tally)
}
