// What a page may be used for, as its owner can reserve it and a team can declare it.

export const PAGE_USES = ['search', 'ai-input', 'ai-train'] as const
export type PageUse = (typeof PAGE_USES)[number]

export interface Reservation {
  uses: readonly PageUse[]
  /** The statement of the site, as it can be shown to a person. */
  by: string
}

const AI_USES = ['ai-input', 'ai-train'] as const

/** Text and data mining (TDMRep) covers training and input of models. */
export const TDM_USES: readonly PageUse[] = AI_USES

/** Directives of robots meta tags and `X-Robots-Tag`. */
export const USES_OF_DIRECTIVE: ReadonlyMap<string, readonly PageUse[]> = new Map<string, readonly PageUse[]>([
  ['noindex', ['search']],
  ['none', ['search']],
  ['noai', AI_USES],
])

/** `Content-Signal: ai-train=no` and the IETF's `Content-Usage: train-ai=n`. */
const USE_OF_SIGNAL: ReadonlyMap<string, PageUse> = new Map<string, PageUse>([
  ...PAGE_USES.map((use) => [use, use] as const),
  ['train-ai', 'ai-train'],
])

/** The uses that a signal states, with whether they are allowed; what it does not name stays open. */
export function* parseContentSignal(text: string): Generator<{ use: PageUse; isAllowed: boolean }> {
  for (const part of text.slice(0, 1000).toLowerCase().split(',')) {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim())
    const use = USE_OF_SIGNAL.get(name)
    if (use && /^(?:n|no|y|yes)$/.test(value)) yield { use, isAllowed: value.startsWith('y') }
  }
}
