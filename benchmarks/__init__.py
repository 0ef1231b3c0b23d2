"""What Rollcall costs: ``make bench`` runs everything here and prints one table."""
