"""SpaRRTa: do frozen vision encoders represent where A is relative to B, for the camera and for a person?"""
