// The agent without a model on pages that come out of memory: the same goal, chooser, reading and notes as in a run.
import { breadthFirstChooser } from '../../src/capabilities/agent/breadth-first-chooser.ts'
import { deriveGoal, type GoalSchema } from '../../src/capabilities/agent/derive-goal.ts'
import { Notebook } from '../../src/capabilities/agent/notebook.ts'
import { applyStepResult, newRunProgress } from '../../src/capabilities/agent/run-progress.ts'
import { EFFORT_LIMITS } from '../../src/capabilities/agent/steps.ts'
import { makePageRead } from '../../src/capabilities/agent/tools/read-page.ts'
import { parsePage } from '../../src/content/parsed-page.ts'
import { extractJson } from '../../src/understanding/extract/extract-json.ts'

const BASE = 'http://web.example'
const CHOICES = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

/** Pages by path; the run begins at `/`. */
export function runOffline(pages: Readonly<Record<string, string>>, prompt: string, schema?: GoalSchema) {
  const goal = deriveGoal({ prompt, urls: [`${BASE}/`], schema })
  const notebook = new Notebook(goal)
  const progress = newRunProgress()
  const read: string[] = []
  const pageAt = (url: string) => {
    const { pathname, search } = new URL(url)
    const html = pages[pathname + search]
    if (html === undefined) return undefined
    read.push(pathname + search)
    const view = parsePage(
      { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url },
      CHOICES,
    )
    const json = goal.schema ? extractJson(view, goal.schema as never, prompt).value : undefined
    const { markdown, links, metadata } = view
    const document = { markdown, links, json, metadata: { url, title: metadata.title, statusCode: 200 } }
    return makePageRead(goal, { url }, document as never, 'extractive', 0).page
  }
  for (;;) {
    const { steps, because } = breadthFirstChooser.next({ goal, notebook, progress, effort: EFFORT_LIMITS.medium })
    if (steps.length === 0) return { ...notebook.answer(), read, because, goal }
    for (const step of steps) {
      const page = 'url' in step.input && step.tool === 'scrape' ? pageAt(step.input.url) : undefined
      if (step.tool === 'map') applyStepResult(notebook, progress, step, { tool: 'map', links: [] })
      else
        applyStepResult(
          notebook,
          progress,
          step,
          page ? { tool: step.tool, page } : { tool: step.tool, error: 'not found' },
        )
    }
  }
}
