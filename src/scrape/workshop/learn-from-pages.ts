// Learns a program from pages with their values, in a worker.
import { parsePage } from '../../content/parsed-page.ts'
import { healProgram } from '../../understanding/learn/heal-program.ts'
import { indexPage } from '../../understanding/learn/index-page.ts'
import type { Program } from '../../understanding/learn/program-types.ts'
import { type LearntProgram, learnProgram } from '../../understanding/learn/rank-ways.ts'

export interface LearnRequest {
  pages: readonly { html: string; url: string; data: unknown }[]
  schema: unknown
  /** Heals this program by pages that it read before the site changed. */
  before?: Program
}

const CHOICES = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

export function learnFromPages({ pages, schema, before }: LearnRequest): LearntProgram {
  const encoder = new TextEncoder()
  const taught = pages.map(({ html, url, data }) => {
    const page = parsePage({ bytes: encoder.encode(html), contentType: 'text/html; charset=utf-8', url }, CHOICES)
    return { page: indexPage(page), data }
  })
  return before ? healProgram(before, taught, schema) : learnProgram(taught, schema)
}
