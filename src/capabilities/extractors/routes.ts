// Extractors: taught by one or a few pages with their values, they read a site's other pages without a model.
import { isoTime } from '../../base/clock.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import { scrapeBody } from '../../scrape/scrape-options.ts'
import { newId } from '../../store/id.ts'
import type { Program } from '../../understanding/learn/program-types.ts'
import { defineCapability } from '../capability.ts'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import { scrapeAndCharge } from '../scrape-and-charge.ts'
import { healExtractor } from './heal.ts'
import { openModelTeaching, readLearnSetting, writeLearnSetting } from './learn-from-model.ts'
import { mcp } from './mcp.ts'
import { defineRoute, type HandlerServices, type OwnServices } from './own-services.ts'
import { programForSchema } from './program-for-schema.ts'
import {
  changeBody,
  examplesBody,
  extractorBody,
  extractorListReply,
  extractorReply,
  removedReply,
  settingsBody,
  settingsReply,
  testBody,
  testReply,
  versionQuery,
} from './schema.ts'
import { extractorStore, type StoredExtractor } from './store/index.ts'
import { isInScope, learnFromExamples } from './teach.ts'
import { queueDriftWebhook, watchDrift } from './watch-drift.ts'

const PATH = '/v2/extractors'
const MAX_OFFERED = 3
/** The same text for every id, so that a caller learns nothing of other teams' extractors. */
const noExtractor = () => new Problem('not_found', { instead: 'There is no extractor with this id or name' })

const fieldNames = ({ fields, records }: Program): string[] => Object.keys(records?.fields ?? fields)

const factsOf = ({ id, name, version, made, scope, program, stats, createdAt }: StoredExtractor) => ({
  ...{ id, name, version, made, scope, fields: fieldNames(program) },
  ...{ pages: stats.pages, drifted: stats.drifted, createdAt: isoTime(createdAt) },
})

const wholeOf = (one: StoredExtractor) => {
  const { schema, program, examples } = one
  return { ...factsOf(one), schema, program: program as unknown as Record<string, unknown>, examples }
}

async function findOrThrow(
  { store }: Pick<HandlerServices, 'store'>,
  teamId: string,
  reference = '',
  version?: number,
) {
  const found = await extractorStore(store).get(teamId, reference, version)
  if (!found) throw noExtractor()
  return found
}

async function save(services: HandlerServices, one: Omit<StoredExtractor, 'createdAt' | 'stats'>) {
  const { store } = services
  if (one.name) {
    const other = await extractorStore(store).get(one.teamId, one.name)
    if (other && other.id !== one.id)
      throw new Problem('bad_request', { because: `the name ${one.name} is used by the extractor ${other.id}` })
  }
  if (!(await extractorStore(store).add(one)))
    throw new Problem('conflict', { because: 'the extractor was changed at the same time; read it and try again' })
  return findOrThrow(services, one.teamId, one.id)
}

const create = defineRoute({
  method: 'POST',
  path: PATH,
  activity: 'extractor',
  summary: 'Teach an extractor with pages and their values, or write one by hand',
  command: 'extractor teach',
  bucket: 'scrape',
  formats: () => ['json'],
  body: extractorBody,
  example: { examples: [{ url: 'https://example.com/p/1', data: { title: 'Lamp', price: 49 } }] },
  reply: extractorReply,
  async handle(services, { body }, call) {
    const { name = null, schema = null, examples, webhook = null } = body
    for (const { url } of examples ?? []) if (url) services.assertVisitable(url)
    const taught = examples && (await learnFromExamples(services, examples, schema, call))
    const byHand = body.program ?? { records: body.records ?? null, fields: body.fields ?? {}, marks: [] }
    const id = newId(services.clock.now())
    const made = await save(services, {
      ...{ teamId: call.caller.teamId, id, name, version: 1, schema, webhook },
      program: taught?.program ?? (byHand as Program),
      scope: { ...(taught?.scope ?? { like: '/*' }), hosts: body.hosts ?? taught?.scope.hosts ?? [] },
      examples: taught?.examples ?? [],
      made: taught ? 'taught' : 'edited',
    })
    return { success: true, id, data: { ...wholeOf(made), ...(taught ? { notFound: taught.notFound } : {}) } }
  },
})

