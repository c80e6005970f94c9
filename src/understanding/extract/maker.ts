// Who stands behind a page: the name of its site, told by the head, by the link that leads home, or by what titles end with.
// What two of them say is sure.
import type { Element } from 'domhandler'
import { collapse, findElement, flatText } from '../../content/tree.ts'
import type { PagePart } from './page-part.ts'
import { phraseOf } from './words.ts'

export interface Maker {
  name: string
  /** Nothing but the end of the title says so, and the address has no word of it. */
  isDoubtful?: boolean
  /** The link home and the title, the address or the line of the copyright say the same. */
  isSure: boolean
}

const PARTS = /\s+[|–—·•:»-]\s+/u

export function makerOf(title: string | undefined, site: string | undefined, scope: PagePart): Maker | undefined {
  if (site) return { name: bareSite(site).replace(/[\s|–—-]+$/u, ''), isSure: true }
  const host = hostOf(scope.address ?? '')
  const homes = homeNames(scope, host)
  const parts = title?.split(PARTS) ?? []
  const said = parts.find((part) => homes.some((home) => phraseOf(home) === phraseOf(part)))
  if (said) return { name: said, isSure: true }
  const known = homes.find((home) => isHost(home, host))
  if (known) return { name: known, isSure: true }
  // The last part of several, when it is the shorter one.
  const [last, ...before] = [...parts].reverse()
  const rest = before.reverse().join(' - ')
  return last !== undefined && rest !== '' && rest.length >= last.length
    ? { name: last, isSure: false, isDoubtful: !sharesHost(last, host) }
    : undefined
}

/** A long name of a site is its name and what it promises. */
const bareSite = (site: string): string => (site.length > MAX_NAME ? (site.split(PARTS, 1)[0] ?? site) : site)
const MAX_NAME = 40

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')

const squeezed = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The name and the address are one word or the other. */
function isHost(name: string, host: string): boolean {
  const own = squeezed(name)
  return own.length > 3 && host.split('.').some((label) => label.length > 3 && label.replaceAll('-', '') === own)
}

const sharesHost = (name: string, host: string): boolean =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.length > 3 && host.includes(word))

const MAX_HOMES = 12
const NOT_NAMES =
  /^(?:home(?: ?page)?|start(?:seite)?|accueil|inicio|início|back|skip.*|logo|menu|index|main|return.*|zurück.*)$/i

/** What links to the front page say, in words or by the name of their picture. */
function homeNames({ elements }: PagePart, host: string): string[] {
  const names: string[] = []
  for (const { element } of elements) {
    if (names.length >= MAX_HOMES) break
    if (element.name !== 'a' || !isHome(element.attribs.href ?? '', host)) continue
    const name = nameOf(element)
    if (name.length > 1 && name.length <= MAX_NAME && /\p{L}{2}/u.test(name) && !NOT_NAMES.test(name)) names.push(name)
  }
  return names
}

const isHome = (href: string, host: string): boolean =>
  href === '/' ||
  (/^https?:\/\/[^/]+\/?$/i.test(href) && hostOf(href).replace(/^www\./, '') === host.replace(/^www\./, ''))

function nameOf(link: Element): string {
  const text = flatText(link, 80)
  const image = text === '' ? findElement(link, ({ name }) => name === 'img', 30) : undefined
  return collapse(text || (image?.attribs.alt ?? link.attribs['aria-label'] ?? link.attribs.title ?? '')).replace(
    /\s*\b(?:logo|home ?page|home)\b\s*$/i,
    '',
  )
}
