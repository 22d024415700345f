// Command manager has a manager of controller-runtime reconcile shelves: manager NUMBER. It creates so many, changes and deletes
// them all, and waits each time until the controller has done its part with every one.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	namespace = "manager"
	finalizer = "kubectl.example.org/books"
)

func main() {
	number, err := strconv.Atoi(os.Args[1])
	if err == nil {
		err = run(ctrl.SetupSignalHandler(), number)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, number int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	scheme := runtime.NewScheme()
	version := schema.GroupVersion{Group: "kubectl.example.org", Version: "v1"}
	scheme.AddKnownTypes(version, &Shelf{}, &ShelfList{})
	metav1.AddToGroupVersion(scheme, version)
	config := ctrl.GetConfigOrDie()
	config.QPS = -1 // as fast as the server answers
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).For(&Shelf{}).WithOptions(controller.Options{MaxConcurrentReconciles: 10}).
		Complete(&reconciler{manager.GetClient()})
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	err = use(ctx, manager, number)
	cancel()
	if failed := <-ended; err == nil {
		err = failed
	}
	return err
}

// use does what users do.
func use(ctx context.Context, manager ctrl.Manager, number int) error {
	c, begun := manager.GetClient(), time.Now()
	done := func(what string) {
		fmt.Printf("%s %d: %.1f s\n", what, number, time.Since(begun).Seconds())
		begun = time.Now()
	}
	if err := each(number, func(name string) error {
		shelf := &Shelf{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: ShelfSpec{Class: "fast"}}
		if err := c.Create(ctx, shelf); err != nil {
			return err
		}
		if shelf.Spec.Boards != 1 || shelf.Generation != 1 || shelf.UID == "" {
			return fmt.Errorf("created %s as %+v", name, shelf)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := settled(ctx, manager, number, 1); err != nil {
		return err
	}
	done("created")
	if err := each(number, func(name string) error {
		return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
			shelf := &Shelf{}
			if err := manager.GetAPIReader().Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, shelf); err != nil {
				return err
			}
			shelf.Spec.Boards, shelf.Status.Boards = 2, 100 // the status is not theirs
			return c.Update(ctx, shelf)
		})
	}); err != nil {
		return err
	}
	if err := settled(ctx, manager, number, 2); err != nil {
		return err
	}
	done("updated")
	if err := c.DeleteAllOf(ctx, &Shelf{}, client.InNamespace(namespace)); err != nil {
		return err
	}
	if err := settled(ctx, manager, 0, 0); err != nil {
		return err
	}
	done("deleted")
	return nil
}

// each does something with every shelf, ten at a time.
func each(number int, do func(name string) error) error {
	var group errgroup.Group
	group.SetLimit(10)
	for i := range number {
		group.Go(func() error { return do(fmt.Sprintf("shelf-%d", i)) })
	}
	return group.Wait()
}

// settled waits until the cache has so many shelves, the controller has seen each in this generation, and the server says the same.
func settled(ctx context.Context, manager ctrl.Manager, number int, generation int64) error {
	seen := func(from client.Reader) (bool, error) {
		var list ShelfList
		if err := from.List(ctx, &list, client.InNamespace(namespace)); err != nil {
			return false, err
		}
		for _, shelf := range list.Items {
			if shelf.Generation > generation && generation > 0 {
				return false, fmt.Errorf("%s is of generation %d", shelf.Name, shelf.Generation)
			}
			if shelf.Generation != generation || shelf.Status.ObservedGeneration != generation || shelf.Status.Boards != shelf.Spec.Boards {
				return false, nil
			}
		}
		return len(list.Items) == number, nil
	}
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		ok, err := seen(manager.GetClient())
		if ok {
			ok, err = seen(manager.GetAPIReader())
		}
		if ok || err != nil {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("generation %d of %d shelves: not within 2 minutes", generation, number)
		}
	}
}

// A reconciler keeps the status of shelves, and books from staying behind.
type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	shelf := &Shelf{}
	if err := r.Get(ctx, request.NamespacedName, shelf); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !shelf.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(shelf, finalizer)
		return ctrl.Result{}, client.IgnoreNotFound(r.Update(ctx, shelf))
	}
	if read := shelf.DeepCopyObject().(*Shelf); controllerutil.AddFinalizer(shelf, finalizer) {
		if err := r.Patch(ctx, shelf, client.MergeFrom(read)); err != nil {
			return ctrl.Result{}, err
		}
	}
	if shelf.Status.ObservedGeneration == shelf.Generation {
		return ctrl.Result{}, nil
	}
	shelf.Status = ShelfStatus{Boards: shelf.Spec.Boards, ObservedGeneration: shelf.Generation}
	return ctrl.Result{}, r.Status().Update(ctx, shelf)
}
