// Choices of a model that are wrong, repeated or ask for more, through the protocol: they are answered, and the run
// goes on.
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, type ChatRequest, type ModelServer, startModel } from '../../../test/model/server.ts'
import { silentLog } from '../../base/log.ts'
import { openOpenAiCompatibleLlm } from '../../llm/openai-compatible-llm.ts'
import { TokenBudget } from '../../llm/token-budget.ts'
import { deriveGoal } from './derive-goal.ts'
import { makeModelChooser } from './model-chooser.ts'
import { Notebook, type PageRead } from './notebook.ts'
import { applyStepResult, newRunProgress } from './run-progress.ts'
import { EFFORT_LIMITS } from './steps.ts'
import { asAgentTools } from './tools/agent-tool.ts'
import { agentTools } from './tools/index.ts'

const HOME = 'https://sea.example/boats'
const schema = {
  type: 'object',
  properties: { boats: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } },
}
const link = (path: string, text: string) => ({ url: `https://sea.example${path}`, text })
const makePage = (url: string, links: PageRead['links']): PageRead => ({
  ...{ url, title: 'Boats', status: 200, coverage: 0, passages: [], quotes: {}, tokens: [], at: 0, by: 'model', links },
  data: { boats: [{ name: 'Otter' }] },
})

let server: ModelServer
afterEach(() => server.close())

const seen = ({ messages }: ChatRequest): string => messages.at(-1)!.content
const numberOf = (text: string, path: string): number =>
  Number([...text.matchAll(/^(\d+)\. .*<(\S+)>/gm)].find(([, , url]) => url === path)?.[1] ?? 0)
const read = (...links: number[]): Answer => ({ calls: [{ name: 'read', input: { links } }] })

async function choose(links: PageRead['links'], script: (text: string, n: number) => Answer) {
  server = await startModel((request, n) => script(seen(request), n))
  const llm = openOpenAiCompatibleLlm({ url: server.url, model: 'm', key: undefined, log: silentLog })
  const goal = deriveGoal({ prompt: 'List the boats', urls: [HOME], schema })
  const [notebook, progress, effort] = [new Notebook(goal), newRunProgress(), EFFORT_LIMITS.medium]
  const step = { tool: 'scrape', input: { url: HOME } } as const
  applyStepResult(notebook, progress, step, { tool: 'scrape', page: makePage(HOME, links) })
  const map = { tool: 'map', input: { url: HOME, search: '' } } as const
  for (let n = 0; n < 2; n++) applyStepResult(notebook, progress, map, { tool: 'map', links: [] })
  const tokens = TokenBudget.open(effort.tokens)
  const state = { run: {} as never, goal, effort, notebook, progress, tokens, earlier: [] }
  return makeModelChooser(llm, asAgentTools(agentTools)).next(state, new AbortController().signal)
}

const FEW = [link('/about', 'About'), link('/otter', 'The boat Otter')]
const MANY = Array.from({ length: 400 }, (_, n) => link(`/news/item-${n}`, `News of the harbour, number ${n}`))

describe('a choice', () => {
  it('of a link that is not there is answered, and the next one counts', async () => {
    const plan = await choose(FEW, (text, n) => {
      if (n > 0) expect(text).toMatch(/There is no link 99: the links are 1 to 3/)
      return n === 0 ? read(99) : read(2)
    })
    expect(plan.steps).toMatchObject([{ input: { url: expect.stringMatching(/otter|about/) } }])
    expect(server.requests).toHaveLength(2)
  })

  it('that is wrong each time leaves the search to the rules', async () => {
    const plan = await choose(FEW, () => read(99))
    expect(plan.steps.length).toBeGreaterThan(0)
    expect(server.requests).toHaveLength(4)
  })

  it('sees what was done and its result, and is not offered what brought nothing twice', async () => {
    await choose(FEW, () => ({ calls: [{ name: 'finish', input: {} }] }))
    const [request] = server.requests
    expect(seen(request!)).toMatch(
      /Done so far → result:\n- scrape \S+ → 2 new links, 1 new values\n- map \S+ → 0 new links/,
    )
    expect(request!.tools!.map(({ function: { name } }) => name)).not.toContain('map')
    const parameters = request!.tools!.map(({ function: { parameters } }) => parameters as { required?: string[] })
    expect(parameters[0]!.required).toEqual(['links'])
  })

  it('has further pages of the list first, found by their numbers and never cut', async () => {
    const pages = Array.from({ length: 9 }, (_, n) => link(`/boats?page=${n + 2}`, String(n + 2)))
    const plan = await choose([...MANY, ...pages], (text) => {
      expect(text).toMatch(/^1\. 2 <\/boats\?page=2>/m)
      return read(numberOf(text, '/boats?page=10'))
    })
    expect(plan.steps).toMatchObject([{ input: { url: 'https://sea.example/boats?page=10' } }])
  })

  it('may ask for more links, which follow under their own numbers', async () => {
    const texts: string[] = []
    const plan = await choose(MANY, (text) => {
      texts.push(text)
      const wanted = numberOf(text, '/news/item-140')
      return wanted > 0 ? read(wanted) : { calls: [{ name: 'links', input: {} }] }
    })
    expect(texts[0]).toMatch(/\((\d+) more links, ask for them\.\)/)
    expect(texts.length).toBeGreaterThan(1)
    expect(plan.steps).toMatchObject([{ input: { url: 'https://sea.example/news/item-140' } }])
  })
})
