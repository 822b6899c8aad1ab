"""SpaRRTa: do frozen vision encoders hold where things are to each other, for the camera and for somebody else?"""
