"""From the names in extracted facts to entities: what they are called, and who is who (ρ)."""
