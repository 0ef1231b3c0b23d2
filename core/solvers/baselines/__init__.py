"""The six methods the paper compares itself with."""
