// A large index of generated pages: words as skewed as those of a language, segments built and merged as the service does
// it, then asked in a process of its own, so that what is resident is the index and nothing else.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../scripts/setup.mjs'

const VOCABULARY = 300_000
const LOT = 200
const MERGE_AT = 8
const QUERIES = 400

/** The same numbers at every run. */
function dice(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const SYLLABLES = 'ba de fi go ku la me ni po ru sa te vi wo zu kra ble stri dro pla'.split(' ')
/** Common words are short, rare ones long. */
function wordOf(rank) {
  let rest = rank + 1
  let word = ''
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length]
    rest = Math.floor(rest / SYLLABLES.length)
  }
  return `${word}x`
}

/** Rank r comes as often as 1/r: as in every language. */
const rankOf = (roll) => Math.floor(VOCABULARY ** roll()) - 1

export function makeWriter() {
  const roll = dice(1)
  const vocabulary = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank))
  const word = () => vocabulary[rankOf(roll)]
  const text = (count) => {
    let sentence = ''
    for (let n = 0; n < count; n++) sentence += n % 14 === 13 ? `${word()}.\n` : `${word()} `
    return sentence
  }
  return { roll, vocabulary, word, text }
}

export async function largeIndex({ pages, words, p50, p95, share, residentMb, perSecond }) {
  const engine = (name) => import(join(root, 'dist/search/engine', `${name}.js`))
  const { readPageContent } = await engine('read-page-content')
  const { addPage } = await engine('page-terms')
  const { SegmentBuilder } = await engine('segment-build')
  const { Segment } = await engine('segment-read')
  const { mergeSegments } = await engine('merge-segments')
  const { roll, vocabulary, word, text } = makeWriter()
  const now = Date.UTC(2026, 0, 1)
  const levels = []
  let textBytes = 0
  let cpu = 0
  const timed = (work) => {
    const before = process.cpuUsage()
    const made = work()
    const { user, system } = process.cpuUsage(before)
    cpu += (user + system) / 1e6
    return made
  }
  const add = (segment, level) => {
    levels[level] ??= []
    levels[level].push(segment)
    if (levels[level].length < MERGE_AT) return
    const parts = levels[level].splice(0).map((bytes) => new Segment(bytes))
    add(
      timed(() => mergeSegments(parts, () => true)),
      level + 1,
    )
  }
  for (let from = 0; from < pages; from += LOT) {
    const lot = Array.from({ length: Math.min(LOT, pages - from) }, (_, at) => {
      const markdown = text(Math.round(words * (0.4 + 1.2 * roll())))
      const title = text(5).trim()
      textBytes += markdown.length
      const url = `https://site${(from + at) % 997}.example/${word()}/${from + at}`
      return { document: { metadata: { title, language: 'en' }, markdown }, url, number: from + at }
    })
    add(
      timed(() => {
        const builder = new SegmentBuilder()
        for (const { document, url, number } of lot)
          addPage(builder, readPageContent(document, url, now), { number, version: 1, seenAt: now })
        return builder.finish()
      }),
      0,
    )
    if ((from / LOT) % 50 === 0) process.stderr.write(`  ${from} pages\r`)
  }
  const segments = levels.flat()
  const folder = mkdtempSync(join(tmpdir(), 'orb-search-'))
  try {
    for (const [at, bytes] of segments.entries()) writeFileSync(join(folder, `${at}.segment`), bytes)
    const queries = Array.from({ length: QUERIES }, () =>
      // Words as people choose them: seldom the commonest, seldom unheard of.
      Array.from({ length: 1 + Math.floor(roll() * 5) }, () => vocabulary[20 + Math.floor(20_000 ** roll())]).join(' '),
    )
    const bytes = segments.reduce((sum, segment) => sum + segment.byteLength, 0)
    const asked = await askIn(folder, queries)
    const name = `${pages.toLocaleString('en')} pages (${Math.round(textBytes / 1e6)} MB of text)`
    const row = (what, bar, measured, ok) => ({ what: `${name}: ${what}`, bar, measured, ok })
    const rows = []
    const ms = (value) => `${value.toFixed(2)} ms`
    if (p50) rows.push(row('CPU of a query, p50', `≤ ${p50} ms`, ms(asked.p50), asked.p50 <= p50))
    rows.push(row('CPU of a query, p95', `≤ ${p95} ms`, ms(asked.p95), asked.p95 <= p95))
    if (share) {
      const part = bytes / textBytes
      rows.push(row('size of the index compared with the text', `≤ ${share}`, part.toFixed(2), part <= share))
    }
    if (residentMb)
      rows.push(
        row(
          'resident memory during queries',
          `≤ ${residentMb} MB`,
          `${asked.residentMb} MB`,
          asked.residentMb <= residentMb,
        ),
        row('time to open the index', '≤ 1 s of CPU', `${asked.openSeconds.toFixed(2)} s`, asked.openSeconds <= 1),
      )
    const speed = pages / cpu
    if (perSecond)
      rows.push(
        row('pages indexed per CPU second', `≥ ${perSecond} pages`, `${Math.round(speed)} pages`, speed >= perSecond),
      )
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function askIn(folder, queries) {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'search-asker.mjs'), [folder])
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`the asking process ended with ${code}`)))
    child.send(queries)
  })
}
