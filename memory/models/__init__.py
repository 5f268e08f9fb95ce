"""The language models behind the port: OpenAI-compatible servers, and rules without a network."""
