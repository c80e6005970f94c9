// What a field asks of a page and what may answer it: the types that the table of concepts, the finders and those who fill
// objects share. A concept is a line of the vocabulary and a row of rules; general code asks the row, never the id.
import type { ResolveLink } from '../../content/address.ts'
import type { MoneyHint } from '../currencies.ts'
import type { PagePart } from './page-part.ts'
import type { Shape } from './shape.ts'
import type { ValueKind, VocabularyLine } from './vocabulary.ts'

/** What one field asks for. */
export interface WantedField {
  name: string
  shape: Shape
  /** Ways the field may be called, the surest first. */
  phrases: readonly string[]
  concepts: readonly Concept[]
  /** Those of the first concept; none for a field that the vocabulary does not know. */
  rules: Rules
  kind: ValueKind
  /** The unit that the name or its description asks for. */
  unit: string | undefined
  /** The currency that the name asks for. */
  currency: string | undefined
  /** Known by its last word only (`supportEmail`): answers are less sure. */
  isLoose: boolean
}

/** What every question about one page shares. */
export interface FieldContext {
  language: string
  /** What tells a dollar from a dollar. */
  money: MoneyHint
  resolve: ResolveLink
  /** A name's phrase, remembered: the same few names come again and again. */
  phrase(name: string): string
  /** What classes and ids speak of, remembered: cards of a list share them. */
  classes: Map<string, readonly string[]>
  /** What a field asks for, remembered. */
  wanted(name: string, shape: Shape, around?: readonly string[]): WantedField
}

export interface Raw {
  value: unknown
  /** Addresses and times that stand with the text. */
  href?: string | undefined
  src?: string | undefined
  when?: string | undefined
  /** It comes from data, not from text: numbers are numbers and `true` is true. */
  isData?: boolean
}

/** What may be a field's value, and how sure that is. */
export interface Candidate extends Raw {
  score: number
  source: string
}

export type ValueFinder = (scope: PagePart, wanted: WantedField, ground: FieldContext) => Candidate[]

/** An object of the page: JSON-LD, microdata, the state of a script. */
export type Data = Readonly<Record<string, unknown>>

/** What the head of a page is judged by. */
export interface Head {
  url: string
  titles: readonly string[]
  maker: string | undefined
  /** Whether the main content says the same. */
  isSaid(text: string): boolean
}

export interface Concept extends VocabularyLine {
  rules: Rules
}

export type Rows = Readonly<Record<string, Rules>>

/** What general code must know of a concept; each is said of few. */
interface Traits {
  // What it is.
  isName?: true // what the thing is called
  isQuestion?: true
  isHours?: true
  isSteps?: true
  isSignature?: true // who signs a text
  isMaker?: true // whoever stands behind the page
  isPageAddress?: true // the address of the page itself is one
  span?: 'from' | 'to' // the first or the last of a span of hours
  isLong?: true // some sentences rather than a few words
  isProse?: true // sentences that stand in an element named after it
  hasForm?: true // told by its own form: not any line that is left over

  // Whose it is.
  isSiteWide?: true // it holds for the whole site, and stands in its margins
  isOfFrame?: true // everything that frames a page has one, and then it is the frame's
  isOfPage?: true // an object that describes the page tells it of what the page is about
  isOfAnyPage?: true // every page has one: it does not tell of a thing
  isOfAnything?: true // everything has one: inside another object it is that object's, not the page's
  isOfMaker?: true // the page's writer or house has one too
  isPartOfSite?: true // a part of the site, never the house behind it
  isOfPost?: true // a post in a thread has one
  isOfSeller?: true // every seller has a number of their own

  // How it is asked for and told.
  isKnownByHead?: true // it is what it is whatever stands before it: a support e-mail is an e-mail
  isNumberOnly?: true // asked for in words it is something else
  isClaimed?: true // the page claims it in the very words
  isTitle?: true // the title of the page may be it
  mayEcho?: true // it may be the same text as another field's
  isMoreThanName?: true // the name said again is none
  tellsApart?: true // two items of a list with the same are one shown twice
  isSplitByLine?: true // commas do not part its items
  mayBeNumbers?: true // items of a list of them may be bare numbers
  isNeverAlone?: true // one alone is no list of it
  isUnsureAsClass?: true // its words are classes of other things too
  isOneInHead?: true // the head tells one, where many are asked for
}

/** A row of the table in `concepts/`: how values of a concept are found and read, and what else holds for it. */
export interface Rules extends Traits {
  // --- finding
  /** Values that show what they are without a label. */
  find?: ValueFinder
  /** A list that shows what it is without a heading. */
  findMany?: (scope: PagePart) => string[] | undefined
  /** What is meant of the text under a heading that names it. */
  under?: (text: string) => string
  /** The heading over an item of a list is it, when it has this form. */
  overItem?: RegExp
  /** Other words that stand behind its number: "12 votes". */
  countedAs?: readonly string[]
  /** Signs before a number that make it the end of a range. */
  countedNotAfter?: string
  /** What a counter in the page's data must say that it counts. */
  counter?: RegExp
  /** The unit that names of the field ask for. */
  unitIn?: (phrases: readonly string[]) => string | undefined
  /** Whether an address is that of a profile on this network. */
  isProfile?: (address: string) => boolean

  // --- reading
  /** Whether a text may be it. */
  accept?: (said: string, raw: Raw) => boolean
  /** Whether a number out of a text may be it. */
  acceptNumber?: (value: number, said: string) => boolean
  /** The part of a text that is it; a text without one is turned away. */
  take?: (said: string, raw: Raw, ground: FieldContext) => string | undefined
  /** A text without what is not meant; undefined: it is cleaned as any text is. */
  clean?: (said: string, wanted: WantedField, ground: FieldContext) => string | undefined
  /** How surely a value in an object is it, out of 1; 0 is never. `heading`: that of the page. */
  trust?: (value: unknown, data: Data, heading: string | undefined, ground: FieldContext) => number
  /** Whether the head says it of this page, not of its site. */
  acceptHead?: (value: string, head: Head, ground: FieldContext) => boolean
  /** Where a zero means that nothing is there yet: in what the page shows, or anywhere. */
  emptyAtZero?: 'shown' | 'anywhere'
  /** An element named after it that holds more words is a box around it. */
  mostWords?: number
  /** The most words of one item, where it is a list. */
  mostWordsEach?: number
}
