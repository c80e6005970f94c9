// The agent without a model on pages that come out of memory: the same goal, chooser, reading and notes as in a run.
import { breadthFirst } from '../../src/capabilities/agent/breadth-first-chooser.ts'
import { goalOf, type Schema } from '../../src/capabilities/agent/goal.ts'
import { Notebook } from '../../src/capabilities/agent/notebook.ts'
import { newProgress, noteStep } from '../../src/capabilities/agent/progress.ts'
import { EFFORTS } from '../../src/capabilities/agent/steps.ts'
import { pageOf } from '../../src/capabilities/agent/tools/read-page.ts'
import { openPage } from '../../src/content/page.ts'
import { extractJson } from '../../src/understanding/extract/extract.ts'

const BASE = 'http://web.example'
const CHOICES = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

/** Pages by path; the run begins at `/`. */
export function runOffline(pages: Readonly<Record<string, string>>, prompt: string, schema?: Schema) {
  const goal = goalOf({ prompt, urls: [`${BASE}/`], schema })
  const notebook = new Notebook(goal)
  const progress = newProgress()
  const read: string[] = []
  const pageAt = (url: string) => {
    const { pathname, search } = new URL(url)
    const html = pages[pathname + search]
    if (html === undefined) return undefined
    read.push(pathname + search)
    const view = openPage(
      { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url },
      CHOICES,
    )
    const json = goal.schema ? extractJson(view, goal.schema as never, prompt).value : undefined
    const { markdown, links, metadata } = view
    const document = { markdown, links, json, metadata: { url, title: metadata.title, statusCode: 200 } }
    return pageOf(goal, { url }, document as never, 'extractive', 0).page
  }
  for (;;) {
    const { steps, because } = breadthFirst.next({ goal, notebook, progress, effort: EFFORTS.medium })
    if (steps.length === 0) return { ...notebook.answer(), read, because, goal }
    for (const step of steps) {
      const page = 'url' in step.input && step.tool === 'scrape' ? pageAt(step.input.url) : undefined
      if (step.tool === 'map') noteStep(notebook, progress, step, { tool: 'map', links: [] })
      else
        noteStep(notebook, progress, step, page ? { tool: step.tool, page } : { tool: step.tool, error: 'not found' })
    }
  }
}
