// The scripts that run in visited pages; their code is in page-scripts/.
import { makePageScript } from '../../base/page-script.ts'

const script = <A extends readonly unknown[]>(name: string) =>
  makePageScript<A>(new URL(`./page-scripts/${name}.js`, import.meta.url))

export interface PageQuietness {
  quiet: boolean
  consent: boolean
  lazy: boolean
  /** The page waits for frames to be drawn, or may: it has hardly any text yet. */
  wantsFrames: boolean
  reading: boolean
  /** Frames that the page waits for were not drawn in time, so content may be missing. */
  undrawn: boolean
  /** Hardly any text yet. */
  thin: boolean
}

export interface QuietLimits {
  stillMs: number
  /** A busy page whose text has not changed for this long is done. */
  steadyMs: number
  framesMs: number
  budgetMs: number
  drawn: boolean
}

/** Runs before any script of the page, in every frame; dialogs are answered unless a flow does. */
export const makeActivityWatchScript = script<[name: string, keepsDialogs?: boolean]>('watch-activity')

export const makeQuietCheckScript = script<[name: string, limits: QuietLimits]>('check-quiet')

export const makeSerializeHtmlScript = script<[]>('serialize-html')

export const makeComputedStyleScript = script<[]>('measure-style')

export const makeScrollScript = script<[budgetMs: number, grows: number]>('scroll-down')

interface ListLimits {
  items: number
  bytes: number
  ms: number
  slowestMs: number
}

export const makeScrollListsScript = script<[name: string, limits: ListLimits]>('scroll-lists')

export const makeRefuseConsentScript = script<[unanswered: 'leave' | 'remove']>('refuse-consent')

export const makeFetchFileScript = script<[url: string, most: number, tooLarge: string]>('fetch-file')

export const makeOpenEncoderScript = script<[]>('encode-video')

export const makeDomReaderScript = script<[]>('open-dom-reader')

export const makeListenersScript = script<[names: { binding: string; point: string; read: string }]>('record-actions')
