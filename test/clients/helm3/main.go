// Command helm3 does to a cluster what Helm 3 does when a release with one manifest follows one with another: helm3 OLD NEW, of
// which OLD is empty for what the release did not have before.
package main

import (
	"bytes"
	"log"
	"os"

	"helm.sh/helm/v3/pkg/kube"
)

func main() {
	kube.ManagedFieldsManager = "helm"
	client := kube.New(nil)
	if _, err := client.Update(read(client, os.Args[1]), read(client, os.Args[2]), false); err != nil {
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
