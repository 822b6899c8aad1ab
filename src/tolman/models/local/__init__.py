"""A real language model that needs no key: llama.cpp in this process, with small weights that come in a package."""
