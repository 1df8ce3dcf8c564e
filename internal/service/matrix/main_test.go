package matrix_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
)

func TestMain(m *testing.M) { acctest.Main(m) }
