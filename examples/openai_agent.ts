/**
 * An agent in ten lines: a model of OpenAI works on this computer until it is done.
 *
 *     (cd client/typescript && npm install && npm pack)
 *     npm install --no-save ./client/typescript/computer-control-client-*.tgz openai
 *     node examples/openai_agent.ts "Which windows are open?"        (from 22.18)
 *
 * OPENAI_API_KEY is your key; COMPUTER_CONTROL_URL and COMPUTER_CONTROL_TOKEN say where the service
 * is. What the model asks for is done, but for calls with safety checks, which end the run: pass
 * `approveSafetyChecks` to ask a person.
 */

import { ComputerControl } from "computer-control-client";
import { createComputerDriver } from "computer-control-client/openai";
import process from "node:process";
import OpenAI from "openai";
import { ComputerToolset } from "openai/helpers/computer";

const tools = new ComputerToolset(createComputerDriver(new ComputerControl()));
const answer = await tools.run(new OpenAI(), {
  model: "gpt-5.4",
  input: process.argv[2] ?? "Which windows are open?",
});
console.log(answer.output_text);
