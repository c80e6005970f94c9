// An extraction without a schema reads its pages with the fields of the first one, because a model names them otherwise on
// each page. Until that page is read, the job reads one page at a time.
import { isObject } from '../../base/values.ts'
import type { VisitPage } from '../../jobs/process-pages.ts'
import type { Store } from '../../store/index.ts'
import type { JobPageOptions } from '../visit-job-page.ts'
import type { StoredExtract } from './start-extract.ts'

const [MAX_DEPTH, MAX_FIELDS, MAX_ITEMS] = [6, 60, 20]

/** The page's options with the schema that the job has by now. */
export async function withFirstSchema(store: Store, jobId: string, options: JobPageOptions): Promise<JobPageOptions> {
  const settings = await settingsOf(store, jobId)
  if (!settings?.firstSchema) return options
  const formats = options.formats.map((format) =>
    format.type === 'json' ? { ...format, schema: settings.firstSchema } : format,
  )
  return { ...options, formats } as JobPageOptions
}

/** Stores the fields of the first page that gave data, and lets the job read its pages in parallel. */
export const keepFirstSchema =
  (store: Store, visit: VisitPage): VisitPage =>
  async (page, job, signal) => {
    const visited = await visit(page, job, signal)
    if (!(job.settings as StoredExtract).needsSchema) return visited
    const settings = await settingsOf(store, job.id)
    if (!settings || settings.firstSchema) return visited
    const { json } = JSON.parse(visited.text()) as { json?: unknown }
    if (!isObject(json) && !Array.isArray(json)) return visited
    const firstSchema = schemaOfValue(json, 0)
    return {
      ...visited,
      async store(tx) {
        await store.frontier.lockTeam(tx, job.teamId)
        await store.jobs.change(tx, job.id, { settings: { ...settings, firstSchema }, maxActive: null })
        await visited.store(tx)
      },
    }
  }

async function settingsOf(store: Store, jobId: string): Promise<StoredExtract | undefined> {
  const job = await store.jobs.get(jobId)
  return job && (JSON.parse(job.settings) as StoredExtract)
}

/** Fields without a value may have any type. */
function schemaOfValue(value: unknown, depth: number): Record<string, unknown> {
  if (value === null || value === undefined || depth > MAX_DEPTH) return {}
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS)
    const rows = items.filter(isObject)
    const whole = rows.length > 0 ? Object.assign({}, ...rows.toReversed().map(withoutNulls)) : items[0]
    const names = Object.fromEntries(rows.flatMap((row) => Object.keys(row).map((name) => [name, null])))
    return { type: 'array', items: schemaOfValue(isObject(whole) ? { ...names, ...whole } : whole, depth + 1) }
  }
  if (!isObject(value)) return { type: typeof value }
  const fields = Object.entries(value).slice(0, MAX_FIELDS)
  const properties = Object.fromEntries(fields.map(([name, inner]) => [name, schemaOfValue(inner, depth + 1)]))
  return { type: 'object', properties }
}

const withoutNulls = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
