// Which blocks of a page belong to its main content, by comparing them with the truth of the bench: a share of 0 to 1
// for each block, or NaN where the truth does not say.
import { norm, tokens } from './bench.mjs'

const GRAM = 4

/** Labels from the full text of the main content. */
export function labelsByText(blockTexts, truthText) {
  const truth = tokens(truthText.toLowerCase())
  const joined = ` ${truth.join(' ')} `
  const lines = new Map()
  for (const line of truthText.toLowerCase().split('\n')) {
    const key = tokens(line).join(' ')
    if (key) lines.set(key, (lines.get(key) ?? 0) + 1)
  }
  const grams = new Set()
  for (let i = 0; i + GRAM <= truth.length; i++) grams.add(truth.slice(i, i + GRAM).join(' '))
  const words = blockTexts.map((text) => tokens(text.toLowerCase()))
  const labels = words.map((own, i) => {
    if (own.length === 0) return Number.NaN
    const key = own.join(' ')
    if (lines.has(key)) return 1
    if (own.length >= GRAM + 1) return covered(own, grams)
    // Too short to be sure by itself: it must continue, or be continued by, what stands beside it on the page.
    const before = words
      .slice(Math.max(0, i - 2), i)
      .flat()
      .slice(-2)
    const after = words
      .slice(i + 1, i + 3)
      .flat()
      .slice(0, 2)
    if (before.length === 2 && joined.includes(` ${before.join(' ')} ${key} `)) return 1
    if (after.length === 2 && joined.includes(` ${key} ${after.join(' ')} `)) return 1
    return 0
  })
  return dropExtraCopies(words, labels, joined)
}

function covered(own, grams) {
  const hit = new Uint8Array(own.length)
  for (let i = 0; i + GRAM <= own.length; i++) if (grams.has(own.slice(i, i + GRAM).join(' '))) hit.fill(1, i, i + GRAM)
  return hit.reduce((a, b) => a + b, 0) / own.length
}

/** A text that stands more often on the page than in the truth is kept where its neighbours are kept. */
function dropExtraCopies(words, labels, joined) {
  const places = new Map()
  words.forEach((own, i) => {
    if (!(labels[i] > 0.5)) return
    const key = own.join(' ')
    if (!places.has(key)) places.set(key, [])
    places.get(key).push(i)
  })
  for (const [key, list] of places) {
    if (list.length < 2) continue
    let wanted = 0
    for (let at = joined.indexOf(` ${key} `); at >= 0; at = joined.indexOf(` ${key} `, at + 1)) wanted++
    wanted = Math.max(1, wanted)
    if (list.length <= wanted) continue
    const company = (i) => {
      let sum = 0
      for (let d = 1; d <= 4; d++)
        for (const j of [i - d, i + d])
          if (labels[j] > 0 && !list.includes(j)) sum += labels[j] * Math.min(20, words[j].length)
      return sum
    }
    const ranked = list.map((i) => [company(i), i]).sort((a, b) => b[0] - a[0] || a[1] - b[1])
    for (const [, i] of ranked.slice(wanted)) labels[i] = 0
  }
  return labels
}

/** Labels from snippets that must or must not appear; most blocks stay unknown. */
export function labelsBySnippets(blockTexts, truth) {
  const texts = blockTexts.map(norm)
  const wanted = truth.with.map(norm).filter(Boolean)
  const unwanted = truth.without.map(norm).filter(Boolean)
  return texts.map((text) => {
    const good = wanted.some((s) => text.includes(s) || (text.length > 12 && s.includes(text)))
    const bad = unwanted.some((s) => text.includes(s) || (text.length > 12 && s.includes(text)))
    return good === bad ? Number.NaN : good ? 1 : 0
  })
}