const list = defineRoute({
  method: 'GET',
  path: PATH,
  summary: 'List the extractors, newest first',
  command: 'extractor list',
  bucket: 'jobStatus',
  reply: extractorListReply,
  async handle({ store }, _input, { caller }) {
    return { success: true, data: (await extractorStore(store).list(caller.teamId)).map(factsOf) }
  },
})

const get = defineRoute({
  method: 'GET',
  path: `${PATH}/:id`,
  summary: 'Read an extractor with its program and versions',
  command: 'extractor show',
  bucket: 'jobStatus',
  query: versionQuery,
  reply: extractorReply,
  async handle(services, { params, query }, { caller }) {
    const one = await findOrThrow(services, caller.teamId, params.id, query.version)
    const versions = await extractorStore(services.store).versions(caller.teamId, one.id)
    const shown = versions.map(({ version, made, createdAt }) => ({ version, made, createdAt: isoTime(createdAt) }))
    return { success: true, id: one.id, data: { ...wholeOf(one), versions: shown } }
  },
})

const change = defineRoute({
  method: 'PATCH',
  path: `${PATH}/:id`,
  summary: 'Edit an extractor: a new version',
  command: 'extractor edit',
  bucket: 'account',
  body: changeBody,
  reply: extractorReply,
  async handle(services, { params, body }, { caller }) {
    const one = await findOrThrow(services, caller.teamId, params.id)
    const base = body.version === undefined ? one : await findOrThrow(services, caller.teamId, one.id, body.version)
    const made = await save(services, {
      ...base,
      name: body.name ?? one.name,
      schema: body.schema ?? base.schema,
      program: (body.program as Program | undefined) ?? base.program,
      scope: { ...base.scope, hosts: body.hosts ?? base.scope.hosts },
      webhook: body.webhook === undefined ? base.webhook : body.webhook,
      version: one.version + 1,
      made: 'edited',
    })
    return { success: true, id: one.id, data: wholeOf(made) }
  },
})

const remove = defineRoute({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete an extractor with all its versions',
  command: 'extractor delete',
  bucket: 'account',
  reply: removedReply,
  async handle(services, { params }, { caller }) {
    const { id } = await findOrThrow(services, caller.teamId, params.id)
    await extractorStore(services.store).remove(caller.teamId, id)
    return { success: true }
  },
})

const addExamples = defineRoute({
  method: 'POST',
  path: `${PATH}/:id/examples`,
  activity: 'extractor',
  summary: 'Correct an extractor with further pages and their values',
  command: 'extractor correct',
  bucket: 'scrape',
  formats: () => ['json'],
  body: examplesBody,
  example: { examples: [{ url: 'https://example.com/p/2', data: { title: 'Chair', price: 89 } }] },
  reply: extractorReply,
  async handle(services, { params, body }, call) {
    const one = await findOrThrow(services, call.caller.teamId, params.id)
    const corrected = new Set(body.examples.map(({ url }) => url))
    const examples = [...one.examples.filter(({ url }) => !corrected.has(url)), ...body.examples].slice(-10)
    const { notFound, ...taught } = await learnFromExamples(services, examples, one.schema, call)
    const made = await save(services, { ...one, ...taught, version: one.version + 1, made: 'taught' })
    return { success: true, id: one.id, data: { ...wholeOf(made), notFound } }
  },
})

const test = defineRoute({
  method: 'POST',
  path: `${PATH}/:id/test`,
  activity: 'extractor',
  summary: 'Read several pages with an extractor, as a table',
  command: 'extractor test',
  bucket: 'scrape',
  formats: () => ['json'],
  body: testBody,
  example: { urls: ['https://example.com/p/2', 'https://example.com/p/3'] },
  reply: testReply,
  async handle(services, { params, body }, call) {
    const { id } = await findOrThrow(services, call.caller.teamId, params.id)
    let creditsUsed = 0
    const data = []
    for (const url of body.urls) {
      try {
        const asked = validateInput(scrapeBody, { url, formats: [{ type: 'json', extractor: id }] })
        const scraped = await scrapeAndCharge(services, asked, call)
        creditsUsed += scraped.credits
        const { json, metadata } = scraped.document() as { json?: unknown; metadata: Record<string, unknown> }
        const { extractor, fields } = metadata.json as { extractor: { fit: number }; fields: Record<string, object> }
        data.push({ url, json: json ?? null, fit: extractor.fit, fields })
      } catch (error) {
        if (call.signal.aborted) throw error
        data.push({ url, json: null, fit: null, fields: {}, error: asProblem(error).message })
      }
    }
    return { success: true, data, creditsUsed }
  },
})

