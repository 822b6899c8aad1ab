"""A local language model without a key: llama.cpp in this process, with small weights from a package."""
