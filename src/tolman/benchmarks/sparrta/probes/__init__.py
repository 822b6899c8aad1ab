"""SpaRRTa in reports: tables and figures of probes on frozen encoders, with the paper's rows beside them."""
