"""Sample data that ships with the package: read it through importlib.resources."""
