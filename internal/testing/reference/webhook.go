package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/crdlift/crdlift/internal/testing/webhooks"
)

// serve is a correct conversion webhook, for `crdlift webhook test`. It prints its address, and ends with its input.
func serve() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/convert\n", l.Addr())
	server := &http.Server{Handler: webhooks.Handler("")}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = server.Close()
	}()
	if err := server.Serve(l); err != http.ErrServerClosed {
		return err
	}
	return nil
}
