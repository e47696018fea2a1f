"""An agent in ten lines: Claude works on this computer until it is done.

    pip install ./client/python anthropic
    python3 examples/claude_agent.py "Which windows are open?"

ANTHROPIC_API_KEY is your key; COMPUTER_CONTROL_URL and COMPUTER_CONTROL_TOKEN say where the
service is. Everything that the model asks for is done: run it on a computer that you can lose.
"""

import sys

from anthropic import Anthropic
from computer_control import ComputerControl
from computer_control.anthropic import ComputerToolset

answer = Anthropic().beta.messages.tool_runner(
    model="claude-opus-5-5",
    max_tokens=4096,
    tools=[ComputerToolset(ComputerControl(), confirm=lambda context: True)],
    messages=[{"role": "user", "content": (sys.argv[1:] or ["Which windows are open?"])[0]}],
).until_done()
print("\n".join(block.text for block in answer.content if block.type == "text"))
