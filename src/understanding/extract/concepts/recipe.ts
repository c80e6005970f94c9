// What goes into a dish, and how it is made.
import type { Element } from 'domhandler'
import { elementChildren, flatText } from '../../../content/tree.ts'
import type { Rows } from '../asking.ts'
import { shownAs } from '../candidate.ts'
import type { PagePart } from '../page-part.ts'
import { itemsOf } from '../sections.ts'

/** "2 cups", "1/2 tsp", "½ onion", "200 g". */
const AMOUNT =
  /^(?:about |approx\.? |ca\.? )?(?:\d|[½⅓⅔¼¾⅛]|(?:one|two|three|four|half|a) )|\b(?:cups?|tablespoons?|teaspoons?|tbsp|tsp|ounces?|oz|grams?|g|kg|ml|l|lbs?|pinch|cloves?|el|tl|prise|cucharadas?|cuillères?)\b/i

const KITCHEN =
  /\b(?:cups?|tablespoons?|teaspoons?|tbsp|tsp|ounces?|oz|grams?|kg|ml|lbs?|pounds?|pinch|cloves?|el|tl|prise|cucharadas?|cuillères?|slices?|cans?)\b|\d\s?(?:g|l)\b|[½⅓⅔¼¾⅛]/i

const MAX_LISTS = 300

/** The list of the main content whose items are most often amounts. */
function ingredients({ elements }: PagePart): string[] | undefined {
  let best: { list: Element; share: number; size: number } | undefined
  for (const { element, isMain } of elements.filter(({ element: one }) => one.name === 'ul').slice(0, MAX_LISTS)) {
    const items = elementChildren(element).filter(({ name }) => name === 'li')
    if (!isMain || items.length < 3) continue
    const share =
      items.slice(0, 40).filter((item) => AMOUNT.test(flatText(item, 120))).length / Math.min(items.length, 40)
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

const SERVES = /^(?:makes|yields?|serves)[:\s]+(?:about\s)?(.{1,40})$/i

export const RECIPE: Rows = {
  ingredients: { findMany: ingredients },
  instructions: { isSteps: true, isLong: true, isSplitByLine: true },
  servings: {
    find: (scope) => shownAs(scope, SERVES, 0.7, 60),
    countedAs: ['serving', 'portion', 'personen', 'people'],
  },
  calories: { countedAs: ['calorie', 'kcal'] },
}
