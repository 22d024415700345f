package apiserver

import (
	"context"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// OnUpdate validates a decoded CRD as the server would when it replaces an older one that is established. The stored
// versions are those of the old object's status; where it has none, its storage version. Neither object is changed.
//
// Of a v1beta1 manifest, only the additional checks of an update are made: of immutable fields, and of versions still
// stored. Kubernetes 1.21 and the current validation agree on that.
func OnUpdate(hub, old *apiextensions.CustomResourceDefinition, version crd.Version) Verdict {
	return judge(hub, func() field.ErrorList {
		was := established(old)
		obj := hub.DeepCopy()
		prepareForUpdate(obj, was)
		// the registry's validateCommonFields comes first; both look at some of the metadata
		//lint:ignore SA1019 rest.BeforeUpdate validates names with it
		errs := apivalidation.ValidateObjectMetaAccessor(obj, false, path.ValidatePathSegmentName, field.NewPath("metadata"))
		errs = append(errs, validation.ValidateCustomResourceDefinitionUpdate(context.Background(), obj, was)...)
		told := map[string]bool{}
		return slices.DeleteFunc(errs, func(err *field.Error) bool {
			again := told[err.Error()]
			told[err.Error()] = true
			return again || version != crd.V1 && !onlyOnUpdate[rowOf(err).name]
		})
	})
}

// onlyOnUpdate are the rows of errors that a create cannot have.
var onlyOnUpdate = map[Row]bool{
	MetadataChanged: true, KindOrScopeChanged: true, GroupOrPluralChanged: true, StoredVersionRemoved: true,
}

// established is an object as a server holds it some time after it was created from a manifest.
func established(old *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	was := old.DeepCopy()
	was.Namespace, was.ResourceVersion, was.UID, was.Generation = "", "1", "crdlift", 1
	was.DeletionTimestamp, was.DeletionGracePeriodSeconds, was.ManagedFields = nil, nil, nil
	stored := was.Status.StoredVersions
	if len(stored) == 0 {
		if storage, err := apiextensions.GetCRDStorageVersion(was); err == nil {
			stored = []string{storage}
		}
	}
	was.Status = apiextensions.CustomResourceDefinitionStatus{StoredVersions: stored}
	apiextensions.SetCRDCondition(was, apiextensions.CustomResourceDefinitionCondition{
		Type: apiextensions.Established, Status: apiextensions.ConditionTrue,
	})
	return was
}

// prepareForUpdate does what rest.BeforeUpdate and the strategy's PrepareForUpdate do to the fields that validation
// looks at. Metadata that the server keeps is the old object's.
func prepareForUpdate(obj, was *apiextensions.CustomResourceDefinition) {
	obj.Namespace, obj.ResourceVersion, obj.UID = "", was.ResourceVersion, was.UID
	obj.CreationTimestamp, obj.DeletionTimestamp, obj.DeletionGracePeriodSeconds = was.CreationTimestamp, nil, nil
	obj.ManagedFields, obj.GenerateName = was.ManagedFields, was.GenerateName
	obj.SetSelfLink(was.GetSelfLink())
	obj.Generation = was.Generation + 1
	obj.Status = *was.Status.DeepCopy()
	if storage, err := apiextensions.GetCRDStorageVersion(obj); err == nil && !apiextensions.IsStoredVersion(obj, storage) {
		obj.Status.StoredVersions = append(obj.Status.StoredVersions, storage)
	}
}
