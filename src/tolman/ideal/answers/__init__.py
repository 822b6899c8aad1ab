"""Best answers, one file for each form of answer."""
