// What a page costs against one a tenth of its size: printed as JSON. A process of its own, since beside a thousand pages
// in memory what is measured is the collector.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../../scripts/setup.mjs'
import { largePage } from '../../large-page.mjs'

const SIZES_MB = [0.2, 2, 20]
const ROUNDS = 5

const { parsePage } = await import(pathToFileURL(join(root, 'dist/content/parsed-page.js')).href)
const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

const read = (bytes) =>
  parsePage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://example.com/' }, choices).markdown.length

const pages = SIZES_MB.map(largePage)
const times = SIZES_MB.map((mb) => Math.round(SIZES_MB.at(-1) / mb))
const cpu = SIZES_MB.map(() => 0)

/** As many bytes of every size, so that each pays for its own garbage: the collector comes once for many small pages. */
function round() {
  return pages.map((bytes, size) => {
    const before = process.cpuUsage()
    for (let time = 0; time < times[size]; time += 1) read(bytes)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / times[size]
  })
}

round()
for (let done = 0; done < ROUNDS; done += 1) for (const [size, spent] of round().entries()) cpu[size] += spent
console.log(
  JSON.stringify(cpu.slice(1).map((more, at) => ({ from: SIZES_MB[at], to: SIZES_MB[at + 1], ratio: more / cpu[at] }))),
)
