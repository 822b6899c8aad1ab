"""The planner: an explorer that knows how scenes are made, and looks ahead in scenes that may be the true one."""
