// Links that show what they are by where they lead or what they ask the reader to do: profiles on networks, and the button
// that a page wants pressed.
import type { Element } from 'domhandler'
import { flatText, isElement } from '../../content/tree.ts'
import { candidate, isNear, type Typed } from './candidate.ts'
import { isProfileAt, NETWORKS } from './networks.ts'
import type { Scope, Seen } from './scope.ts'

// --- profiles ---------------------------------------------------------------------------------------------------------

/** The one profile of the main content or of the whole page; of several, the one that is called like the site. */
const profileAt =
  (network: string): Typed =>
  (scope, _, { money }) => {
    const all = scope.elements.filter(
      ({ element }) =>
        element.name === 'a' &&
        isProfileAt(network, element.attribs.href ?? '') &&
        (scope.isSmall || !(isOfSomebody(element.attribs.href!, scope) || isTold(element))),
    )
    const main = all.filter(({ isMain }) => isMain)
    const found = [oneOf(all), oneOf(main), scope.isSmall ? undefined : ownOf(all, money.host ?? '')].find(Boolean)
    return found ? [candidate(found, 0.84, { href: found })] : []
  }

/** A link among the words of a sentence is of whoever is spoken of. */
export const isTold = (link: Element): boolean =>
  isElement(link.parent) &&
  link.parent.name === 'p' &&
  flatText(link.parent, 200).length > flatText(link, 100).length + 15

/** A person's profile on the page of a house is that of a writer or a speaker. */
function isOfSomebody(href: string, { title = '', address = '' }: Scope): boolean {
  const person = /linkedin\.com\/in\/([\p{L}\d-]+)/iu.exec(href)?.[1]
  const page = `${title} ${address}`.toLowerCase().replace(/[\s-]/g, '')
  return (
    person !== undefined &&
    !person
      .toLowerCase()
      .split('-')
      .some((part) => part.length > 3 && page.includes(part))
  )
}

const oneOf = (seen: readonly Seen[]): string | undefined => {
  const hrefs = new Map(seen.map(({ element }) => [bare(element.attribs.href!), element.attribs.href!.trim()]))
  return hrefs.size === 1 ? [...hrefs.values()][0] : undefined
}

const bare = (href: string): string =>
  href
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:)?\/\/(?:www\.)?|[?#].*$|\/$/g, '')

function ownOf(seen: readonly Seen[], host: string): string | undefined {
  const labels = host.split('.').filter((label) => label.length > 3)
  return oneOf(
    seen.filter(({ element }) => {
      const name = bare(element.attribs.href!).split('/').at(-1)!.replace(/\W/g, '')
      return labels.some((label) => name.includes(label.replace(/\W/g, '')))
    }),
  )
}

export const PROFILES: Readonly<Record<string, Typed>> = Object.fromEntries(
  Object.keys(NETWORKS).map((network) => [network, profileAt(network)]),
)

// --- what the page wants pressed --------------------------------------------------------------------------------------

const BUTTON_CLASS = /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i
const URGES =
  /^(?:get|start|try|sign|book|buy|order|join|request|schedule|contact|apply|register|subscribe|download|shop|talk|see|learn|watch|explore|claim|reserve|donate|create|jetzt|kostenlos|mehr|essayer|commencer|réserver|prueba|empieza|reserva|prova|inizia)(?!\p{L})/iu
const NOT_CTA = /^(?:copy|share|print|menu|search|close|play|pause|next|previous|log ?in|sign ?in|accept|\p{N})/iu
const MAX_CTA = 40
const NEAR_CTA = 60

/** The first button or urging link after the main heading; in a card the one that urges. */
function buttonIn(scope: Scope): { element: Element; text: string } | undefined {
  return scope.memo('cta', () => {
    const isHere = ({ at }: Seen) =>
      scope.isSmall || (scope.main !== undefined && at > scope.main.at && isNear(scope, at, NEAR_CTA))
    for (const seen of scope.elements) {
      const { element } = seen
      if ((element.name !== 'a' && element.name !== 'button') || !isHere(seen)) continue
      const text = flatText(element, MAX_CTA * 2)
      if (text === '' || text.length > MAX_CTA || NOT_CTA.test(text)) continue
      if (BUTTON_CLASS.test((element.attribs.class ?? '').slice(0, 300)) || URGES.test(text)) return { element, text }
    }
    return undefined
  })
}

export const callToAction: Typed = (scope, { kind }) => {
  const button = buttonIn(scope)
  const href = button?.element.attribs.href
  if (!button || (kind === 'url' && (!href || href.startsWith('#')))) return []
  return [candidate(kind === 'url' ? href! : button.text, 0.74, { href })]
}
