// Counts what a model is told of all tools: tokens.mjs < tools.mcp.json
import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const texts = [];
const walk = (schema) => {
  if (schema.description) texts.push(schema.description);
  for (const field of Object.values(schema.properties ?? {})) walk(field);
  if (schema.items) walk(schema.items);
};
for (const tool of JSON.parse(readFileSync(0, "utf8"))) {
  texts.push(tool.description);
  walk(tool.inputSchema);
  if (tool.outputSchema) walk(tool.outputSchema);
}
const tokens = countTokens(texts.join("\n"));
if (tokens >= 1200) throw new Error(`${tokens} tokens; at most 1,199`);
console.log(`${tokens} tokens of descriptions`);
