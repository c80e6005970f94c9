// The recording of a session: frames of its page and the list of steps. It is kept in memory up to a limit; when full,
// every second frame is dropped, so that it always covers the whole session.
import type { LiveView } from '../../fetch/chrome/live/view.ts'

export interface Film {
  step(words: string): void
  /** JSON text that is safe inside a script element; undefined when there are no frames. */
  finish(): string | undefined
}

interface FilmData {
  startedAt: number
  ms: number
  /** Milliseconds from the start, and a base64 JPEG. */
  frames: [at: number, jpeg: string][]
  steps: [at: number, words: string][]
}

const MAX_BYTES = 12 * 1024 * 1024
const MAX_FRAMES = 600
const MAX_STEPS = 2000
const MAX_WORDS = 500
/** Initial frame interval; it doubles whenever frames are dropped. */
const EVERY_MS = 400

export function openFilm(view: LiveView, now: () => number): Film {
  const startedAt = now()
  let frames: { at: number; jpeg: Buffer }[] = []
  const steps: [number, string][] = []
  let bytes = 0
  let everyMs = EVERY_MS
  let url = ''
  let timer: NodeJS.Timeout | undefined
  const step = (words: string) => {
    if (steps.length < MAX_STEPS) steps.push([now() - startedAt, words.slice(0, MAX_WORDS)])
  }
  const thin = () => {
    frames = frames.filter((_, at) => at % 2 === 0)
    bytes = frames.reduce((sum, { jpeg }) => sum + jpeg.length, 0)
    everyMs *= 2
  }
  const seat = view.sit(
    {
      picture(jpeg) {
        frames.push({ at: now() - startedAt, jpeg })
        bytes += jpeg.length
        while (frames.length > MAX_FRAMES || (bytes > MAX_BYTES && frames.length > 2)) thin()
        timer = setTimeout(() => seat.shown(), everyMs).unref()
      },
      facts(facts) {
        if (facts.url === url || facts.url === 'about:blank') return
        url = facts.url
        step(`Went to ${url}`)
      },
    },
    'film',
  )
  return {
    step,
    finish() {
      clearTimeout(timer)
      seat.leave()
      if (frames.length === 0 && steps.length === 0) return undefined
      const data: FilmData = {
        startedAt,
        ms: now() - startedAt,
        frames: frames.map(({ at, jpeg }) => [at, jpeg.toString('base64')]),
        steps,
      }
      frames = []
      return JSON.stringify(data).replaceAll('<', '\\u003c')
    },
  }
}
