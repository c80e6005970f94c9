// Groups class and id tokens, in several languages, into concepts. The trees combine them with the page kind: comments
// are content on a forum, but not under an article.
import { hashWord } from './text-stats.ts'

const CONCEPTS: readonly string[] = [
  'comment comments reply replies respond disqus commentlist discussion kommentare kommentar commentaires',
  'review reviews rating ratings feedback testimonial testimonials bewertung bewertungen',
  'related recommend recommended recommendations recommendation similar popular trending more also upsell crosssell latest recent recirc promoted outbrain taboola',
  'share sharing social socials follow facebook twitter sharedaddy addthis',
  'author authors byline bio meta date time published posted timestamp metadata autor tags tag tagged categories',
  'nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs crumb crumbs pagination pager dropdown navi',
  'sidebar side rail widget widgets aside complementary',
  'footer foot colophon bottom copyright legal disclaimer footnote footnotes',
  'header head masthead hero banner topbar logo jumbotron',
  'cookie cookies consent gdpr modal popup overlay newsletter subscribe subscription signup promo promotion ad ads advert advertisement sponsor sponsored cta login paywall',
  'product products price prices cart buy sku swatch variant variants checkout shop',
  'card cards item items tile tiles grid list listing results result row carousel slider slide collection teaser',
  'content body entry article articlebody story text richtext rte prose copy main maincontent paragraph wysiwyg',
  'post posts message messages thread topic topics forum bbcode postbody answer answers question questions cooked',
  'faq faqs accordion tab tabs panel tabpanel collapse collapsible details',
  'caption captions credit figcaption gallery image photo media video',
  'toc contents outline summary intro lead excerpt deck dek subtitle standfirst abstract',
  'filter filters facet facets sort sorting refine search form',
  'user users username avatar profile signature member rank',
  'description desc spec specs specification specifications features feature overview detail',
]

export const CONCEPT_COUNT = CONCEPTS.length

/** Set for elements hidden until opened. Whole class names only: the token `hide` also occurs in `hide-on-mobile`. */
export const HIDDEN_UNTIL_OPENED_BIT = 1 << CONCEPT_COUNT
const HIDDEN_UNTIL_OPENED_CLASS = /(?:^|\s)(?:hide|modal|modal-dialog|popup)(?:\s|$)/

export const hiddenUntilOpenedBit = (classes: string): number =>
  HIDDEN_UNTIL_OPENED_CLASS.test(classes) ? HIDDEN_UNTIL_OPENED_BIT : 0

const BITS: ReadonlyMap<number, number> = new Map(
  CONCEPTS.flatMap((words, bit) => words.split(' ').map((word): [number, number] => [hashWord(word), 1 << bit])),
)

export const conceptBitOfToken = (token: number): number => BITS.get(token) ?? 0
