// Command helm4 does to a cluster what Helm 4 does when a release with one manifest follows one with another: helm4 OLD NEW, of
// which OLD is empty for what the release did not have before.
package main

import (
	"bytes"
	"flag"
	"log"
	"os"

	"helm.sh/helm/v4/pkg/kube"
)

func main() {
	serverSide := flag.Bool("server-side", true, "as helm upgrade has it")
	force := flag.Bool("force-conflicts", false, "as helm upgrade has it")
	upgrade := flag.Bool("was-client-side", false, "the release before was applied on the side of the client")
	flag.Parse()
	kube.ManagedFieldsManager = "helm"
	client := kube.New(nil)
	_, err := client.Update(read(client, flag.Arg(0)), read(client, flag.Arg(1)),
		kube.ClientUpdateOptionServerSideApply(*serverSide, *force), kube.ClientUpdateOptionUpgradeClientSideFieldManager(*upgrade))
	if err != nil {
		log.Fatal(err)
	}
}

func read(client *kube.Client, path string) kube.ResourceList {
	if path == "" {
		return nil
	}
	manifest, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	resources, err := client.Build(bytes.NewReader(manifest), false)
	if err != nil {
		log.Fatal(err)
	}
	return resources
}
