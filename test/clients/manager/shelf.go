package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A Shelf is what the CRD in test/e2e/testdata/kubectl declares, without what the controller has no use for.
type Shelf struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShelfSpec   `json:"spec"`
	Status            ShelfStatus `json:"status,omitempty"`
}

type ShelfSpec struct {
	Class  string `json:"class"`
	Boards int    `json:"boards,omitempty"`
}

type ShelfStatus struct {
	Boards             int   `json:"boards,omitempty"`
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

type ShelfList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Shelf `json:"items"`
}

func (s *Shelf) DeepCopyObject() runtime.Object {
	c := *s
	s.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return &c
}

func (l *ShelfList) DeepCopyObject() runtime.Object {
	c := *l
	c.Items = make([]Shelf, len(l.Items))
	for i := range l.Items {
		c.Items[i] = *l.Items[i].DeepCopyObject().(*Shelf)
	}
	return &c
}
