"""The ledger of commitments: what was promised, and when it should come to mind (PT §3)."""
