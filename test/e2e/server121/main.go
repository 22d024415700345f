// Command server121 runs the last API server that served apiextensions.k8s.io/v1beta1: it links
// k8s.io/apiextensions-apiserver v0.21.14 and starts it on 127.0.0.1, as upstream's own integration tests do.
//
// It is a module and a process of its own because one Go program cannot link two versions of a module. The tests in
// the folder above start it. It finds etcd by the environment variable that upstream's fixtures read,
// KUBE_INTEGRATION_ETCD_URL, prints one line of JSON that says how to reach it, and ends when its standard input does:
// a test that is killed leaves no server behind.
package main

import (
	"encoding/json"
	"flag"
	"io"
	"log"
	"os"

	"k8s.io/apiextensions-apiserver/test/integration/fixtures"
	"k8s.io/klog/v2"
)

// An access is what a client needs to know. The token belongs to this process and is worth nothing after it.
type access struct {
	URL        string `json:"url"`
	Token      string `json:"token"`
	CA         []byte `json:"ca"`         // PEM
	ServerName string `json:"serverName"` // what the server's certificate is for
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("server121: ")
	// Every request is logged otherwise, and every CRD that comes and goes.
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "alsologtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			log.Fatal(err)
		}
	}
	klog.SetOutput(io.Discard)

	stop, config, _, err := fixtures.StartDefaultServer(quiet{})
	if err != nil {
		log.Fatal(err)
	}
	out, err := json.Marshal(access{config.Host, config.BearerToken, config.CAData, config.ServerName})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(append(out, '\n')); err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		log.Print(err)
	}
	stop()
}

// quiet is the fixtures' logger. What it says on the way is of no interest.
type quiet struct{}

func (quiet) Logf(string, ...interface{})               {}
func (quiet) Errorf(format string, args ...interface{}) { log.Printf(format, args...) }
func (quiet) Fatalf(format string, args ...interface{}) { log.Fatalf(format, args...) }
