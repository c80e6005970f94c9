// Reads, changes and tests the language model of the service (operator) or of a team (its admins, where allowed),
// without a restart.
import { z } from 'zod'
import { withCallContext } from '../../base/call-context.ts'
import { Problem } from '../../base/problem.ts'
import { type ModelChoice, writeModelKey } from '../../llm/current-model.ts'
import type { ModelExchange } from '../../llm/model-exchange.ts'
import type { Store } from '../../store/index.ts'
import { MODEL_KEY_SETTING, MODEL_SETTING, teamModelKeyName, teamModelSettingName } from '../../store/settings.ts'
import { teamStore } from '../../teams/store/index.ts'
import { defineRoute, type Route, type Services } from '../route.ts'
import { modelTestReply, modelReply as reply, type ShownModel } from './schema.ts'

const webUrl = z.url({ protocol: /^https?$/ }).max(2000)

const chosen = z.strictObject({
  url: webUrl.describe('An OpenAI-compatible endpoint, such as http://localhost:11434/v1.'),
  model: z.string().min(1).max(200).describe('Its name there.'),
  endpointKey: z
    .string()
    .max(2000)
    .optional()
    .describe('The key of the endpoint. If absent, the stored key is kept for the same endpoint. Empty: none.'),
})

interface Owner {
  path: string
  right: 'operator' | 'admin'
  whose: string
  /** The team that `models.llm` answers for; undefined: the service. */
  run(teamId: string): string | undefined
  choice(has: Services, teamId: string): ModelChoice | undefined
  use(has: Services, teamId: string, choice: ModelChoice | undefined): void
  settings(teamId: string): { setting: string; key: string }
  /** Throws unless the model may be changed, and may be set to this endpoint. */
  assertMay(has: Services, url?: string): void
  otherwise(has: Services): Pick<ShownModel, 'from' | 'url' | 'model' | 'hasKey'>
}

const NONE = { from: 'none', url: null, model: null, hasKey: false } as const

const ofService: Owner = {
  path: '/v2/admin/model',
  right: 'operator',
  whose: 'the service',
  run: () => undefined,
  choice: ({ models }) => models.choice,
  use: ({ models }, _teamId, choice) => models.use(choice),
  settings: () => ({ setting: MODEL_SETTING, key: MODEL_KEY_SETTING }),
  assertMay: () => undefined,
  otherwise({ models: { environment } }) {
    if (!environment) return NONE
    return { from: 'environment', url: environment.url, model: environment.model, hasKey: Boolean(environment.key) }
  },
}

const ofTeam: Owner = {
  path: '/v2/admin/team-model',
  right: 'admin',
  whose: 'the team',
  run: (teamId) => teamId,
  choice: ({ models }, teamId) => models.choiceOf(teamId),
  use: ({ models }, teamId, choice) => models.useFor(teamId, choice),
  settings: (teamId) => ({ setting: teamModelSettingName(teamId), key: teamModelKeyName(teamId) }),
  assertMay({ models, assertVisitable }, url) {
    if (!models.mayTeams)
      throw new Problem('forbidden', { because: 'the operator does not let teams choose their model (ORB_LLM_TEAMS)' })
    if (url !== undefined) assertVisitable(url)
  },
  // The operator's endpoint is not the team's to see.
  otherwise: ({ models }) => ({ ...NONE, from: models.llm.by === 'model' ? 'service' : 'none' }),
}

