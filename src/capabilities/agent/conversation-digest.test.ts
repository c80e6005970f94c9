// Long conversations and long runs in the room that a request has: the fact that is asked about is there, however old it is.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { startModel } from '../../../test/model/server.ts'
import { silentLog } from '../../base/log.ts'
import { openOpenAiCompatibleLlm } from '../../llm/openai-compatible-llm.ts'
import { TokenBudget } from '../../llm/token-budget.ts'
import {
  type ConversationTurn,
  conversationTurnsOf,
  type RememberedFact,
  writeConversationDigest,
} from './conversation-digest.ts'
import { deriveGoal } from './derive-goal.ts'
import { makeModelChooser, writeModelPrompt } from './model-chooser.ts'
import { Notebook, type PageRead } from './notebook.ts'
import { newRunProgress } from './run-progress.ts'
import { EFFORT_LIMITS } from './steps.ts'
import { asAgentTools } from './tools/agent-tool.ts'
import { agentTools } from './tools/index.ts'

const NAMES = ['Aldous', 'Berta', 'Cyril', 'Dorothea', 'Edmund', 'Frida']
const source = (url: string, quote: string) => ({ url, quote, at: '2026-01-01T00:00:00.000Z', by: 'model' as const })

/** A conversation about one lighthouse after the other, with long questions. */
const conversation = (turns: number): ConversationTurn[] =>
  conversationTurnsOf(
    Array.from({ length: turns }, (_, at) => {
      const keeper = `${NAMES[at % 6]} Number${at + 1}`
      const prompt = `Who keeps the lighthouse of Skerry${at + 1}? ${'I ask because the register is incomplete. '.repeat(40)}`
      const sources = { keeper: source(`https://light.example/skerry${at + 1}`, `The keeper is ${keeper}.`) }
      return {
        turn: at + 1,
        state: 'succeeded' as const,
        body: JSON.stringify({ body: { prompt }, plan: 'free' }),
        result: JSON.stringify({ data: { keeper }, sources }),
      }
    }),
  )

describe('a conversation of thirty turns', () => {
  const earlier = conversation(30)
  const goal = deriveGoal({ prompt: 'Who was the keeper at Skerry2 again?' })

  it.each([2000, 4000, 12_000])('fits %d characters, and holds the early fact, its quote and its page', (most) => {
    const text = writeConversationDigest(earlier, [], goal.terms, most)
    expect(earlier.map(({ prompt }) => prompt).join('').length).toBeGreaterThan(40_000)
    expect(text.length).toBeLessThanOrEqual(most)
    expect(text).toContain('Berta Number2 — "The keeper is Berta Number2." <https://light.example/skerry2> (turn 2)')
  })

  it('has the newest turns word for word, and says what it leaves out', () => {
    const text = writeConversationDigest(earlier, [], goal.terms, 12_000)
    expect(text).toContain(`Turn 30. Asked: ${earlier.at(-1)?.prompt}`)
    expect(text.indexOf('Turn 29.')).toBeLessThan(text.indexOf('Turn 30.'))
    expect(text).not.toContain(earlier[1]!.prompt)
    expect(writeConversationDigest(earlier, [], new Set(['berta']), 2000)).toMatch(/\(and \d+ facts more\)/)
  })

  it('drops quotes before it drops what is asked about', () => {
    const facts: RememberedFact[] = Array.from({ length: 40 }, (_, at) => ({
      path: 'depth',
      value: at,
      source: source(`https://deep.example/${at}`, 'The depth stands in a long sentence. '.repeat(6)),
    }))
    const text = writeConversationDigest([], facts, new Set(['depth']), 5000)
    expect(text.length).toBeLessThanOrEqual(5000)
    for (let at = 0; at < 40; at++) expect(text).toContain(`depth: ${at}`)
  })

  it('is nothing when nothing was said', () => expect(writeConversationDigest([], [], goal.terms, 1000)).toBe(''))
})

describe('a run of a hundred pages', () => {
  const schema = { type: 'object', properties: { harbour: { type: 'string' }, depth: { type: 'number' } } }
  const goal = deriveGoal({ prompt: 'Find the depth of the harbour of Skerry', schema })
  const notebook = new Notebook(goal)
  for (let n = 0; n < 100; n++) {
    const url = `https://sea.example/log/${n}`
    const page: PageRead = {
      url,
      title: `Log book, sheet ${n}`,
      status: 200,
      coverage: 0,
      passages: [{ text: `Sheet ${n}: the depth of the harbour of Skerry.`, headings: [], start: 0, end: 35 }],
      data: n === 3 ? { harbour: 'Skerry Haven', depth: null } : n === 5 ? { depth: 12 } : null,
      quotes: n === 3 ? { harbour: 'Skerry Haven lies east.' } : {},
      links: Array.from({ length: 60 }, (_, at) => ({
        url: `https://sea.example/log/${n}/entry/${at}?${'q'.repeat(300)}`,
        text: `Entry ${at} of sheet ${n}`,
      })),
      tokens: [],
      at: 0,
      by: 'model',
    }
    notebook.addPage(url, page)
  }
  notebook.addLinks([{ url: 'https://sea.example/depths', text: 'Depth of the harbour of Skerry' }], url(99))

  it.each(['low', 'medium', 'high'] as const)('fits what one request may read (%s)', (effort) => {
    const tokens = TokenBudget.open(EFFORT_LIMITS[effort].tokens)
    const llm = { facts: () => undefined } as never
    const { text, offered } = writeModelPrompt({ llm, goal, notebook, tokens, earlier: [], progress: newRunProgress() })
    expect(text.length).toBeLessThanOrEqual(9000)
    expect(text).toMatch(/\(\d+ more links, ask for them\.\)/)
    expect(text).toMatch(/^n\d\. harbour: Skerry Haven$/m)
    expect(text).toMatch(/^n\d\. depth: 12$/m)
    expect(offered[0]?.url).toBe('https://sea.example/depths')
    expect(text).toMatch(/\(\d+ pages more were read before\.\)/)
  })

  it('chooses with 2,500 tokens at most, tools included', async () => {
    const server = await startModel(() => ({ calls: [{ name: 'finish', input: {} }] }))
    try {
      const llm = openOpenAiCompatibleLlm({ url: server.url, model: 'm', key: undefined, log: silentLog })
      const effort = { ...EFFORT_LIMITS.high, pages: 1000 }
      const tokens = TokenBudget.open(effort.tokens)
      const state = { run: {} as never, goal, effort, notebook, progress: newRunProgress(), tokens, earlier: [] }
      await makeModelChooser(llm, asAgentTools(agentTools)).next(
        { ...state, progress: { ...state.progress, isSearched: true } },
        new AbortController().signal,
      )
      const [request] = server.requests
      const texts = [...request!.messages.map(({ content }) => content), JSON.stringify(request!.tools)]
      expect(texts.reduce((sum, text) => sum + encode(text).length, 0)).toBeLessThanOrEqual(2500)
    } finally {
      await server.close()
    }
  })
})

function url(n: number): string {
  return `https://sea.example/log/${n}`
}