const readSettings = defineRoute({
  method: 'GET',
  path: `${PATH}/settings`,
  summary: 'Whether the team’s extractors learn from model responses',
  command: 'extractor settings',
  bucket: 'account',
  reply: settingsReply,
  async handle({ store }, _input, { caller }) {
    return { success: true, data: { learn: await readLearnSetting(store.settings, caller.teamId) } }
  },
})

const changeSettings = defineRoute({
  method: 'PUT',
  path: `${PATH}/settings`,
  right: 'admin',
  summary: 'Set whether the team’s extractors learn from model responses',
  command: 'extractor configure',
  bucket: 'account',
  body: settingsBody,
  reply: settingsReply,
  async handle({ store }, { body }, { caller }) {
    await writeLearnSetting(store.settings, caller.teamId, body.learn)
    return { success: true, data: body }
  },
})

function open({ store, clock, log, services, learnFromPages }: CapabilityContext): OpenedCapability<OwnServices> {
  const extractors = extractorStore(store)
  /** The nearest first; those of callers before those that a model taught. */
  const ofPage = async (teamId: string, url: string): Promise<StoredExtractor[]> => {
    const fitting = (await extractors.list(teamId)).filter(({ scope }) => isInScope(scope, url))
    const isOfModel = ({ made }: StoredExtractor) => (made === 'model' ? 1 : 0)
    return fitting.sort((a, b) => isOfModel(a) - isOfModel(b) || b.scope.like.length - a.scope.like.length)
  }
  const noteFailure = (extractor: string) => (error: unknown) => {
    log.warn({ extractor, error }, 'an extractor could not be healed')
    return undefined
  }
  const watcher = watchDrift({
    log,
    get: (teamId, id) => extractors.get(teamId, id),
    setStats: (one, stats) => extractors.setStats(one, stats),
    store: ({ teamId, id }, page) => extractors.rememberPage(teamId, id, page),
    async onDrift(one, drift, url) {
      const { id, name, examples } = one
      // Programs of a model are taught again by its next answer.
      const heal = () => healExtractor({ ...services(), learnFromPages }, one, drift)
      const healed = one.made === 'model' ? undefined : await heal().catch(noteFailure(one.id))
      const fields = healed ? healed.lost : drift.fields
      log.warn({ extractor: id, fields, healed: healed?.version, url }, 'a site changed what an extractor reads')
      if (healed && fields.length === 0) return
      const pages = { url, taught: examples.map((example) => example.url) }
      const version = healed?.version ?? one.version
      const data = { id, name, version, ...drift, fields, ...pages }
      await queueDriftWebhook(services(), one, data)
    },
  })
  return {
    own: { learnFromPages },
    services: {
      extractors: {
        report: watcher.report,
        ...openModelTeaching({ extractors, settings: store.settings, clock, log, learnFromPages }),
        async find(teamId, reference, url) {
          return reference === 'auto' ? (await ofPage(teamId, url))[0] : findOrThrow({ store }, teamId, reference)
        },
        async forSchema(teamId, schema, url) {
          const all = await ofPage(teamId, url)
          return all
            .filter(({ made }) => made !== 'model')
            .flatMap((one) => {
              const program = programForSchema(one.program, schema)
              return program ? { ...one, program } : []
            })
            .slice(0, MAX_OFFERED)
        },
      },
    },
  }
}

export const extractorsCapability = defineCapability({
  name: 'extractors',
  tag: 'Extractors',
  right: 'use',
  cliGroup: 'Work with pages',
  mcp,
  group: 'extractors',
  storage: extractorStore,
  open,
  prices: [{ what: 'a page read by an extractor, or to learn from', credits: 1 }],
  routes: [create, list, readSettings, changeSettings, get, change, remove, addExamples, test],
})
