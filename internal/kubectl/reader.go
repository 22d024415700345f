package kubectl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"
)

// A Reader reads a cluster: its CRDs, their objects, the Services that CRDs name as webhooks, and its storage migrations.
type Reader struct {
	Command     []string      // the user's kubectl, with the flags that say which cluster: kubectl --context prod
	Groups      []string      // of the CRDs; none for all
	Namespace   string        // of the objects; "" for all
	SkipObjects bool          // only CRDs, and what they name
	Probe       bool          // ask for one object at each other version, too, for which a conversion webhook has to answer
	Patience    time.Duration // how long a page may take

	// Unread is the object that says in a dump that something was not read, and why, or that it was read and is absent. What is
	// "widgets.example.com", of a probe "widgets.example.com/v1beta1", or "services/NAMESPACE/NAME", "endpointslices/NAMESPACE/NAME",
	// "storageversionmigrations".
	Unread   func(what, why string, absent bool) any
	Note     func(format string, args ...any) // says what was done again
	Progress func(done, all int)              // objects, as far as the server has told

	*dump
}

// Read writes a dump of the cluster into an empty file, and goes back to its beginning. The error is why there is no dump: the command
// cannot be run, reaches no server, or is rejected the CRDs.
func (r *Reader) Read(ctx context.Context, file *os.File) error {
	r.dump = &dump{file: file}
	if err := r.version(ctx); err != nil {
		return err
	}
	if err := r.write([]byte(`{"apiVersion":"v1","kind":"List","items":[`)); err != nil {
		return err
	}
	crds, err := r.crds(ctx)
	if err != nil {
		return err
	}
	steps := []func(context.Context, []kind) error{r.objects, r.services, r.migrations}
	if r.Probe {
		steps = append(steps, r.probe)
	}
	for _, step := range steps {
		if err := step(ctx, crds); err != nil {
			return err
		}
	}
	if err := r.write([]byte("\n]}\n")); err != nil {
		return err
	}
	_, err = file.Seek(0, 0)
	return err
}

// version reads the server's version, as the first of all: it tells whether the command is a kubectl that reaches a server.
func (r *Reader) version(ctx context.Context) error {
	var version struct {
		GitVersion string `json:"gitVersion"`
	}
	err, failed := r.get(ctx, "/version", &version), (*Failure)(nil)
	switch {
	case reasonOf(err) == "Forbidden":
		return nil
	case errors.As(err, &failed):
		return fmt.Errorf("the cluster cannot be read; correct the command or the access: %s get --raw /version: %s", strings.Join(r.Command, " "), cmp.Or(failed.Shown, failed.Line))
	case err == nil && version.GitVersion == "":
		return fmt.Errorf("%s get --raw /version does not print a version; name a kubectl after --", strings.Join(r.Command, " "))
	}
	return err
}

// miss writes that something was not read, if that is what an error is about. It returns any other error.
func (r *Reader) miss(what string, err error) error {
	if err == nil || !errors.As(err, new(*Failure)) {
		return err
	}
	return r.note(what, err.Error(), false)
}

func (r *Reader) note(what, why string, absent bool) error {
	note, err := json.Marshal(r.Unread(what, why, absent))
	if err != nil {
		return err
	}
	return r.add(&page{Items: []json.RawMessage{note}})
}

// pageSize is how many objects are asked for at once, unless they are too large for that.
const pageSize = 500

// list reads all pages of a list, and writes what keep returns of them. If the server no longer has the rest of a list, it begins
// again, once.
func (r *Reader) list(ctx context.Context, path string, keep func(*page) error) error {
	before, again, next, size := *r.dump, false, "", pageSize
	for {
		p := &page{}
		err := r.get(ctx, fmt.Sprintf("%s?limit=%d&continue=%s", path, size, url.QueryEscape(next)), p)
		if reason := reasonOf(err); next != "" && !again && (reason == "Expired" || reason == "Gone") {
			again, next = true, ""
			r.Note("%s is read again from its beginning: the server no longer had the rest of the list", path)
			if err := r.back(before); err != nil {
				return err
			}
			continue
		}
		if reasonOf(err) == tooLong && size > 1 {
			size = max(size/10, 1)
			continue
		}
		if err == nil && p.Items == nil && !strings.HasSuffix(p.Kind, "List") {
			err = &Failure{Line: "the response is not a list"}
		}
		if err == nil {
			err = keep(p)
		}
		if n := r.dump.objects - before.objects; n > 0 && errors.As(err, new(*Failure)) {
			return &Failure{Reason: reasonOf(err), Line: fmt.Sprintf("only %d of it were read: %v", n, err)}
		}
		if next = p.Metadata.Continue; err != nil || next == "" {
			return err
		}
		r.Progress(r.dump.objects, r.dump.objects+p.Metadata.RemainingItemCount)
	}
}

// migrations reads the storage migrations, at the version that the server prefers. Many servers have none.
func (r *Reader) migrations(ctx context.Context, _ []kind) error {
	const what = "storageversionmigrations"
	var group struct {
		PreferredVersion struct {
			GroupVersion string `json:"groupVersion"`
		} `json:"preferredVersion"`
	}
	err := r.get(ctx, "/apis/storagemigration.k8s.io", &group)
	if reasonOf(err) == "NotFound" {
		return nil
	}
	if err == nil {
		err = r.list(ctx, "/apis/"+group.PreferredVersion.GroupVersion+"/"+what, r.add)
	}
	return r.miss(what, err)
}
