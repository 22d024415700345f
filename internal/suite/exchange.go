package suite

import (
	"errors"
	"fmt"
	"maps"

	"github.com/crdlift/crdlift/internal/request"
)

// A state is what is there: in etcd, and as the client that wrote it reads it. It is zero where there is nothing.
type state struct {
	kept, shown request.Object
	manifest    request.Object // that it was created from, or applied from last
}

// write is what is there after a request that is accepted. What a webhook makes of objects of other versions is not known: they are kept
// as they are.
func write(server *request.Server, x *Exchange) (kept, shown request.Object, err error) {
	kept = x.Outcome.Object
	if !server.Converts(x.Version, server.Storage()) {
		kept, err = x.Version.Store(kept)
	}
	if metadata, is := kept["metadata"].(map[string]any); is && x.Old == nil {
		kept, metadata = maps.Clone(kept), maps.Clone(metadata)
		metadata["creationTimestamp"], metadata["uid"] = created, uid // of an update, the server passes over the one, but not over the other
		kept["metadata"] = metadata
	}
	if err == nil {
		shown, err = read(server, x.Version, kept)
	}
	return kept, shown, err
}

// read is what a read at a version shows of what is in etcd.
func read(server *request.Server, v *request.Version, kept request.Object) (request.Object, error) {
	if from := server.VersionOf(kept); from != nil && server.Converts(from, v) {
		return nil, fmt.Errorf("objects stored in version %s need the webhook to be converted to %s", from.Name, v.Name)
	}
	return v.Serve(kept)
}

// Ask makes the request again, to another server or the same, and returns the outcome; nil where the server has no such request.
func (x Exchange) Ask(of *request.Version) *request.Outcome {
	x.Version = of
	if x.ask(false) != nil {
		return nil
	}
	return x.Outcome
}

// ask makes the request; managed says that the server notes whose the fields are. The error is why the request cannot be made.
func (x *Exchange) ask(managed bool) error {
	v, release, texts := x.Version, request.ToRelease(x.Minor), request.WithTexts()
	options := []request.Option{release, texts}
	if managed || x.Old != nil && request.ManagersOf(x.Old) != nil {
		options = append(options, request.ManagedBy(controller))
	}
	switch {
	case x.Request == Create:
		x.Outcome = v.Create(x.Sent, options...)
	case x.Request == Update:
		x.Outcome = v.Update(x.Sent, x.Old, options...)
	case x.Request == Status:
		x.Outcome = v.UpdateStatus(x.Sent, x.Old, options...)
	case x.Request == Apply:
		x.Outcome = v.Apply(x.Sent, x.Old, request.Applier{Manager: applier}, release, texts)
	default:
		n, is := x.Sent["replicas"].(int64)
		if !is || len(x.Sent) != 1 || int64(int32(n)) != n {
			return errors.New("a scale request sets only the number of replicas; write set: {replicas: 3}")
		}
		x.Outcome = v.UpdateScale(x.Old, int32(n), options...)
	}
	if x.Outcome.Err != nil {
		return x.Outcome.Err
	}
	x.refuseUnknown()
	x.refuseOther()
	return nil
}

// refuseOther rejects a status for an object of another uid, by the precondition that the server stores under. See
// defaultUpdatedObjectInfo.Preconditions of k8s.io/apiserver; of other updates, the judge finds out that the uid cannot change.
func (x *Exchange) refuseOther() {
	at := request.Keys("metadata", "uid")
	sent, given := at.In(x.Sent)
	if is, _ := at.In(x.Old); x.Request != Status || !given || sent == is || !x.Outcome.Accepted() {
		return
	}
	x.Outcome = &request.Outcome{Causes: []request.Cause{{Stage: request.Outdated, Path: at, Rule: -1, Actual: -1}}, Changes: x.Outcome.Changes}
}

// UnknownField is the keyword of a cause that no schema declares a field.
const UnknownField = "unknown-field"

// refuseUnknown rejects fields that no schema declares, where the request is to be strict. The server does so before it looks at
// anything else; a server-side apply has rejected them already.
func (x *Exchange) refuseUnknown() {
	if x.Validation != Strict || x.Request == Scale || x.Request == Apply {
		return
	}
	var causes []request.Cause
	for _, change := range x.Outcome.Changes {
		if change.Kind == request.Pruned {
			causes = append(causes, request.Cause{Stage: request.Decoding, Path: change.Path, Keyword: UnknownField, Rule: -1, Actual: -1})
		}
	}
	if len(causes) > 0 {
		x.Outcome = &request.Outcome{Causes: causes, Changes: x.Outcome.Changes}
	}
}
