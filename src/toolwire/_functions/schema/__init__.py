"""The walk from a JSON Schema to the Schema of an API, a module for each kind of keyword."""
