// How many of the shared markdown cases our renderer meets in full.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../scripts/setup.mjs'

/** Undefined where the shared cases are not. */
export async function measureFidelity(onlyMainContent = false) {
  const bench = join(root, '../shared/bench/index.mjs')
  if (!existsSync(bench)) return undefined
  const { fidelityCases, failedChecks } = await import(pathToFileURL(bench).href)
  const { parsePage } = await import(pathToFileURL(join(root, 'dist/content/parsed-page.js')).href)
  const choices = { onlyMainContent, includeTags: [], excludeTags: [], removeBase64Images: true }
  const cases = fidelityCases()
  const passed = cases.filter((one) => {
    const url = `http://127.0.0.1:8099/page/${one.name}`
    const { markdown } = parsePage({ bytes: one.html, contentType: one.contentType, url }, choices)
    return failedChecks(one, markdown, url).length === 0
  }).length
  return { passed, total: cases.length }
}
