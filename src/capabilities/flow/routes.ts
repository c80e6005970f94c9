// Flows: steps in a browser, stored with versions, edited, and run again without a model.

import { isoTime } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import type { Flow } from '../../driving/flow-steps-and-element-descriptors.ts'
import { replaceByParameters } from '../../driving/record-steps.ts'
import { scrapeBody } from '../../scrape/scrape-options.ts'
import { requestedFormats } from '../../teams/key-restrictions.ts'
import { assertRight } from '../../teams/key-rights.ts'
import type { Caller } from '../../teams/keys.ts'
import { defineCapability } from '../capability.ts'
import { makeRouteBuilder, type Services, type ServicesWith } from '../route.ts'
import { scrapeAndCharge } from '../scrape-and-charge.ts'
import { makeFlowTools, mcp } from './mcp.ts'
import { openFlowRunner, resolveFlowParameters, startUrlOfFlow } from './run-stored-flows.ts'
import {
  declareUsedParameters,
  flowBody,
  flowFromSessionBody,
  flowListReply,
  flowNameSchema,
  flowQuery,
  flowRemovedReply,
  flowReply,
  flowSavedReply,
  playwrightScriptReply,
  recordedStepsQuery,
  recordedStepsReply,
  runFlowBody,
  runFlowReply,
} from './schema.ts'
import { flowStore, type StoredFlow } from './store/index.ts'
import { vaultRoutes } from './vault-routes.ts'
import { writePlaywrightScript } from './write-playwright-script.ts'

const defineRoute = makeRouteBuilder<ServicesWith<'browserSessions'>>()

async function flowNamed({ store }: Services, teamId: string, name: string, version?: number): Promise<StoredFlow> {
  const flow = await flowStore(store).flows.get(teamId, name, version)
  if (!flow) throw new Problem('flow_not_found')
  return flow
}

/** A key without the right must not have another one sign in for it. */
function assertMaySignIn(caller: Caller, { steps }: Pick<Flow, 'steps'>): void {
  if (steps.some(({ type }) => type === 'login')) assertRight(caller, 'vault')
}