function stateOf(has: Services, owner: Owner, teamId: string): ShownModel {
  const choice = owner.choice(has, teamId)
  const shown = choice
    ? ({ from: 'dashboard', url: choice.url, model: choice.model, hasKey: Boolean(choice.key) } as const)
    : owner.otherwise(has)
  const learnt = shown.from === 'service' ? undefined : has.models.llm.facts()
  return {
    ...shown,
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

function routesOf(owner: Owner): readonly Route<Services>[] {
  const { path, right, whose } = owner
  const common = { path, right, reply } as const
  const showSettings = async (has: Services, teamId: string) =>
    withCallContext({ teamId: owner.run(teamId) }, async () => ({
      success: true as const,
      data: stateOf(has, owner, teamId),
    }))

  const show = defineRoute({
    ...common,
    method: 'GET',
    summary: `The language model of ${whose} and its detected abilities`,
    async handle(has, _input, { caller }) {
      owner.assertMay(has)
      return showSettings(has, caller.teamId)
    },
  })

  const change = defineRoute({
    ...common,
    method: 'PUT',
    summary: `Set the language model of ${whose}`,
    body: chosen,
    example: { url: 'http://localhost:11434/v1', model: 'qwen3:8b' },
    async handle(has, { body }, { caller, signal }) {
      const { store, models } = has
      const { teamId } = caller
      owner.assertMay(has, body.url)
      // A key stays with the origin that it was given for.
      const before = owner.choice(has, teamId)
      const isSame = before !== undefined && originOf(before.url) === originOf(body.url)
      const key = body.endpointKey ?? (isSame ? before.key : undefined) ?? ''
      await storeChoice(store, owner.settings(teamId), body, key)
      owner.use(has, teamId, { url: body.url, model: body.model, ...(key === '' ? {} : { key }) })
      await withCallContext({ teamId: owner.run(teamId) }, () => models.llm.probe(signal))
      await teamStore(store).audit.add({ ...about(caller), details: { model: body.model, url: body.url } })
      return showSettings(has, teamId)
    },
  })

  const remove = defineRoute({
    ...common,
    method: 'DELETE',
    summary:
      right === 'operator'
        ? 'Use the language model of the settings again, or none'
        : 'Use the language model of the service again',
    async handle(has, _input, { caller }) {
      const { store } = has
      owner.assertMay(has)
      const names = owner.settings(caller.teamId)
      await store.settings.remove([names.setting, names.key])
      owner.use(has, caller.teamId, undefined)
      await teamStore(store).audit.add({ ...about(caller), details: { model: 'as the settings say' } })
      return showSettings(has, caller.teamId)
    },
  })

  const test = defineRoute({
    method: 'POST',
    path: `${path}/test`,
    right,
    summary: `Test the language model of ${whose} on a text, and show request and response`,
    body: z.strictObject({
      text: z.string().min(1).max(20_000).describe('A page as markdown.'),
      prompt: z.string().min(1).max(1000).default('What is this page about? Its title and up to five main facts.'),
    }),
    example: { text: '# Trail Lamp 300\n\nPrice: 49.90 euros' },
    reply: modelTestReply,
    handle: async (has, { body }, { caller, signal }) => {
      owner.assertMay(has)
      return withCallContext({ teamId: owner.run(caller.teamId) }, () => testModel(has, body, signal))
    },
  })
  return [show, change, remove, test]
}

async function storeChoice(
  { settings }: Store,
  names: { setting: string; key: string },
  { url, model }: { url: string; model: string },
  key: string,
): Promise<void> {
  // The key first: beside the address before it is that of another origin, and not read.
  await settings.set(names.key, key && writeModelKey(url, key))
  await settings.set(names.setting, JSON.stringify({ url, model }))
}

async function testModel(
  { models }: Services,
  { text, prompt }: { text: string; prompt: string },
  signal: AbortSignal,
) {
  if (models.llm.by !== 'model') throw new Problem('conflict', { instead: 'No language model is set.' })
  const exchanges: ModelExchange[] = []
  const ask = { text: () => text, schema: undefined, prompt, found: null }
  const began = performance.now()
  const { value, by, usage, warnings } = await models.watching(
    (exchange) => exchanges.push(exchange),
    () => models.llm.extract(ask, signal),
  )
  const prompts = exchanges.flatMap(({ request }) => request.messages.map(({ role, content }) => `${role}: ${content}`))
  return {
    success: true as const,
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
}

const originOf = (url: string): string => new URL(url).origin

const about = ({ teamId, keyId }: { teamId: string; keyId: string }) => ({
  teamId,
  actor: keyId,
  action: 'team.changed' as const,
  subject: teamId,
})

export const modelRoutes: readonly Route<Services>[] = [...routesOf(ofService), ...routesOf(ofTeam)]
