"""Running a scene: prompts, elicitation of maps, pictures, and the model that answers."""
