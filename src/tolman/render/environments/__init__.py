"""Places under the sky: uneven ground, light that changes, a backdrop, and clutter. All of it is made from a seed."""
