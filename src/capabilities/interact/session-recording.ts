// The recording of a session: frames of its page and the list of steps. When full, every second frame is dropped.
import type { LiveView } from '../../fetch/chrome/live/live-view.ts'

export type SessionRecording = ReturnType<typeof startRecording>

export interface RecordingData {
  startedAt: number
  ms: number
  /** Milliseconds from the start, a base64 JPEG, and the index of its page; absent in older recordings, which have one. */
  frames: [at: number, jpeg: string, page?: number][]
  steps: [at: number, words: string][]
  /** The tabs in the order in which they came to the front. */
  pages?: RecordedPage[]
}

export interface RecordedPage {
  url: string
  /** When it was first and last in front. */
  from: number
  to: number
}

const MAX_BYTES = 12 * 1024 * 1024
const MAX_FRAMES = 600
const MAX_STEPS = 2000
const MAX_WORDS = 500
/** Initial frame interval; it doubles whenever frames are dropped. */
const FRAME_INTERVAL_MS = 400

export function startRecording(view: LiveView, now: () => number) {
  const startedAt = now()
  let frames: { at: number; jpeg: Buffer; page: number }[] = []
  const pages: RecordedPage[] = []
  const pageOfTab = new Map<string, number>()
  let page = 0
  const steps: [number, string][] = []
  let bytes = 0
  let everyMs = FRAME_INTERVAL_MS
  let url = ''
  let timer: NodeJS.Timeout | undefined
  const step = (words: string) => {
    if (steps.length < MAX_STEPS) steps.push([now() - startedAt, words.slice(0, MAX_WORDS)])
  }
  const dropHalf = () => {
    frames = frames.filter((_, at) => at % 2 === 0)
    bytes = frames.reduce((sum, { jpeg }) => sum + jpeg.length, 0)
    everyMs *= 2
  }
  const seat = view.addViewer(
    {
      picture(jpeg) {
        const at = now() - startedAt
        frames.push({ at, jpeg, page })
        const shown = pages[page]
        if (shown) shown.to = at
        bytes += jpeg.length
        while (frames.length > MAX_FRAMES || (bytes > MAX_BYTES && frames.length > 2)) dropHalf()
        timer = setTimeout(() => seat.shown(), everyMs).unref()
      },
      facts(facts) {
        const tab = facts.tabs.find(({ current }) => current)
        if (tab) {
          const at = now() - startedAt
          const before = pages[page]
          if (before) before.to = at
          page = pageOfTab.get(tab.id) ?? pages.push({ url: tab.url, from: at, to: at }) - 1
          pageOfTab.set(tab.id, page)
          pages[page]!.url = tab.url
        }
        if (facts.url === url || facts.url === 'about:blank') return
        url = facts.url
        step(`Went to ${url}`)
      },
    },
    'film',
  )
  return {
    step,
    /** JSON text that is safe inside a script element; undefined when there are no frames. */
    finish() {
      clearTimeout(timer)
      seat.leave()
      if (frames.length === 0 && steps.length === 0) return undefined
      const ms = now() - startedAt
      const last = pages[page]
      if (last) last.to = ms
      const data: RecordingData = {
        startedAt,
        ms,
        frames: frames.map(({ at, jpeg, page: shown }) => [at, jpeg.toString('base64'), shown]),
        steps,
        pages,
      }
      frames = []
      return JSON.stringify(data).replaceAll('<', '\\u003c')
    },
  }
}
