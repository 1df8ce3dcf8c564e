package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// seedFlag collects the characters to start with.
type seedFlag []mockserver.CharacterSeed

// String implements flag.Value.
func (f *seedFlag) String() string { return "" }

// Set implements flag.Value.
func (f *seedFlag) Set(text string) error {
	if text == "none" {
		*f = seedFlag{}
		return nil
	}
	var seed mockserver.CharacterSeed
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		if err := setField(&seed, name, value); err != nil {
			return err
		}
	}
	*f = append(*f, seed)
	return nil
}

func setField(seed *mockserver.CharacterSeed, name, value string) (err error) {
	switch name {
	case "id":
		seed.ID = value
	case "name":
		seed.Name = value
	case "description":
		seed.Description = value
	case "creator":
		seed.CreatorID = value
	case "face-images":
		seed.FaceImages, err = strconv.Atoi(value)
	case "body-images":
		seed.BodyImages, err = strconv.Atoi(value)
	case "dataset-images":
		seed.DatasetImages, err = strconv.Atoi(value)
	case "face-lora":
		seed.FaceLoRA = true
	case "body-lora":
		seed.BodyLoRA = true
	default:
		return fmt.Errorf("a character has no %q", name)
	}
	return err
}

// defaultSeeds are the characters that the examples need, and two more.
func defaultSeeds() seedFlag {
	return seedFlag{
		{
			ID:            "char_ada",
			Name:          "Ada",
			Description:   "A mathematician with short dark hair",
			FaceImages:    1,
			BodyImages:    2,
			DatasetImages: 3,
			FaceLoRA:      true,
		},
		{
			ID:          "char_lin",
			Name:        "Lin",
			Description: "A dancer",
		},
		{
			ID:          "char_grace",
			Name:        "Grace",
			Description: "An admiral",
			FaceImages:  1,
		},
		{
			ID:         "char_alan",
			Name:       "Alan",
			FaceImages: 2,
			BodyImages: 1,
			FaceLoRA:   true,
			BodyLoRA:   true,
			CreatorID:  "creator_000002",
		},
	}
}

// list shows the characters, and what each can be used for.
func list(seeds seedFlag) string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, seed := range seeds {
		fmt.Fprintf(table, "  %s\t%s\t%d face, %d body, %d dataset images\t%s\n",
			seed.ID, seed.Name, seed.FaceImages, seed.BodyImages, seed.DatasetImages, readiness(seed))
	}
	table.Flush()
	return text.String()
}

func readiness(seed mockserver.CharacterSeed) string {
	switch {
	case seed.BodyLoRA:
		return "is trained: a prompt can use the body LoRA"
	case seed.FaceImages > 0:
		return "can be trained"
	default:
		return "can be trained once it has a face image"
	}
}
