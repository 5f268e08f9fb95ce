"""What the model is told, each task in its own file beside the schema of its answer.

Instructions go into the system message. Everything a person wrote goes into a JSON document in a
message of its own, so that data can be told from instructions.
"""
