"""What is said in a film, heard: sound, where somebody speaks in it, and the words."""
