"""Times in words: which days a question asks about, and which a fact or a promise names."""
