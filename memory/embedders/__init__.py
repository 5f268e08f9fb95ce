"""The embedders behind the port: a local model in this process, and OpenAI-compatible servers."""
