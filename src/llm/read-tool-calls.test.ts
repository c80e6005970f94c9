// Tool calls that models write as text, one dialect a row.
import { expect, it } from 'vitest'
import { readToolCalls } from './choose-next-steps.ts'

const NAMES = ['read', 'map', 'finish']
const READ = [{ tool: 'read', links: [1, 2] }]
it.each([
  ['Hermes', '<tool_call>\n{"name": "read", "arguments": {"links": [1, 2]}}\n</tool_call>', READ],
  [
    'two blocks',
    '<tool_call>{"name":"map","arguments":{"link":1}}</tool_call><tool_call>{"name":"finish","arguments":{}}</tool_call>',
    [{ tool: 'map', link: 1 }, { tool: 'finish' }],
  ],
  ['Mistral', '[TOOL_CALLS] [{"name": "read", "arguments": {"links": [1, 2]}}]', READ],
  ['Llama', '<|python_tag|>{"type": "function", "name": "read", "parameters": {"links": [1, 2]}}', READ],
  ['OpenAI as text', '{"tool_calls":[{"function":{"name":"read","arguments":"{\\"links\\":[1,2]}"}}]}', READ],
  ['an action', 'Action:\n{"action": "read", "action_input": {"links": [1, 2]}}', READ],
  ['a tool beside its arguments', '{"tool": "read", "links": [1, 2]}', READ],
  ['the name as the key', '{"read": {"links": [1, 2]}}', READ],
  ['Python', 'I will call read(links=[1, 2]).', READ],
  ['Python with an object', 'read({"links": [1, 2]})', READ],
  ['a function tag', '<function=read>{"links": [1, 2]}</function>', READ],
  ['no arguments', 'finish()', [{ tool: 'finish' }]],
  ['a tool that is not offered', '{"name": "fetch", "arguments": {"url": "http://10.0.0.1/"}}', []],
  ['prose', 'I would read the first two links (1 and 2).', []],
])('%s', (_name, text, calls) => expect(readToolCalls(text, NAMES)).toEqual(calls))
