// How to reach whoever stands behind a page, from links and running text. Of several that differ none is told, unless one
// stands where it must be meant.
import type { Element } from 'domhandler'
import { flatText } from '../../../content/tree.ts'
import type { Candidate, Rows, ValueFinder } from '../asking.ts'
import { candidate, mostOften } from '../candidate.ts'
import { tokensOf } from '../words.ts'

// --- telephone --------------------------------------------------------------------------------------------------------

const PHONE =
  /(?<![\d/.,#\p{L}-])(?:\+\d{1,3}[\s.-]?)?(?:\(\+?\d{1,5}\)|\d{2,5})[\s.\-–/]{1,2}\d{2,4}(?:[\s.\-–/]\d{2,5}){0,4}(?![\d/.-]*\d|\p{L})/gu
const FAX = /\b(?:fax|telefax|isbn|issn|ein|vat|order|sku|item)\b[^\d]{0,12}$/iu
const CALLED = /\b(?:phone|call|tel|telephone|telefon|teléfono|telefono|téléphone|mobile|hotline|text us|ring)\b|☎|📞/iu
const MAX_LINE = 300

const phone: ValueFinder = (scope) => {
  const linked = scope.elements
    .filter(({ element }) => isTo(element, 'tel:'))
    .map(({ element, isMain }) => ({ text: shownNumber(element), isMain }))
    .filter(({ text }) => digitsIn(text) >= 6)
  const [best] = oneOf(linked, 0.86)
  if (best) return [best]
  const spoken: { text: string; isMain: boolean; isCalled: boolean }[] = []
  for (const { text, isMain } of scope.lines) {
    if (text.length > MAX_LINE || spoken.length > 40 || !/\d{3}/.test(text)) continue
    for (const { 0: found, index } of text.matchAll(PHONE)) {
      const digits = digitsIn(found)
      if (digits < 9 || digits > 15 || /^\d{4}[-./]\d{2}[-./]\d{2}|^(?:19|20)\d{2}\s?[-–]\s?(?:19|20)\d{2}/.test(found))
        continue
      if (FAX.test(text.slice(Math.max(0, index - 25), index))) continue
      spoken.push({ text: found.trim(), isMain, isCalled: CALLED.test(text) })
    }
  }
  const called = spoken.filter(({ isCalled }) => isCalled)
  return oneOf(called.length > 0 ? called : spoken, called.length > 0 ? 0.76 : 0.68)
}

const digitsIn = (text: string): number => text.replace(/\D/g, '').length

/** The one value, the one of the main content, or the one that stands most often. */
function oneOf(found: readonly { text: string; isMain: boolean }[], score: number): Candidate[] {
  if (found.length === 0) return []
  const key = (text: string) => text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '') || text.toLowerCase()
  const main = found.filter(({ isMain }) => isMain)
  const often = mostOften((main.length > 0 ? main : found).map(({ text }) => key(text)))
  if (!often) return [candidate(found[0]!.text, score * 0.66)]
  const chosen = found.find(({ text }) => key(text) === often.value)!
  return [candidate(chosen.text, often.isOnly ? score : score * 0.88)]
}

const isTo = ({ name, attribs }: Element, scheme: string): boolean =>
  name === 'a' && attribs.href?.trim().toLowerCase().startsWith(scheme) === true

function shownNumber(element: Element): string {
  const shown = flatText(element, 80)
  const target = decoded(element.attribs.href!.trim().slice(4).split('?', 1)[0]!)
  const number = /(?:\+|\(|\d)[\d\s().\-–/+]{4,24}\d/.exec(shown)?.[0]
  return number && digitsIn(number) >= Math.min(7, digitsIn(target)) ? number : target
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// --- e-mail -----------------------------------------------------------------------------------------------------------

const EMAIL =
  /[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}\s?(?:@|\s?[[(]\s?at\s?[\])]\s?)\s?[a-z\d-]{1,63}(?:(?:\.|\s\.\s|\s?[[(]\s?dot\s?[\])]\s?)[a-z\d-]{2,24}){1,3}/giu

const email: ValueFinder = (scope, { phrases, isLoose }) => {
  const found: { text: string; isMain: boolean; around: string }[] = []
  for (const { element, isMain } of scope.elements) {
    if (found.length > 60) break
    const hidden =
      element.attribs['data-cfemail'] ?? /email-protection#([\da-f]+)/.exec(element.attribs.href ?? '')?.[1]
    const text = hidden
      ? unveiled(hidden)
      : isTo(element, 'mailto:')
        ? decoded(element.attribs.href!.trim().slice(7).split('?', 1)[0]!)
        : ''
    if (text.includes('@')) found.push({ text, isMain, around: flatText(element, 80) })
  }
  for (const { text, isMain, block } of scope.lines) {
    // What stands in code is an example.
    const isCode = block?.name === 'pre' || block?.name === 'code'
    if (isCode || text.length > 2000 || found.length > 100 || !/@|[[(]\s?at\s?[\])]/i.test(text)) continue
    for (const { 0: written, index } of text.matchAll(EMAIL))
      found.push({ text: plainly(written), isMain, around: text.slice(Math.max(0, index - 80), index + 20) })
  }
  // `bugEmail`: the one that says so, in itself or in the words before it.
  const last = (phrases[0] ?? '').split(' ').slice(0, -1)
  if (isLoose && last.length > 0) {
    const said = found.filter(({ text, around }) => {
      const words = new Set(tokensOf(`${text.split('@')[0]} ${around}`))
      return last.some((word) => words.has(word))
    })
    const [one] = oneOf(said, 0.9)
    return one ? [one] : oneOf(found, new Set(found.map(({ text }) => text.toLowerCase())).size === 1 ? 0.74 : 0.5)
  }
  return oneOf(found, 0.84)
}

const plainly = (text: string): string =>
  text
    .replace(/\s?[[(]\s?at\s?[\])]\s?/gi, '@')
    .replace(/\s?[[(]\s?dot\s?[\])]\s?/gi, '.')
    .replace(/\s/g, '')

/** A well-known way to keep addresses from harvesters: the first byte is what all others are mixed with. */
function unveiled(hex: string): string {
  const bytes =
    hex
      .slice(0, 400)
      .match(/[\da-f]{2}/gi)
      ?.map((pair) => Number.parseInt(pair, 16)) ?? []
  return String.fromCharCode(...bytes.slice(1).map((byte) => byte ^ bytes[0]!))
}

export const CONTACT: Rows = {
  phone: { find: phone, isSiteWide: true, isOfAnything: true, isKnownByHead: true },
  fax: { isSiteWide: true },
  email: { find: email, isSiteWide: true, isOfAnything: true, isKnownByHead: true },
}
