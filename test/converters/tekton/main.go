// Command tekton is the conversion webhook of Tekton's tasks, pipelines and their runs, on a port of loopback: the types are the
// project's own, and around them it does what the project's webhook does.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"

	v1 "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	"github.com/tektoncd/pipeline/pkg/apis/pipeline/v1beta1"
	"knative.dev/pkg/apis"
)

// kinds make an empty object of each kind at each version.
var kinds = map[string]map[string]func() apis.Convertible{
	"Task": {
		"v1beta1": func() apis.Convertible { return &v1beta1.Task{} },
		"v1":      func() apis.Convertible { return &v1.Task{} },
	},
	"TaskRun": {
		"v1beta1": func() apis.Convertible { return &v1beta1.TaskRun{} },
		"v1":      func() apis.Convertible { return &v1.TaskRun{} },
	},
	"Pipeline": {
		"v1beta1": func() apis.Convertible { return &v1beta1.Pipeline{} },
		"v1":      func() apis.Convertible { return &v1.Pipeline{} },
	},
	"PipelineRun": {
		"v1beta1": func() apis.Convertible { return &v1beta1.PipelineRun{} },
		"v1":      func() apis.Convertible { return &v1.PipelineRun{} },
	},
}

// A review is a ConversionReview, of which the objects stay text.
type review struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Request    *request  `json:"request,omitempty"`
	Response   *response `json:"response,omitempty"`
}

type request struct {
	UID               string            `json:"uid"`
	DesiredAPIVersion string            `json:"desiredAPIVersion"`
	Objects           []json.RawMessage `json:"objects"`
}

type response struct {
	UID              string            `json:"uid"`
	ConvertedObjects []json.RawMessage `json:"convertedObjects"`
	Result           map[string]any    `json:"result"`
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: tekton PORT")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var asked review
		if err == nil {
			err = json.Unmarshal(body, &asked)
		}
		if err != nil || asked.Request == nil {
			http.Error(w, "this is no ConversionReview", http.StatusBadRequest)
			return
		}
		answer := review{APIVersion: asked.APIVersion, Kind: asked.Kind, Response: answer(r.Context(), asked.Request)}
		_ = json.NewEncoder(w).Encode(answer) // a client that is gone wants no answer
	})
	log.Fatal(http.ListenAndServe(net.JoinHostPort("127.0.0.1", os.Args[1]), nil))
}

func answer(ctx context.Context, asked *request) *response {
	r := &response{UID: asked.UID, Result: map[string]any{"status": "Success"}}
	_, to, _ := strings.Cut(asked.DesiredAPIVersion, "/")
	for _, src := range asked.Objects {
		converted, err := convert(ctx, src, to)
		if err != nil {
			return &response{UID: asked.UID, Result: map[string]any{"status": "Failure", "message": err.Error()}}
		}
		r.ConvertedObjects = append(r.ConvertedObjects, converted)
	}
	return r
}

// convert converts an object by way of v1, and defaults what comes out.
func convert(ctx context.Context, src json.RawMessage, to string) ([]byte, error) {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := json.Unmarshal(src, &head); err != nil {
		return nil, err
	}
	group, from, _ := strings.Cut(head.APIVersion, "/")
	newIn, newOut := kinds[head.Kind][from], kinds[head.Kind][to]
	if newIn == nil || newOut == nil {
		return nil, fmt.Errorf("no conversion of %s from %q to %q", head.Kind, from, to)
	}
	in, hub, out := newIn(), kinds[head.Kind]["v1"](), newOut()
	if err := json.Unmarshal(src, in); err != nil {
		return nil, err
	}
	if from == "v1" {
		hub = in
	} else if err := in.ConvertTo(ctx, hub); err != nil {
		return nil, err
	}
	if to == "v1" {
		out = hub
	} else if err := out.ConvertFrom(ctx, hub); err != nil {
		return nil, err
	}
	if defaultable, ok := out.(apis.Defaultable); ok {
		defaultable.SetDefaults(ctx)
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, errors.New("what it became is no object")
	}
	object["apiVersion"], object["kind"] = group+"/"+to, head.Kind
	return json.Marshal(object)
}
