// Reads the menu of a restaurant page from structured data or visible content, with a confidence.

import { countEach, isObject } from '../../base/values.ts'
import { makeLinkResolver } from '../../content/resolve-links.ts'
import type { MoneyHint } from '../currencies.ts'
import { normalizeCurrencyCode } from '../currencies.ts'
import { readStructuredData } from '../facts/read-structured-data.ts'
import { formatMoney } from '../money.ts'
import type { PageTreeAndMetadata } from '../shop/collect-product-sources.ts'
import { asList, toTextOrName } from '../shop/product-draft.ts'
import type { Dish, DishDraft, MenuSection, SectionDraft } from './menu-types.ts'
import menuWords from './menu-words.json' with { type: 'json' }
import { type Merchant, readMerchant, readStructuredSections } from './read-structured-menu.ts'
import { readVisibleSections } from './read-visible-menu.ts'

export interface RestaurantMenu {
  isMenu: boolean
  /** 0–1. */
  confidence: number
  merchant: { name: string; type: string | null; location: unknown }
  currency: string | null
  sections: MenuSection[]
  sourceUrl: string
}

export type RestaurantMenuReading = { menu: RestaurantMenu; warnings: string[] }

const MAX_ITEMS = 1000
const SURE = 0.6

const MENU_WORDS = new Set(menuWords.menu.split(' '))
const COURSE_WORDS = new Set(menuWords.course.split(' '))

const names = (text: string, list: ReadonlySet<string>): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => list.has(word))

export function readRestaurantMenu({ url, tree, base, metadata }: PageTreeAndMetadata): RestaurantMenuReading {
  const facts = readStructuredData({ tree, base })
  const resolve = makeLinkResolver(base)
  const things = facts.things.flatMap((thing) => [thing, ...asList(thing.mainEntity).filter(isObject)])
  const language = toTextOrName(metadata.language)
  const declared = things
    .map((thing) => normalizeCurrencyCode(toTextOrName(thing.currenciesAccepted)?.slice(0, 3)))
    .find(Boolean)
  const hint: MoneyHint = { language, host: new URL(url).hostname, currency: declared }
  const merchant = readMerchant(things)
  const isArticle =
    /article/i.test(String(metadata['og:type'] ?? '')) ||
    things.some((thing) => asList(thing['@type']).some((type) => /Article$|^BlogPosting$/.test(String(type))))
  const linked = readStructuredSections(things, { resolve, hint })
  const drafts = linked.length > 0 ? linked : readVisibleSections(tree, resolve, hint)
  const confidence = linked.length > 0 ? 0.98 : confidenceOf(drafts, merchant, titleOf({ metadata, url }), isArticle)
  const sourceUrl = toTextOrName(metadata.canonical) ?? url
  const isMenu = confidence >= SURE
  const { sections, left } = numberSections(isMenu ? drafts : [], sourceUrl, language)
  return {
    menu: {
      isMenu,
      confidence,
      merchant: merchant ?? { name: merchantName(metadata, hint.host), type: null, location: null },
      currency: currencyOf(sections) ?? null,
      sections,
      sourceUrl,
    },
    warnings: [
      ...(isMenu ? [] : ['No menu found on this page.']),
      ...(left > 0 ? [`The menu has ${MAX_ITEMS + left} dishes; the first ${MAX_ITEMS} are listed.`] : []),
    ],
  }
}

/** Title and address; headings may contain “menu” for other reasons. */
const titleOf = ({ metadata, url }: Pick<PageTreeAndMetadata, 'metadata' | 'url'>): string =>
  [toTextOrName(metadata.title), toTextOrName(metadata.ogTitle), new URL(url).pathname.replace(/[-_/]/g, ' ')].join(' ')

/** Priced entries also occur in price lists, so food and restaurant words are required. */
function confidenceOf(
  sections: readonly SectionDraft[],
  merchant: Merchant | undefined,
  title: string,
  isArticle: boolean,
): number {
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  if (items < 3) return 0
  const courses = sections.filter(({ name }) => names(name, COURSE_WORDS)).length
  const marked = sections.some((section) =>
    section.items.some(({ dietary, calories }) => dietary?.length || calories !== undefined),
  )
  const score =
    0.2 +
    (names(title, MENU_WORDS) ? 0.3 : 0) +
    (merchant && merchant.type !== null ? 0.2 : 0) +
    Math.min(0.3, courses * 0.15) +
    (marked ? 0.1 : 0) +
    (items >= 8 ? 0.1 : 0) +
    (sections.length >= 2 ? 0.05 : 0) -
    // Articles also have prices under headings.
    (isArticle ? 0.3 : 0)
  return Math.round(Math.max(0, Math.min(0.95, score)) * 100) / 100
}

const merchantName = (metadata: PageTreeAndMetadata['metadata'], host: string | undefined): string =>
  toTextOrName(metadata.ogSiteName) ??
  (toTextOrName(metadata.title) ?? '')
    .split(/\s+[|–—·:-]\s+/)
    .filter((part) => part && !/^(?:our )?(?:menus?|speisekarte|carte|carta|menú|home)$/i.test(part))
    .at(-1)
    ?.replace(/^(?:the )?menu (?:of|at) |\s(?:menus?|speisekarte)$/i, '') ??
  host ??
  ''

function numberSections(drafts: readonly SectionDraft[], sourceUrl: string, language: string | undefined) {
  let count = 0
  let left = 0
  const sections = drafts.map((draft, n): MenuSection => {
    const items = draft.items.flatMap((item, at) => {
      if (count >= MAX_ITEMS) {
        left++
        return []
      }
      count++
      return [finishDish(item, `${n + 1}.${at + 1}`, sourceUrl, language)]
    })
    const { name, description } = draft
    return { id: String(n + 1), name, ...(description ? { description } : {}), items }
  })
  return { sections: sections.filter(({ items }) => items.length > 0), left }
}

function finishDish(draft: DishDraft, id: string, sourceUrl: string, language: string | undefined): Dish {
  const { price } = draft
  const formatted = price && (price.formatted ?? formatMoney(price, language))
  return {
    id,
    ...draft,
    ...(price ? { price: { ...price, ...(formatted ? { formatted } : {}) } } : {}),
    images: draft.images ?? [],
    dietary: draft.dietary ?? [],
    availability: draft.availability ?? { inStock: true },
    optionGroups: draft.optionGroups ?? [],
    identifiers: draft.identifiers ?? {},
    sourceUrl,
  }
}

function currencyOf(sections: readonly MenuSection[]): string | undefined {
  const all = sections.flatMap(({ items }) => items.flatMap(({ price }) => price?.currency || []))
  return [...countEach(all)].sort((a, b) => b[1] - a[1])[0]?.[0]
}
