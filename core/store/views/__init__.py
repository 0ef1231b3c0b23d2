"""What people see: labels, queue, graph and people, worked out from tables, log and runs."""
