// Tokens that a piece of work may use: never more held than there is, nobody refused for what others only hold, and parts that
// add up to the whole.
import { afterEach, describe, expect, it } from 'vitest'
import { type ModelServer, startModel } from '../../test/model/server.ts'
import { silentLog } from '../base/log.ts'
import { openOpenAiCompatibleLlm } from './openai-compatible-llm.ts'
import { currentTokenBudget, estimateTokens, TokenBudget } from './token-budget.ts'

const never = new AbortController().signal
const limits = { reads: 4000, writes: 1000, total: 10_000 }

describe('what a piece of work may use', () => {
  it('is held before and counted after', async () => {
    const tokens = TokenBudget.open(limits)
    const part = tokens.part()
    const hold = await part.hold(3000, never)
    expect(hold?.writes).toBe(1000)
    hold?.settle(3200)
    hold?.settle(3200)
    expect([part.used, tokens.used, tokens.total]).toEqual([3200, 3200, 3200])
    const last = await tokens.hold(6500, never)
    expect(last?.writes).toBe(300)
    last?.settle(6800)
    expect(tokens.isSpent).toBe(true)
    expect(await tokens.hold(1, never)).toBeUndefined()
  })

  it('waits for what others hold and may not need', async () => {
    const tokens = TokenBudget.open(limits)
    const first = await tokens.hold(7000, never)
    const second = tokens.hold(4000, never)
    first?.settle(500)
    expect((await second)?.writes).toBe(1000)
  })

  it('never passes the total, however many ask at once', async () => {
    const tokens = TokenBudget.open(limits)
    const used = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const hold = await tokens.hold(500 + n * 10, never)
        if (!hold) return 0
        const spent = 500 + n * 10 + hold.writes
        await new Promise((resolve) => setTimeout(resolve, n % 7))
        hold.settle(spent)
        return spent
      }),
    )
    const sum = used.reduce((one, other) => one + other, 0)
    expect(tokens.total).toBe(sum)
    expect(sum).toBeLessThanOrEqual(limits.total)
    expect(tokens.isSpent).toBe(true)
  })

  it('goes on from what was used before', async () => {
    expect((await TokenBudget.open(limits, { used: 9000, isSpent: false }).hold(500, never))?.writes).toBe(500)
    expect(await TokenBudget.open(limits, { used: 9900, isSpent: false }).hold(500, never)).toBeUndefined()
    expect(TokenBudget.open(limits, { used: 10, isSpent: true }).isSpent).toBe(true)
  })

  it('counts signs of other scripts as tokens', () => {
    expect([estimateTokens('abcdef'), estimateTokens('日本語'), estimateTokens('abc', '日')]).toEqual([2, 3, 2])
  })
})

describe('a model under such limits', () => {
  let server: ModelServer
  afterEach(() => server?.close())
  const ask = (text: string) => ({ text: () => text, found: null, schema: undefined, prompt: 'What is it?' })

  it('is counted by what the endpoint says, held to what it may write, and then not asked any more', async () => {
    server = await startModel(() => ({ text: '{"a":1}', promptTokens: 700 }))
    const llm = openOpenAiCompatibleLlm({ url: server.url, model: 'm', key: undefined, log: silentLog })
    const tokens = TokenBudget.open({ reads: 1000, writes: 600, total: 1400 })
    const say = () => currentTokenBudget.run(tokens, () => llm.extract(ask('A page.'), never))
    expect((await say()).by).toBe('model')
    expect([tokens.total, server.requests[0]?.max_tokens]).toEqual([720, 600])
    expect((await say()).by).toBe('model')
    expect(server.requests[1]?.max_tokens).toBeLessThan(600)
    const third = await say()
    expect(third).toMatchObject({ by: 'extractive', doNotCache: true })
    expect(third.warnings.join(' ')).toContain('used up')
    expect(server.requests).toHaveLength(2)
    expect([tokens.total, tokens.isSpent, tokens.stoodIn]).toEqual([1440, true, 1])
  })

  it('reads a long page in pieces that one request may read', async () => {
    server = await startModel(() => '{"a":1}')
    const llm = openOpenAiCompatibleLlm({ url: server.url, model: 'm', key: undefined, log: silentLog })
    const tokens = TokenBudget.open({ reads: 1000, writes: 600, total: 100_000 })
    await currentTokenBudget.run(tokens, () => llm.extract(ask('word '.repeat(1000)), never))
    expect(server.requests.length).toBeGreaterThanOrEqual(3)
    for (const { messages } of server.requests)
      expect(estimateTokens(...messages.map(({ content }) => content))).toBeLessThanOrEqual(1000)
  })
})