const record = defineRoute({
  method: 'POST',
  path: '/v2/interact/:sessionId/flow',
  summary: 'Save the steps of a session as a flow',
  command: 'session flow',
  bucket: 'account',
  formats: () => ['browser session'],
  body: flowFromSessionBody,
  example: { name: 'report', parameters: { city: 'Ghent' } },
  reply: flowSavedReply,
  async handle({ store, browserSessions }, { body, params }, { caller, signal }) {
    const row = await browserSessions.find(caller.teamId, params.sessionId ?? '')
    const recorded = await browserSessions.recorded(row, true, signal)
    if (recorded.steps.length === 0)
      throw new Problem('bad_request', { because: 'nothing was done in this session yet' })
    const { flow: made, unused } = replaceByParameters(recorded, body.parameters ?? {})
    if (unused.length > 0)
      throw new Problem('bad_request', {
        because: `no step has the value of ${unused.map((name) => `\`${name}\``).join(', ')}`,
      })
    const kept = declareUsedParameters(validateInput(flowBody, made))
    assertMaySignIn(caller, kept)
    const version = await flowStore(store).flows.add(caller.teamId, body.name, kept)
    return { success: true, name: body.name, version, ...kept }
  },
})

const recorded = defineRoute({
  method: 'GET',
  path: '/v2/interact/:sessionId/steps',
  summary: 'Read the steps of a session, in the form of a flow',
  command: 'session steps',
  bucket: 'jobStatus',
  formats: () => ['browser session'],
  query: recordedStepsQuery,
  reply: recordedStepsReply,
  async handle({ browserSessions }, { params, query }, { caller, signal }) {
    const row = await browserSessions.find(caller.teamId, params.sessionId ?? '')
    return { success: true, ...(await browserSessions.recorded(row, query.ended === 'true', signal)) }
  },
})

const list = defineRoute({
  method: 'GET',
  path: '/v2/flow',
  summary: 'List the flows',
  command: 'flow list',
  bucket: 'jobStatus',
  reply: flowListReply,
  async handle({ store }, _input, { caller }) {
    const flows = await flowStore(store).flows.list(caller.teamId)
    return {
      success: true,
      flows: flows.map(({ createdAt, steps, ...facts }) => ({
        ...facts,
        steps: steps.length,
        createdAt: isoTime(createdAt),
      })),
    }
  },
})

const get = defineRoute({
  method: 'GET',
  path: '/v2/flow/:name',
  summary: 'Read a flow',
  command: 'flow get',
  bucket: 'jobStatus',
  query: flowQuery,
  reply: flowReply,
  async handle(services, { params, query }, { caller }) {
    const { createdAt, ...flow } = await flowNamed(services, caller.teamId, params.name ?? '', query.version)
    const versions = await flowStore(services.store).flows.versions(caller.teamId, flow.name)
    return {
      success: true,
      ...flow,
      createdAt: isoTime(createdAt),
      versions: versions.map((one) => ({ version: one.version, createdAt: isoTime(one.createdAt) })),
    }
  },
})

const put = defineRoute({
  method: 'PUT',
  path: '/v2/flow/:name',
  summary: 'Store a flow, or a new version of it',
  command: 'flow save',
  bucket: 'account',
  body: flowBody,
  example: {
    steps: [
      { type: 'open', url: 'https://example.com/search' },
      { type: 'type', target: { role: 'searchbox', name: 'Search' }, value: '{{words}}' },
      { type: 'press', key: 'Enter' },
    ],
  },
  reply: flowSavedReply,
  async handle({ store }, { body, params }, { caller }) {
    const name = validateInput(flowNameSchema, params.name)
    const flow = declareUsedParameters(body)
    assertMaySignIn(caller, flow)
    const version = await flowStore(store).flows.add(caller.teamId, name, flow)
    return { success: true, name, version, ...flow }
  },
})

const remove = defineRoute({
  method: 'DELETE',
  path: '/v2/flow/:name',
  summary: 'Delete a flow with all its versions',
  command: 'flow delete',
  bucket: 'account',
  reply: flowRemovedReply,
  async handle({ store }, { params }, { caller }) {
    if (!(await flowStore(store).flows.remove(caller.teamId, params.name ?? ''))) throw new Problem('flow_not_found')
    return { success: true }
  },
})

const script = defineRoute({
  method: 'GET',
  path: '/v2/flow/:name/playwright',
  summary: 'Export a flow as a Playwright script',
  command: 'flow export',
  bucket: 'jobStatus',
  query: flowQuery,
  reply: playwrightScriptReply,
  async handle(services, { params, query }, { caller }) {
    const flow = await flowNamed(services, caller.teamId, params.name ?? '', query.version)
    return { success: true, script: writePlaywrightScript(flow.name, flow) }
  },
})

const run = defineRoute({
  method: 'POST',
  path: '/v2/flow/:name/run',
  activity: 'scrape',
  summary: 'Run a flow in a fresh browser',
  command: 'flow run',
  bucket: 'scrape',
  formats: (body) => ['flow action', ...requestedFormats(body, ['markdown'])],
  body: runFlowBody,
  example: { with: { city: 'Ghent' }, formats: ['markdown'] },
  reply: runFlowReply,
  async handle(services, { body, params }, call) {
    const { with: given, version, ...options } = body
    const flow = await flowNamed(services, call.caller.teamId, params.name ?? '', version)
    const url = startUrlOfFlow(flow, resolveFlowParameters(flow, given, true))
    call.note({ target: url })
    const action = {
      type: 'flow' as const,
      name: flow.name,
      version: flow.version,
      with: given,
      private: true as const,
    }
    const scrape = { ...validateInput(scrapeBody, { ...options, url }), actions: [action] }
    const scraped = await scrapeAndCharge(services, scrape, call)
    const { actions, ...document } = scraped.document()
    const { flows, screenshots } = actions as { flows: object[]; screenshots: string[] }
    return { success: true, ...flows[0], screenshots, document, scrape_id: scraped.id }
  },
})

export const flowCapability = defineCapability({
  name: 'flow',
  tag: 'Flows',
  needs: ['browserSessions'],
  right: 'use',
  cliGroup: 'Work with pages',
  mcp,
  group: 'browser',
  storage: flowStore,
  open: openFlowRunner,
  teamTools: async ({ store }, teamId) => makeFlowTools(await flowStore(store).flows.list(teamId)),
  routes: [record, recorded, list, get, put, remove, script, run, ...vaultRoutes],
})
