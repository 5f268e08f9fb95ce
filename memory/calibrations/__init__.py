"""What calibrations are fitted on, and what was fitted."""
