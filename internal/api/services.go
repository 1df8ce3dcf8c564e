package api

// The endpoints, by what they are about. Each service sends its requests through
// the client, which has the limits, the log and what this run has read.
type (
	// CharacterService has the characters of the organization, and what they can do.
	CharacterService struct{ client *Client }
	// ImageService has the images of a character that trainings learn from.
	ImageService struct{ client *Client }
	// TrainingService has the trainings of a character.
	TrainingService struct{ client *Client }
	// DatasetService has the datasets of characters, and their approvals.
	DatasetService struct{ client *Client }
	// GenerationService has generations, and submits batches of prompts.
	GenerationService struct{ client *Client }
	// GroupService has groups as a whole, where a deployment shows them.
	GroupService struct{ client *Client }
	// ModelService asks models, whose answers nothing returns again.
	ModelService struct{ client *Client }
)
