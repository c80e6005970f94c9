// `orb sync <url> <folder>`: keeps a folder of markdown files, and an index if one is named, true to a site. Made for
// cron.
import { setTimeout as wait } from 'node:timers/promises'
import type { Operation } from '../../capabilities/operation.ts'
import { type Command, CommandExitError, exitCodes, UsageError } from '../command.ts'
import { alignColumns, describeOperationFlags, describeOwnFlags, listFlagNames } from '../flag-help.ts'
import { type CommandFlag, parseFlags } from '../flags.ts'
import { readOperations } from '../operations-file.ts'
import { callService, connectionFlags, readConnection, requestJson, type ServiceConnection } from '../service-call.ts'
import { hashMarkdown, openSyncedFolder, type SyncedFolder } from './synced-folder.ts'

const POLL_MS = 700
const PAGES_AT_ONCE = 100
const EVERYTHING = '1970-01-01T00:00:00Z'

const OWN_FLAGS: readonly CommandFlag[] = [
  { name: 'delete', help: 'Remove the files of pages that no longer exist.' },
  {
    name: 'to',
    value: 'target',
    help: 'Also keep an index: postgres://…, qdrant+http://host:6333/collection, opensearch+http://host:9200/index, or a command that reads JSONL.',
  },
  { name: 'json', help: 'Print the counts as JSON.' },
  ...connectionFlags,
]

interface Page {
  change: 'new' | 'changed' | 'same' | 'removed'
  markdown?: string | null
  /** Values by schema or extractor, where the caller asked for them. */
  json?: unknown
  metadata: { url: string; sourceURL: string; title?: string | string[] }
}

interface Status {
  status: string
  error?: string
  completedAt?: string
  creditsUsed: number
  data: Page[]
}

type Counts = Record<Page['change'] | 'mended' | 'failed', number>

const crawlInputs = () => {
  const crawl = readOperations().find(({ name }) => name === 'crawl') as Operation
  const { properties, required } = crawl.inputs()
  const { url: _, since: __, changesOnly: ___, webhook: ____, ...rest } = properties
  return { properties: rest, required: required.filter((name) => name in rest) }
}

export const syncCommand: Command = {
  name: 'sync',
  usage: 'sync <url> <folder> [flags]',
  summary: 'keep a folder of markdown files, or an index, in sync with a site',
  group: 'Get pages',
  details: () => alignColumns([...describeOperationFlags(crawlInputs(), []), ...describeOwnFlags(OWN_FLAGS)]),
  flags: () => listFlagNames(crawlInputs(), [], OWN_FLAGS),
  async run(args) {
    const { given, own, positionals } = parseFlags(args, crawlInputs(), OWN_FLAGS)
    const [url, root, extra] = positionals
    if (!url || !root) throw new UsageError(`${url ? '<folder>' : '<url>'} is missing`)
    if (extra) throw new UsageError(`unexpected argument: ${extra}`)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    const folder = openSyncedFolder(root)
    try {
      const connection = await readConnection(own)
      const counts = await run({ url, given, own, folder, connection, signal: stop.signal })
      console.log(own.json === true ? JSON.stringify(counts) : textOf(counts))
      return exitCodes.done.code
    } finally {
      folder.close()
    }
  },
}

interface Run {
  url: string
  given: Record<string, unknown>
  own: Readonly<Record<string, string | true>>
  folder: SyncedFolder
  connection: ServiceConnection
  signal: AbortSignal
}

async function run({ url, given, own, folder, connection, signal }: Run): Promise<Counts> {
  const target = typeof own.to === 'string' ? own.to : undefined
  const options = (given.scrapeOptions ?? {}) as { formats?: unknown[] }
  const formats = withFormats(options.formats ?? [], target ? ['markdown', 'chunks'] : ['markdown'])
  const body = { ...given, url, scrapeOptions: { ...options, formats } }
  const of = hashMarkdown(JSON.stringify([body, target]))
  const call = <Reply>(method: string, path: string, body?: object) =>
    requestJson<Reply>(connection, { method, path, body }, signal)
  const since = folder.since(of) ?? EVERYTHING
  const started = await call<{ id: string }>('POST', '/v2/crawl', { ...body, since })
  const counts: Counts = { new: 0, changed: 0, same: 0, removed: 0, mended: 0, failed: 0 }
  const time = new Date().toISOString()
  const broken: string[] = []
  let status: Status
  for (let seen = 0; ; ) {
    status = await call('GET', `/v2/crawl/${started.id}?skip=${seen}&limit=${PAGES_AT_ONCE}`)
    for (const page of status.data) {
      counts[page.change] += 1
      apply(folder, page, time, own.delete === true)
      if (page.change === 'same' && !folder.isWhole(page.metadata.url)) broken.push(page.metadata.url)
    }
    seen += status.data.length
    if (status.data.length > 0) continue
    if (status.status !== 'scraping') break
    await wait(POLL_MS, undefined, { signal })
  }
  if (status.status !== 'completed')
    throw new CommandExitError(`The crawl ${status.status}${status.error ? `: ${status.error}` : ''}`)
  const { errors } = await call<{ errors: unknown[] }>('GET', `/v2/crawl/${started.id}/errors`)
  counts.failed = errors.length
  for (const page of broken) {
    const scraped = await call<{ data: Page }>('POST', '/v2/scrape', { ...options, formats, url: page })
    counts.mended += apply(folder, { ...scraped.data, change: 'changed' }, time, false) ? 1 : 0
  }
  if (target) {
    const { openSyncTarget } = await import('./sync-targets.ts')
    const path = `/v2/crawl/${started.id}/download?as=chunks`
    const { status: code, text } = await callService(connection, { method: 'GET', path }, signal)
    if (code !== 200) throw new CommandExitError(`The chunks could not be fetched (${code})`)
    await (await openSyncTarget(target))(linesIn(text), signal)
  }
  // Last, so that a run that ends before this is done again.
  folder.end({ at: status.completedAt ?? time, of })
  return counts
}

function withFormats(formats: readonly unknown[], needed: readonly string[]): unknown[] {
  const has = (type: string) => formats.some((one) => one === type || (one as { type?: string })?.type === type)
  return [...formats, ...needed.filter((type) => !has(type))]
}

function* linesIn(text: string): Generator<string> {
  for (const line of text.split('\n')) if (line !== '') yield line
}

function apply(folder: SyncedFolder, { change, markdown, json, metadata }: Page, time: string, mayDelete: boolean) {
  if (change === 'removed') return mayDelete && folder.remove(metadata.url)
  if (change === 'same' || typeof markdown !== 'string') return false
  return folder.write({ url: metadata.url, markdown, title: [metadata.title].flat()[0], data: json, time })
}

const textOf = (counts: Counts): string =>
  `${counts.new} new, ${counts.changed} changed, ${counts.removed} removed, ${counts.same} the same` +
  `${counts.mended > 0 ? `, ${counts.mended} files mended` : ''}${counts.failed > 0 ? `, ${counts.failed} failed` : ''}`
