// Profiles on other networks, told by where links lead.
import type { Element } from 'domhandler'
import { flatText, isElement } from '../../../content/tree.ts'
import type { Rows, Rules, ValueFinder } from '../asking.ts'
import { candidate } from '../candidate.ts'
import { isProfileAt, NETWORKS } from '../networks.ts'
import type { PagePart, SeenElement } from '../page-part.ts'

/** The one profile of the main content or of the whole page; of several, the one that is called like the site. */
const profileAt =
  (network: string): ValueFinder =>
  (scope, _, { money }) => {
    const all = scope.elements.filter(
      ({ element }) =>
        element.name === 'a' &&
        isProfileAt(network, element.attribs.href ?? '') &&
        (scope.isSmall || !(isOfSomebody(element.attribs.href!, scope) || isReported(element))),
    )
    const main = all.filter(({ isMain }) => isMain)
    const found = [oneOf(all), oneOf(main), scope.isSmall ? undefined : ownOf(all, money.host ?? '')].find(Boolean)
    return found ? [candidate(found, 0.84, { href: found })] : []
  }

/** A link among the words of a sentence is of whoever is spoken of. */
export const isReported = (link: Element): boolean =>
  isElement(link.parent) &&
  link.parent.name === 'p' &&
  flatText(link.parent, 200).length > flatText(link, 100).length + 15

/** A person's profile on the page of a house is that of a writer or a speaker. */
function isOfSomebody(href: string, { title = '', address = '' }: PagePart): boolean {
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

const oneOf = (seen: readonly SeenElement[]): string | undefined => {
  const hrefs = new Map(seen.map(({ element }) => [bare(element.attribs.href!), element.attribs.href!.trim()]))
  return hrefs.size === 1 ? [...hrefs.values()][0] : undefined
}

const bare = (href: string): string =>
  href
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:)?\/\/(?:www\.)?|[?#].*$|\/$/g, '')

function ownOf(seen: readonly SeenElement[], host: string): string | undefined {
  const labels = host.split('.').filter((label) => label.length > 3)
  return oneOf(
    seen.filter(({ element }) => {
      const name = bare(element.attribs.href!).split('/').at(-1)!.replace(/\W/g, '')
      return labels.some((label) => name.includes(label.replace(/\W/g, '')))
    }),
  )
}

export const PROFILES: Rows = Object.fromEntries(
  Object.keys(NETWORKS).map((network): [string, Rules] => [
    network,
    { find: profileAt(network), isProfile: (address) => isProfileAt(network, address) },
  ]),
)
