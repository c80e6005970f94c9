// Lists that show what they are by their links or their items: categories and tags by where they lead, ingredients by their
// amounts, steps by being counted.
import type { Element } from 'domhandler'
import { elementChildren, flatText } from '../../content/tree.ts'
import type { Scope } from './scope.ts'
import { itemsOf } from './sections.ts'
import type { Wanted } from './wanted.ts'

const CATEGORY = /\/(?:category|categories|kategorie|categorie|categoria|topics?)\//i
const TAG = /\/tags?\/|[?&]tag=/i
const MAX_LISTS = 300
const MAX_LINKS = 30

export function markedList(scope: Scope, { concepts, phrases }: Wanted): string[] | undefined {
  const id = concepts[0]?.id
  if (id === 'category' || phrases.includes('category')) return linksTo(scope, 'category', CATEGORY)
  if (id === 'tags' || id === 'keywords') return linksTo(scope, 'tag', TAG)
  if (id === 'ingredients') return bestList(scope, AMOUNT)
  return undefined
}

/** Links of the article that say so in `rel`, else those whose address does. */
function linksTo({ elements }: Scope, rel: string, address: RegExp): string[] | undefined {
  const links = elements.filter(({ element }) => element.name === 'a')
  const related = links.filter(({ element }) => (element.attribs.rel ?? '').split(' ').includes(rel))
  const chosen =
    related.length > 0
      ? related
      : links.filter(({ element, isMain }) => isMain && address.test(element.attribs.href ?? ''))
  const texts = [...new Set(chosen.map(({ element }) => flatText(element, 80).replace(/^#/, '')))].filter(Boolean)
  return texts.length > 0 && texts.length <= MAX_LINKS ? texts : undefined
}

/** "2 cups", "1/2 tsp", "½ onion", "200 g". */
const AMOUNT =
  /^(?:about |approx\.? |ca\.? )?(?:\d|[½⅓⅔¼¾⅛]|(?:one|two|three|four|half|a) )|\b(?:cups?|tablespoons?|teaspoons?|tbsp|tsp|ounces?|oz|grams?|g|kg|ml|l|lbs?|pinch|cloves?|el|tl|prise|cucharadas?|cuillères?)\b/i

const KITCHEN =
  /\b(?:cups?|tablespoons?|teaspoons?|tbsp|tsp|ounces?|oz|grams?|kg|ml|lbs?|pounds?|pinch|cloves?|el|tl|prise|cucharadas?|cuillères?|slices?|cans?)\b|\d\s?(?:g|l)\b|[½⅓⅔¼¾⅛]/i

/** The list of the main content whose items are most often of a form. */
function bestList({ elements }: Scope, form: RegExp): string[] | undefined {
  let best: { list: Element; share: number; size: number } | undefined
  for (const { element, isMain } of elements.filter(({ element: one }) => one.name === 'ul').slice(0, MAX_LISTS)) {
    const items = elementChildren(element).filter(({ name }) => name === 'li')
    if (!isMain || items.length < 3) continue
    const share =
      items.slice(0, 40).filter((item) => form.test(flatText(item, 120))).length / Math.min(items.length, 40)
    const measured = items.slice(0, 40).filter((item) => KITCHEN.test(flatText(item, 120))).length
    if (
      share >= 0.6 &&
      measured >= Math.min(items.length, 40) * 0.3 &&
      (!best || items.length * share > best.size * best.share)
    )
      best = { list: element, share, size: items.length }
  }
  return best && itemsOf(best.list)
}
