package work

import (
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// workSchedule is when the status of work is polled.
var workSchedule = wait.Schedule{
	First: 1500 * time.Millisecond,
	Min:   10 * time.Second,
	Max:   5 * time.Minute,
}

// PropagationTimeout is how long one reply may contradict another: a status is
// still that from before the start, a LoRA does not exist yet, a refused
// cancellation takes effect.
const propagationTimeout = 2 * time.Minute
