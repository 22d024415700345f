package main

import (
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/crdlift/crdlift/internal/testing/webhooks"
)

// webhook is the script command `webhook [-tls] [FAULT]`: it serves a conversion webhook, right or with a fault, until the script
// ends. Its address is $URL, with the host and port in $ADDRESS, and its CRD is gadgets.yaml; with -tls, ca.crt has its certificate.
func webhook(ts *testscript.TestScript, neg bool, args []string) {
	tls := len(args) > 0 && args[0] == "-tls"
	if tls {
		args = args[1:]
	}
	if neg || len(args) > 1 {
		ts.Fatalf("usage: webhook [-tls] [FAULT]")
	}
	fault := ""
	if len(args) > 0 {
		fault = args[0]
	}
	server := httptest.NewUnstartedServer(webhooks.Handler(fault))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if tls {
		server.StartTLS()
		ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
		ts.Check(os.WriteFile(ts.MkAbs("ca.crt"), ca, 0o644))
	} else {
		server.Start()
	}
	ts.Defer(server.Close)
	ts.Setenv("URL", server.URL+"/convert")
	ts.Setenv("ADDRESS", server.Listener.Addr().String())
	ts.Check(os.WriteFile(ts.MkAbs("gadgets.yaml"), webhooks.CRD, 0o644))
}

// freePort is the script command `freeport`: $ADDRESS is one of this machine that nothing serves.
func freePort(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: freeport")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv("ADDRESS", l.Addr().String())
	ts.Check(l.Close())
	ts.Check(os.WriteFile(ts.MkAbs("gadgets.yaml"), webhooks.CRD, 0o644))
}

// serveWebhook is the program `conversion-webhook ADDRESS [FAULT]`.
func serveWebhook() {
	fault := ""
	if len(os.Args) > 2 {
		fault = os.Args[2]
	}
	fmt.Fprintln(os.Stderr, http.ListenAndServe(os.Args[1], webhooks.Handler(fault)))
	os.Exit(1)
}
