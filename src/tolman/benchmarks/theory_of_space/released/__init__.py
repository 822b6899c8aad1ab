"""The authors' released runs: files, cases, replies, and rescoring."""
