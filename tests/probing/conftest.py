"""One thread for each test process: the suite runs in as many processes as there are cores."""

try:
    import torch
except ImportError:
    pass
else:
    torch.set_num_threads(1)
