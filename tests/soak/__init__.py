"""What tries to break Rollcall: damaged files by the thousand, kills, full disks, crowds. ``make soak`` runs all of it long;
the tests beside these files run a short form of each."""
