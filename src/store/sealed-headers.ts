// Encrypts the header maps of stored requests and the values of their flows: they carry tokens, cookies and what is
// typed. The rest stays readable, because `forget` searches it for hosts.
import { isObject } from '../base/values.ts'
import type { PageStore } from './captures-and-scrapes.ts'
import type { Job, Jobs } from './jobs.ts'
import { type Sealer, sealText, unsealText } from './sealed-documents.ts'

export interface HeaderSealer {
  seal<T>(value: T): T
  openText<T extends string | null>(text: T): T
  open<T>(value: T): T
}

interface Requests {
  database: { headers: HeaderSealer }
  jobs: Jobs
  pages: PageStore
}

export function withSealedHeaders<T extends Requests>(store: T): T {
  const { headers } = store.database
  return {
    ...store,
    jobs: sealedJobs(store.jobs, headers),
    pages: sealedScrapes(store.pages, headers),
  }
}

const FIELDS: ReadonlySet<string> = new Set(['headers', 'with'])

export function makeHeaderSealer(sealer: Sealer): HeaderSealer {
  const isMap = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0
  const sealField = (name: string, value: unknown): unknown =>
    FIELDS.has(name) && isMap(value) ? sealText(JSON.stringify(value), sealer) : value
  const opening = (name: string, value: unknown): unknown => {
    if (!FIELDS.has(name) || typeof value !== 'string') return value
    const text = unsealText(value, sealer)
    return text === value ? value : JSON.parse(text)
  }
  const open = (text: string): string =>
    [...FIELDS].some((name) => text.includes(`"${name}":"`)) ? JSON.stringify(JSON.parse(text, opening)) : text
  return {
    seal: (value) => (value === null || value === undefined ? value : JSON.parse(JSON.stringify(value, sealField))),
    openText: (text) => (text === null ? text : (open(text) as typeof text)),
    open: (value) => (value === null || value === undefined ? value : JSON.parse(JSON.stringify(value), opening)),
  }
}

function sealedJobs(jobs: Jobs, { seal, open, openText }: HeaderSealer): Jobs {
  const openJob = (job: Job): Job => ({ ...job, settings: openText(job.settings), webhook: openText(job.webhook) })
  const one = async (job: Promise<Job | undefined>): Promise<Job | undefined> => {
    const found = await job
    return found && openJob(found)
  }
  const all = async (list: Promise<Job[]>): Promise<Job[]> => (await list).map(openJob)
  return {
    ...jobs,
    add: (tx, job) => {
      const { settings, webhook, options } = job
      return jobs.add(tx, { ...job, settings: seal(settings), webhook: seal(webhook), options: seal(options) })
    },
    addOptions: (tx, jobId, body) => jobs.addOptions(tx, jobId, seal(body)),
    options: async (jobId, n) => open(await jobs.options(jobId, n)),
    get: (id) => one(jobs.get(id)),
    hold: (tx, id) => one(jobs.hold(tx, id)),
    list: (teamId, which) => all(jobs.list(teamId, which)),
    running: (teamId, kind, limit) => all(jobs.running(teamId, kind, limit)),
    overdue: (limit) => all(jobs.overdue(limit)),
    change: (tx, id, change) =>
      jobs.change(tx, id, 'settings' in change ? { ...change, settings: seal(change.settings) } : change),
  }
}

function sealedScrapes(pages: PageStore, { seal, open }: HeaderSealer): PageStore {
  const hasHeaders = (options: unknown): boolean => Boolean((options as { headers?: unknown } | null)?.headers)
  return {
    ...pages,
    record(tx, record) {
      const { scrape } = record
      if (!hasHeaders(scrape.options)) return pages.record(tx, record)
      return pages.record(tx, { ...record, scrape: { ...scrape, options: seal(scrape.options) } })
    },
    async getScrape(teamId, id) {
      const found = await pages.getScrape(teamId, id)
      return found && hasHeaders(found.options) ? { ...found, options: open(found.options) } : found
    },
  }
}
