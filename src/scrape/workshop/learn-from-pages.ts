// Learns a program from pages with their values, in a worker.
import { isObject } from '../../base/values.ts'
import { parsePage } from '../../content/parsed-page.ts'
import { healProgram } from '../../understanding/learn/heal-program.ts'
import { indexPage } from '../../understanding/learn/index-page.ts'
import type { FieldProgram, Program } from '../../understanding/learn/program-types.ts'
import { type LearntProgram, learnProgram, type TaughtPage } from '../../understanding/learn/rank-ways.ts'
import { readField } from '../../understanding/learn/read-with-program.ts'

export interface LearnRequest {
  pages: readonly { html: string; url: string; data: unknown }[]
  schema: unknown
  /** Heals this program by pages that it read before the site changed. */
  before?: Program
  /** The data is all that was wanted of the page, so a program that reads other items from it has learnt another list. */
  isComplete?: boolean
}

const CHOICES = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

export function learnFromPages({ pages, schema, before, isComplete = false }: LearnRequest): LearntProgram {
  const encoder = new TextEncoder()
  const taught = pages.map(({ html, url, data }) => {
    const page = parsePage({ bytes: encoder.encode(html), contentType: 'text/html; charset=utf-8', url }, CHOICES)
    return { page: indexPage(page), data }
  })
  if (before) return healProgram(before, taught, schema)
  const learnt = learnProgram(taught, schema)
  return isComplete ? withoutOtherLists(learnt, taught) : learnt
}

function withoutOtherLists({ program, notFound }: LearntProgram, taught: readonly TaughtPage[]): LearntProgram {
  const readsAll = (field: FieldProgram, name: string): boolean =>
    taught.every(({ page, data }) => {
      const wanted = name === '' ? data : isObject(data) ? data[name] : undefined
      if (!Array.isArray(wanted)) return true
      const read = readField(page, field)?.value
      return Array.isArray(read) && read.length === wanted.length
    })
  const fields = Object.fromEntries(Object.entries(program.fields).filter(([name, field]) => readsAll(field, name)))
  const records = program.records && readsAll(program.records, '') ? program.records : null
  return { program: { ...program, fields, records }, notFound }
}
