"""Models of things that stand under the sky, in their real size: from the furniture pack, or made here."""
