"""From values that were read in another notation to the JSON-RPC messages that crossed the wire.

Here the protocol's names come in: which type name is which method, which key an empty value stands under, which
request a response without an id answers.
"""
