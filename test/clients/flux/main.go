// Command flux applies a manifest as Flux' kustomize-controller does: flux MANIFEST.
package main

import (
	"context"
	"flag"
	"log"
	"os"

	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/utils"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	migrate := flag.Bool("migrate", false, "brings managedFields to the version of the manifest first")
	flag.Parse()
	if err := apply(flag.Arg(0), *migrate); err != nil {
		log.Fatal(err)
	}
}

func apply(path string, migrate bool) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	c, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	objects, err := utils.ReadObjects(file)
	if err != nil {
		return err
	}
	options := ssa.DefaultApplyOptions()
	options.MigrateAPIVersion = migrate
	// As kustomize-controller does: what kubectl has applied becomes its own.
	options.Cleanup.FieldManagers = []ssa.FieldManager{
		{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
		{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
		{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
	}
	_, err = ssa.NewResourceManager(c, nil, ssa.Owner{Field: "kustomize-controller"}).ApplyAll(context.Background(), objects, options)
	return err
}
