"""The person model of the product's own embedders, learned once from photographs."""
