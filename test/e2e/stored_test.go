package e2e

import (
	"context"
	"fmt"
	"os"
	"path"
	"strconv"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// etcd is a client of the one etcd, for what no server would show.
var etcd = sync.OnceValues(func() (*clientv3.Client, error) {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{os.Getenv(etcdURLVariable)}})
	if err == nil {
		atEnd(func() { client.Close() })
	}
	return client, err
})

// key is where an object of a CRD is in etcd, or with an empty name what the keys of all of them begin with.
func (r *resources) key(name string) string {
	folder := path.Join("/", r.server.prefix, r.crd.Spec.Group, r.crd.Spec.Names.Plural)
	if r.crd.Spec.Scope == v1.NamespaceScoped {
		folder = path.Join(folder, "default")
	}
	return folder + "/" + name
}

// stored is an object as it is in etcd.
func (r *resources) stored(name string) (map[string]any, error) {
	raw, err := r.raw(name)
	if err != nil {
		return nil, err
	}
	return decodedJSON(raw)
}

func decodedJSON(raw []byte) (object map[string]any, err error) {
	return object, utiljson.Unmarshal(raw, &object)
}

// raw are the bytes of an object in etcd.
func (r *resources) raw(name string) ([]byte, error) {
	client, err := etcd()
	if err != nil {
		return nil, err
	}
	found, err := client.Get(context.Background(), r.key(name))
	if err == nil && len(found.Kvs) != 1 {
		err = fmt.Errorf("%d objects at %s", len(found.Kvs), r.key(name))
	}
	if err != nil {
		return nil, err
	}
	return found.Kvs[0].Value, nil
}

// putBack makes an object what it was, which its CRD may reject by now. It returns the resourceVersion.
func (r *resources) putBack(name string, raw []byte) (string, error) {
	client, err := etcd()
	if err != nil {
		return "", err
	}
	put, err := client.Put(context.Background(), r.key(name), string(raw))
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(put.Header.Revision, 10), nil
}

// takeOut takes one object out of etcd.
func (r *resources) takeOut(name string) error {
	client, err := etcd()
	if err == nil {
		_, err = client.Delete(context.Background(), r.key(name))
	}
	return err
}

// forget takes all objects out of etcd: those with finalizers would stay otherwise, and those that their CRD rejects by
// now could not even lose them.
func (r *resources) forget() error {
	client, err := etcd()
	if err != nil {
		return err
	}
	_, err = client.Delete(context.Background(), r.key(""), clientv3.WithPrefix())
	return err
}
