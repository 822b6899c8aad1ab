"""Scenes and pictures in the files of the authors' dataset, so that their code reads ours."""
