// What people type to get a capability: each capability declares its forms, and `do` chooses among them.

/** What a typed request holds besides its verb. */
export interface TypedRequest {
  /** Addresses with a scheme, in the order in which they were typed. */
  urls: readonly string[]
  /** The request without its addresses. */
  words: string
  /** How many the request wants, such as `first 10`. */
  count: number | undefined
}

/** Kinds of typed requests, by what they hold besides a phrase that some form lists. */
export type RequestKind = 'address' | 'addressWithWords' | 'addressWithQuestion' | 'addresses' | 'question' | 'words'

export interface RequestForm {
  /** Unique among all forms, such as `screenshot`. */
  name: string
  /** The text of a button. */
  label: string
  /** What it does, in a few words. */
  why: string
  /**
   * Phrases that ask for it, in lower case and without accents. `word*` matches words that begin so, `a|b` either word,
   * `#` a number, `…` any words between. Phrases of any language that the service reads may be listed.
   */
  phrases: readonly string[]
  /** More phrases, for a request without an address. */
  phrasesAlone?: readonly string[]
  /** Its phrases name things of a page, which a question can be about: "what fonts does it use?" */
  namesThings?: true
  /** Its things have others, as in "the transcript of the video": other forms of its path that say what decide first. */
  yields?: true
  /** Its phrases are verbs with other uses, such as `book`: they count only where a part of the request begins. */
  areVerbs?: true
  /** The path that it calls for each of several addresses; forms of that path then send its request. */
  repeats?: string
  takes: 'page' | 'pages' | 'site' | 'words' | 'anything'
  /** Its place among the offers for a kind of request without a phrase, from 1; absent: not offered there. */
  places?: Partial<Record<RequestKind, number>>
  /** Its phrases are general ("read", "fetch"): those of any other form decide first. */
  isGeneral?: true
  /** Its phrases are the words that open a question. */
  answersQuestions?: true
  /** Its operation, as `orb` and MCP name it, and the path of its route. */
  operation: string
  path: string
  /** A screen of the dashboard that does it with a form of its own; absent: the playground. */
  screen?: string
  /** Whether it may run at once: it reads one page or makes one query. */
  isQuick: boolean
  body(request: TypedRequest): Record<string, unknown>
}
