// Whether a page has parts besides its content at all: navigation, footers, side bars, runs of links. A page without any,
// such as an exported document, is kept whole.
import {
  BOILERPLATE_LANDMARK_BITS,
  FORM_BIT,
  HEADER_BIT,
  NAVIGATION_BITS,
  RARELY_CONTENT_LANDMARK_BITS,
  STORY_BITS,
} from './block-ancestry.ts'
import type { PageAnalysis } from './block-features.ts'
import type { FlatPage } from './flatten-page.ts'
import { headingLevelOfTag } from './page-structure.ts'

/** Navigation, dialogs; overlays and advertisements by their class names. */
const SURE_CONCEPTS = (1 << 5) | (1 << 9)
/** Footers, side bars, forms; comments, related items, share buttons and users by their class names. */
const LINKED_LANDMARKS = (BOILERPLATE_LANDMARK_BITS & ~HEADER_BIT) | RARELY_CONTENT_LANDMARK_BITS | FORM_BIT
const LINKED_CONCEPTS = 1 | 4 | 8 | (1 << 6) | (1 << 7) | (1 << 17) | (1 << 20)
/** Consecutive links in blocks of their own: a menu. */
const LINKS_OF_MENU = 3

export function hasBoilerplate({ blocks, elements, fields, facts }: FlatPage, { ancestry }: PageAnalysis): boolean {
  // Programs, and fields without a form, belong to sites and not to documents.
  if (facts.hasPrograms) return true
  if (fields.some((e) => !(ancestry.landmarks[e]! & FORM_BIT))) return true
  const landmarksOf = ({ element }: FlatPage['blocks'][number]) => (element < 0 ? 0 : ancestry.landmarks[element]!)
  const hasStory = blocks.some((block) => landmarksOf(block) & STORY_BITS)
  let run = 0
  let isHeaded = false
  return blocks.some((block) => {
    const { element, chars, linkChars, links } = block
    const landmarks = landmarksOf(block)
    const concepts = element < 0 ? 0 : ancestry.chainConcepts[element]!
    if (landmarks & NAVIGATION_BITS || concepts & SURE_CONCEPTS) return true
    if (hasStory && landmarks & HEADER_BIT && !(landmarks & STORY_BITS)) return true
    if (linkChars > 0 && (landmarks & LINKED_LANDMARKS || concepts & LINKED_CONCEPTS)) return true
    // Links directly below a heading are a section of the document.
    if (element >= 0 && headingLevelOfTag(elements[element]!.name) > 0) isHeaded = true
    else if (linkChars > chars * 0.8) run += isHeaded ? 0 : Math.max(1, links)
    else {
      run = 0
      isHeaded = false
    }
    return run >= LINKS_OF_MENU
  })
}
