package crds

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"
)

// certificate makes a certificate in PEM that ends at a time.
func certificate(t *testing.T, end time.Time) []byte {
	t.Helper()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: end.AddDate(-1, 0, 0), NotAfter: end}
	der, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	end := time.Date(2030, 6, 1, 0, 0, 0, 0, time.UTC)
	bundle := certificate(t, end)
	for _, c := range []struct {
		name, want string
		bundle     []byte
		at         time.Time
	}{
		{"long before", "", bundle, end.AddDate(0, -2, 0)},
		{"soon", "expires on 2030-06-01", bundle, end.AddDate(0, 0, -29)},
		{"afterwards", "expired on 2030-06-01", bundle, end.AddDate(0, 0, 1)},
		{"another one lasts", "", append(certificate(t, end.AddDate(5, 0, 0)), bundle...), end.AddDate(0, 0, 1)},
		{"no certificate", "", []byte("\n"), end},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := Expiry(c.bundle, c.at)
			if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
