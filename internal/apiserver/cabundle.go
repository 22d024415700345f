package apiserver

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/util/webhook"
)

// UsableCABundle reports whether a webhook's caBundle, decoded, holds a certificate to trust. A CRD with one that holds
// none can be created, but from Kubernetes 1.31 on it is never Established (ValidateCABundle, which the establishing
// controller asks). Certificates that do not parse are passed over where another one does.
func UsableCABundle(bundle []byte) bool {
	return len(webhook.ValidateCABundle(field.NewPath("caBundle"), bundle)) == 0
}
