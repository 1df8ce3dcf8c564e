package acctest_test

import "github.com/mediagen/terraform-provider-mediagen/internal/acctest"

// The words of the harness that the stories use in every other line.
const (
	hush = acctest.Hush
	png  = acctest.PNG
)

type subject = acctest.Subject

var newReplanService = acctest.NewForSubjects
