// Command clusterapi is the conversion webhook of Cluster API's kinds, those of kubeadm included, on a port of loopback: both the types
// and the handler are those that the project's own webhook has.
package main

import (
	"log"
	"net"
	"net/http"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	bootstrapbeta1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta1"
	bootstrapbeta2 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	planebeta1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta1"
	planebeta2 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	corebeta1 "sigs.k8s.io/cluster-api/api/core/v1beta1"
	corebeta2 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: clusterapi PORT")
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corebeta1.AddToScheme, corebeta2.AddToScheme, bootstrapbeta1.AddToScheme, bootstrapbeta2.AddToScheme,
		planebeta1.AddToScheme, planebeta2.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			log.Fatal(err)
		}
	}
	// On the way back, it looks in the cluster which version the kind of a reference has.
	versionOf := func(kind schema.GroupKind) (string, error) { return kind.Group + "/v1beta1", nil }
	corebeta1.SetAPIVersionGetter(versionOf)
	planebeta1.SetAPIVersionGetter(versionOf)
	log.Fatal(http.ListenAndServe(net.JoinHostPort("127.0.0.1", os.Args[1]), conversion.NewWebhookHandler(scheme)))
}
