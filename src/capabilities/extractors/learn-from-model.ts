// Extractors that a model teaches: its verified answers are examples, so that the next pages of a template need no model.

import { createHash } from 'node:crypto'
import { abortAfter } from '../../base/abort-after.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { pageKeyOf } from '../../base/url-key.ts'
import { hostOf, isObject } from '../../base/values.ts'
import type { ExtractorLookup, LearningTask, Lesson } from '../../scrape/learnt-extractor.ts'
import type { ContentWorkerPool } from '../../scrape/workshop/content-worker-pool.ts'
import { newId } from '../../store/id.ts'
import type { Settings } from '../../store/settings.ts'
import type { FieldProgram, Program } from '../../understanding/learn/program-types.ts'
import type { ExtractorBody, extractorStore, StoredExtractor } from './store/index.ts'
import { isInScope, MAX_PROGRAM_CHARS, scopeOf } from './teach.ts'

/** Templates of one site that a request may have. */
const MAX_TEMPLATES = 3
const MAX_LESSONS = 5
const MAX_WAYS = 12

const settingName = (teamId: string): string => `learn ${teamId}`

export const readLearnSetting = async (settings: Settings, teamId: string): Promise<boolean> =>
  (await settings.get(settingName(teamId))) !== 'off'

export const writeLearnSetting = (settings: Settings, teamId: string, isOn: boolean): Promise<void> =>
  settings.set(settingName(teamId), isOn ? 'on' : 'off')

interface TeachingParts {
  extractors: ReturnType<typeof extractorStore>
  settings: Settings
  clock: Clock
  log: Log
  learnFromPages: ContentWorkerPool['learn']
}

export function openModelTeaching(parts: TeachingParts): Pick<ExtractorLookup, 'taughtByModel' | 'learn'> {
  const { extractors, settings, log } = parts
  /** Lessons under way, by team, request and host: the next page waits for them instead of asking the model. */
  const running = new Map<string, Promise<void>>()
  return {
    async taughtByModel(teamId, task, url) {
      if (!(await readLearnSetting(settings, teamId))) return []
      const key = keyOf(task)
      await running.get(`${teamId} ${key} ${hostOf(url)}`)
      const taught = await templatesAt(parts, teamId, key, url)
      // The pages that taught are asked for again: one page proves no template.
      return taught.filter(({ examples }) => !examples.some((one) => pageKeyOf(one.url) === pageKeyOf(url)))
    },
    learn(teamId, lesson, page) {
      const place = `${teamId} ${keyOf(lesson)} ${hostOf(page.url)}`
      if (running.has(place)) return
      const work = async () => {
        if (await readLearnSetting(settings, teamId)) await learnPage(parts, teamId, lesson, page)
      }
      const done = work()
        .catch((error: unknown) => log.warn({ url: page.url, error }, 'an extractor could not learn from a model'))
        .finally(() => running.delete(place))
      running.set(place, done)
    },
  }

  async function templatesAt(
    { extractors }: TeachingParts,
    teamId: string,
    key: string,
    url: string,
  ): Promise<StoredExtractor[]> {
    const all = await extractors.learntFor(teamId, key)
    return all
      .filter(({ scope }) => isInScope(scope, url))
      .sort((a, b) => b.scope.like.length - a.scope.like.length || b.createdAt - a.createdAt)
      .slice(0, MAX_TEMPLATES)
  }

  async function learnPage(
    { clock, learnFromPages }: TeachingParts,
    teamId: string,
    { schema, prompt, data, extends: extended }: Lesson,
    { html, url }: { html: string; url: string },
  ): Promise<void> {
    const key = keyOf({ schema, prompt })
    const templates = await templatesAt(parts, teamId, key, url)
    const before = templates.find(({ id }) => id === extended)
    const isKnown = templates.some(({ examples }) => examples.some((one) => pageKeyOf(one.url) === pageKeyOf(url)))
    if (isKnown || (before && before.examples.length >= MAX_LESSONS)) return
    const pages = [{ html, url, data }]
    const learnt = await learnFromPages({ pages, schema, isComplete: true }, abortAfter(LEARN_MS))
    const program = before ? joinPrograms(before.program, learnt.program) : learnt.program
    if (Object.keys(program.fields).length === 0 || JSON.stringify(program).length > MAX_PROGRAM_CHARS) return
    // A site that was rebuilt fits none of its programs: the oldest makes room.
    const outdated = !before && templates.length === MAX_TEMPLATES ? templates.at(-1) : undefined
    const body: ExtractorBody = {
      ...{ schema, program, webhook: null, made: 'model' },
      scope: before?.scope ?? scopeOf([url]),
      examples: [...(before?.examples ?? []), { url, data }],
    }
    const replaced = before ?? outdated
    const place = { teamId, id: replaced?.id ?? newId(clock.now()), version: (replaced?.version ?? 0) + 1 }
    await extractors.saveLearnt({ ...place, ...body }, key)
  }
}

const LEARN_MS = 10_000

const keyOf = ({ schema, prompt }: LearningTask): string =>
  createHash('sha256')
    .update(JSON.stringify([schema, prompt?.trim() || null]))
    .digest('base64url')

/** Fields of both pages with the ways of both; of the marks those that both pages have. */
function joinPrograms(before: Program, added: Program): Program {
  const fields: Program['fields'] = { ...before.fields }
  for (const [name, field] of Object.entries(added.fields)) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined
    fields[name] = known?.type === field.type ? joinWays(known, field) : (known ?? field)
  }
  const shared = before.marks.filter((mark) => added.marks.includes(mark))
  return { ...before, fields, marks: shared.length > 0 ? shared : before.marks }
}

function joinWays(known: FieldProgram, added: FieldProgram): FieldProgram {
  const placeOf = ({ trust: _, ...way }: FieldProgram['ways'][number]) => JSON.stringify(way)
  const places = new Set(known.ways.map(placeOf))
  const ways = [...known.ways, ...added.ways.filter((way) => !places.has(placeOf(way)))].slice(0, MAX_WAYS)
  if (!isObject(known.seen) || !added.seen) return { ...known, ways }
  return { ...known, ways, seen: { ...known.seen, longest: Math.max(known.seen.longest, added.seen.longest) } }
}
