package serving

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

func init() {
	roles["leaver"] = func(address string) { // its child has a session of its own
		begin("serve", address, &syscall.SysProcAttr{Setsid: true})
		hang()
	}
	roles["daemon"] = func(address string) { // and its parent is gone
		begin("leaver and gone", address, nil)
		hang()
	}
	roles["leaver and gone"] = func(address string) { begin("stubborn", address, &syscall.SysProcAttr{Setsid: true}) }
	roles["deaf leaver"] = func(address string) { // which ends when its group is killed
		signal.Ignore(syscall.SIGTERM)
		begin("stubborn", address, &syscall.SysProcAttr{Setsid: true})
		for {
			time.Sleep(time.Hour)
		}
	}
	roles["leaver that ends"] = func(address string) { // when its child serves
		begin("serve", address, &syscall.SysProcAttr{Setsid: true})
		for !accepts(address) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(200 * time.Millisecond)
	}
	roles["parent that ends"] = func(address string) { // when its child in the group serves
		begin("serve", address, nil)
		for !accepts(address) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(200 * time.Millisecond)
	}
	roles["polite leaver"] = func(address string) { // whose child has something to do when it is asked to end
		begin("polite", address, &syscall.SysProcAttr{Setsid: true})
		hang()
	}
	roles["polite"] = func(address string) {
		go serve(address, 0)
		hang()
		time.Sleep(50 * time.Millisecond)
		fmt.Println("goodbye")
	}
	roles["orphans"] = func(address string) { // which end one after the other, in the group, while the command goes on
		for range 3 {
			begin("parent of one that ends", address, nil)
		}
		serve(address, 0)
	}
	roles["parent of one that ends"] = func(address string) { begin("ends", address, nil) }
	roles["ends"] = func(string) { time.Sleep(50 * time.Millisecond) }
}

// begin starts a process with a role, and does not wait for it.
func begin(role, address string, as *syscall.SysProcAttr) {
	child := exec.Command(os.Args[0], role, address)
	child.Stdout, child.Stderr, child.SysProcAttr = os.Stdout, os.Stderr, as
	if err := child.Start(); err != nil {
		panic(err)
	}
}

// TestOtherChildren leaves alone what a shell has started that crdlift takes the place of, and what crdlift runs otherwise.
func TestOtherChildren(t *testing.T) {
	for name, as := range map[string]*syscall.SysProcAttr{"of a shell before": {Setpgid: true}, "in the own group": nil} {
		t.Run(name, func(t *testing.T) {
			running.groups, running.before = nil, nil
			address := freeAddress(t)
			serve := func() *command {
				c, err := start(t.Context(), []string{os.Args[0], "serve", address}, address, nil, standard)
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			var c *command
			if as == nil {
				c = serve()
			}
			other := exec.Command(os.Args[0], "silent", "")
			other.SysProcAttr = as
			if err := other.Start(); err != nil {
				t.Fatal(err)
			}
			if as != nil {
				c = serve()
			}
			if err := c.stop(); err != nil {
				t.Error(err)
			}
			if err := other.Process.Signal(syscall.Signal(0)); err != nil {
				t.Errorf("it was ended: %v", err)
			}
			_ = other.Process.Kill()
			if err := other.Wait(); err == nil || err.Error() != "signal: killed" {
				t.Error(err)
			}
		})
	}
}

// TestStrays has commands whose processes leave the process group. Nothing of them is left.
func TestStrays(t *testing.T) {
	quick := standard
	quick.grace = 600 * time.Millisecond
	for role, endsByItself := range map[string]bool{
		"leaver": false, "polite leaver": false, "daemon": false, "deaf leaver": false, "leaver that ends": true, "parent that ends": true, "orphans": false,
	} {
		t.Run(role, func(t *testing.T) {
			address := freeAddress(t)
			var output lockedBuffer
			c, err := start(t.Context(), []string{os.Args[0], role, address}, address, &output, quick)
			if err != nil {
				t.Fatal(err)
			}
			if endsByItself {
				<-c.ended
				if accepts(address) {
					t.Error("what it has left accepts connections")
				}
			}
			if err := c.stop(); err != nil != endsByItself {
				t.Error(err)
			}
			if accepts(address) {
				t.Error("something accepts connections still")
			}
			if left := strays(); len(left) > 0 {
				t.Errorf("left are %v", left)
			}
			if role == "polite leaver" && !strings.HasSuffix(output.String(), "\ngoodbye\n") {
				t.Errorf("it was ended before it had ended: %q", output.String())
			}
		})
	}
}
