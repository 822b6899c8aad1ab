"""What frozen vision encoders know: tokens of their layers, kept on disk, and small heads trained on them."""
