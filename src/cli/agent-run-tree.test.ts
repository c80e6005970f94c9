// The tree of a run: each event is told once, readers stand one step in, and what pages say cannot steer the terminal.
import { expect, it } from 'vitest'
import { type AgentRunEvent, writeRunTree } from './watch-job.ts'

const events: AgentRunEvent[] = [
  { type: 'run.started' },
  { type: 'reasoning.summary', text: 'The given URLs come first.' },
  { type: 'tool_call.started', toolCallId: '1', toolName: 'scrape', parameters: { url: 'https://a.example/' } },
  {
    type: 'tool_call.finished',
    toolCallId: '1',
    toolName: 'scrape',
    result: { title: 'A \u001b[31mpage', data: { founder: 'Mary' } },
  },
  { type: 'tool_call.started', toolCallId: '2', toolName: 'search', parameters: { query: 'boats' } },
  {
    type: 'tool_call.finished',
    toolCallId: '2',
    toolName: 'search',
    result: { hits: [{}, {}] },
    agent: { role: 'subagent' },
  },
  { type: 'tool_call.finished', toolCallId: '3', toolName: 'map', result: { error: 'no such site' } },
]

it('tells a run step by step', () => {
  const first = writeRunTree(events.slice(0, 4), 0)
  expect(first.lines).toEqual([
    '● The given URLs come first.',
    '├─ scrape https://a.example/',
    '│    A  [31mpage: {"founder":"Mary"}',
  ])
  const then = writeRunTree(events, first.shownCount)
  expect(then.lines).toEqual(['│  ├─ search boats', '│  │    2 URLs', '├─ map ', '│    ✗ no such site'])
  expect(writeRunTree(events, then.shownCount).lines).toEqual([])
})
