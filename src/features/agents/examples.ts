/** Examples of the operations that take models' actions, by operation id. */

export const AGENT_EXAMPLES = {
  answerAnthropic: {
    body: {
      content: [
        { type: "text", text: "I will open the menu." },
        {
          type: "tool_use",
          id: "toolu_1",
          name: "left_click",
          toolset_name: "computer",
          input: { coordinate: [640, 400] },
        },
      ],
      tools: [{ type: "computer_toolset_20260801" }],
      then_screenshot: false,
    },
    answer: {
      content: [{
        type: "tool_result",
        tool_use_id: "toolu_1",
        toolset_name: "computer",
        content: [{ type: "text", text: "Clicked." }],
      }],
      unhandled: [],
    },
  },
};
