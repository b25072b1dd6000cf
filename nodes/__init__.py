"""One file per step: a small async function from state to update, collaborators by keyword."""
