"""Speech to text at OpenAI, or at a server that is compatible with it."""

from dataclasses import dataclass

from openai import AsyncOpenAI
from openai.types.audio import Transcription

from memory.openai_client import expect, openai_errors


@dataclass(frozen=True, slots=True)
class OpenAITranscriber:
    """A model of the audio interface."""

    client: AsyncOpenAI
    model: str

    async def transcribe(self, audio: bytes, *, file_name: str) -> str:
        """Return what is said; raises ``ModelError``."""
        with openai_errors(self.client, self.model):
            answer = await self.client.audio.transcriptions.create(
                model=self.model, file=(file_name, audio), response_format="json"
            )
        return expect(expect(answer, Transcription).text, str).strip()
