// Sends addresses as numbers: they are up to half of a page's text, and models copy long ones with mistakes.
import { isObject } from '../base/values.ts'

/** After `](` in markdown, or in quotes in JSON, where terms of schema.org are words; parentheses in pairs. */
const URL_IN_TEXT = /(?<=\]\(<?|")(?!https?:\/\/schema\.org\/)https?:\/\/(?:[^\s<>"()]|\([^\s<>"()]*\))+/g
/** Bounds an answer that repeats one number. */
const MAX_URL_CHARS = 2000
/** Some models complete the reference to an address of the page's site. */
const REFERENCE = /(?:https?:\/\/[^\s()<>"]*\/)?\blink:(\d{1,6})\b/g
const MAX_DEPTH = 40

export const LINK_REFERENCES_TEXT = 'Links are numbered: write link:3 for the address of link 3.'

export class LinkNumbers {
  readonly #urls: string[] = []
  readonly #numbers = new Map<string, number>()

  shorten(text: string): string {
    // A page that uses the notation itself would be ambiguous.
    if (this.#urls.length === 0 && /\blink:\d/.test(text)) return text
    return text.replace(URL_IN_TEXT, (url) => (url.length > MAX_URL_CHARS ? url : `link:${this.#numberOf(url)}`))
  }

  restore<T>(value: T, depth = 0): T {
    if (this.#urls.length === 0 || depth > MAX_DEPTH) return value
    if (typeof value === 'string')
      return value.replace(REFERENCE, (all, number) => this.#urls[Number(number) - 1] ?? all) as T
    if (Array.isArray(value)) return value.map((one) => this.restore(one, depth + 1)) as T
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.restore(one, depth + 1)])) as T
  }

  #numberOf(url: string): number {
    const known = this.#numbers.get(url)
    if (known !== undefined) return known
    this.#numbers.set(url, this.#urls.push(url))
    return this.#urls.length
  }
}
