// The language model of the service, for its operator: what is in use, what was learnt about it, another one without a
// restart, and a test.
import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import type { Exchange } from '../../llm/recording.ts'
import { MODEL_KEY, MODEL_SETTING } from '../../store/settings.ts'
import { teamStore } from '../../teams/store/index.ts'
import type { Route } from '../route.ts'
import { type Has, route } from './needs.ts'
import { type ModelShown, modelTestReply, modelReply as reply } from './schema.ts'

const PATH = '/v2/admin/model'
const tag = 'Administration'
const bucket = 'account'

const webUrl = z.url({ protocol: /^https?$/ }).max(2000)

const chosen = z.strictObject({
  url: webUrl.describe('An OpenAI-compatible endpoint, such as http://localhost:11434/v1.'),
  model: z.string().min(1).max(200).describe('Its name there.'),
  endpointKey: z
    .string()
    .max(2000)
    .optional()
    .describe('The key that the endpoint wants. Left out: it stays as it is for the same endpoint. Empty: none.'),
})

function stateOf({ models }: Has): ModelShown {
  const { llm, choice, environment } = models
  const learnt = llm.facts()
  const used = choice ?? environment
  return {
    from: choice ? 'dashboard' : used ? 'environment' : 'none',
    url: used?.url ?? null,
    model: used?.model ?? null,
    hasKey: Boolean(used?.key),
    facts: learnt
      ? {
          json: learnt.json,
          tools: learnt.tools,
          contextTokens: learnt.contextTokens ?? null,
          answers: learnt.answers,
          secondsPerAnswer: learnt.answers > 0 ? learnt.answerMs / learnt.answers / 1000 : null,
          tokensPerSecond: learnt.answerMs > 0 ? (learnt.writtenTokens / learnt.answerMs) * 1000 : null,
          trouble: learnt.trouble ?? null,
        }
      : null,
  }
}

const show = route({
  method: 'GET',
  path: PATH,
  right: 'operator',
  summary: 'The language model of the service, and what was learnt about it',
  tag,
  bucket,
  reply,
  async handle(has) {
    return { success: true, data: stateOf(has) }
  },
})

const change = route({
  method: 'PUT',
  path: PATH,
  right: 'operator',
  summary: 'Use another language model from now on',
  tag,
  bucket,
  body: chosen,
  example: { url: 'http://localhost:11434/v1', model: 'qwen3:8b' },
  reply,
  async handle(has, { body }, { caller, signal }) {
    const { store, models } = has
    // A key stays with the origin that it was given for.
    const isSame = models.choice !== undefined && originOf(models.choice.url) === originOf(body.url)
    const key = body.endpointKey ?? (isSame ? models.choice?.key : undefined) ?? ''
    await store.settings.set(MODEL_SETTING, JSON.stringify({ url: body.url, model: body.model }))
    await store.settings.set(MODEL_KEY, key)
    models.use({ url: body.url, model: body.model, ...(key === '' ? {} : { key }) })
    await models.llm.probe(signal)
    await teamStore(store).audit.add({ ...about(caller), details: { model: body.model, url: body.url } })
    return { success: true, data: stateOf(has) }
  },
})

const remove = route({
  method: 'DELETE',
  path: PATH,
  right: 'operator',
  summary: 'Use the language model of the settings again, or none',
  tag,
  bucket,
  reply,
  async handle(has, _input, { caller }) {
    const { store, models } = has
    await store.settings.set(MODEL_SETTING, '')
    await store.settings.set(MODEL_KEY, '')
    models.use(undefined)
    await teamStore(store).audit.add({ ...about(caller), details: { model: 'as the settings say' } })
    return { success: true, data: stateOf(has) }
  },
})

const test = route({
  method: 'POST',
  path: `${PATH}/test`,
  right: 'operator',
  summary: 'Have the language model read a text, and show what it was asked and said',
  tag,
  bucket,
  body: z.strictObject({
    text: z.string().min(1).max(20_000).describe('A page as markdown.'),
    prompt: z.string().min(1).max(1000).default('What is this page about? Its title and up to five main facts.'),
  }),
  example: { text: '# Trail Lamp 300\n\nPrice: 49.90 euros' },
  reply: modelTestReply,
  async handle({ models }, { body }, { signal }) {
    if (models.llm.by !== 'model') throw new Problem('conflict', { instead: 'No language model is set.' })
    const exchanges: Exchange[] = []
    const ask = { text: () => body.text, schema: undefined, prompt: body.prompt, found: null }
    const began = performance.now()
    const { value, by, usage, warnings } = await models.watching(
      (exchange) => exchanges.push(exchange),
      () => models.llm.extract(ask, signal),
    )
    const prompts = exchanges.flatMap(({ request }) =>
      request.messages.map(({ role, content }) => `${role}: ${content}`),
    )
    return {
      success: true,
      data: {
        by,
        value,
        prompt: prompts.join('\n\n'),
        answer: exchanges.map(({ said }) => said).join('\n\n'),
        ms: Math.round(performance.now() - began),
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        warnings: [...warnings],
      },
    }
  },
})

const originOf = (url: string): string => new URL(url).origin

const about = ({ teamId, keyId }: { teamId: string; keyId: string }) => ({
  teamId,
  actor: keyId,
  action: 'team.changed' as const,
  subject: teamId,
})

export const modelRoutes: readonly Route<Has>[] = [show, change, remove, test]
