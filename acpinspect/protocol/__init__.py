"""Facts of the protocol: update variants, fields, methods, enums. It knows nobody else in the house."""
