// Scripts that detect when a page is done: one counts pending work from the start, the other waits until none is left.
import { makePageScript } from '../../base/page-script.ts'

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

/** Runs before any page script, in every frame; dialogs are answered unless a flow does. */
export const makeActivityWatchScript = makePageScript<[name: string, keepsDialogs?: boolean]>(
  new URL('./page-scripts/watch-activity.js', import.meta.url),
)

export const makeQuietCheckScript = makePageScript<[name: string, limits: QuietLimits]>(
  new URL('./page-scripts/check-quiet.js', import.meta.url),
)
