// What a page costs against one a tenth of its size: printed as JSON. A process of its own, since beside a thousand pages
// in memory what is measured is the collector.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/setup.mjs'

const SIZES_MB = [0.2, 2, 20]
const TRIES = 15

const { openPage } = await import(pathToFileURL(join(root, 'dist/content/page.js')).href)
const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

const section = (at) =>
  `<section><h2>Section ${at}</h2><p>${'Words about the tide and the harbour, <a href="/x">with a link</a> and <em>more</em>. '.repeat(12)}</p><ul><li>one</li><li>two</li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></section>`

function page(mb) {
  const sections = Array.from({ length: (mb * 1e6) / section(1).length }, (_, at) => section(at))
  return Buffer.from(
    `<html><body><nav><a href="/">Home</a></nav><main><h1>Large</h1>${sections.join('')}</main></body></html>`,
  )
}

function once(bytes) {
  const before = process.cpuUsage()
  openPage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://example.com/' }, choices).markdown.length
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** The best of several: noise only ever adds. */
const cost = (mb) => {
  const bytes = page(mb)
  return Math.min(...Array.from({ length: TRIES }, () => once(bytes)))
}

const small = page(SIZES_MB[0])
for (let warm = 0; warm < 100; warm += 1) once(small)
const costs = SIZES_MB.map(cost)
console.log(
  JSON.stringify(
    costs.slice(1).map((more, at) => ({ from: SIZES_MB[at], to: SIZES_MB[at + 1], ratio: more / costs[at] })),
  ),
)
