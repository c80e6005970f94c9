// Reads captions: WebVTT, SubRip, TTML and the JSON of players and transcribers. Times are seconds.

import { parseJson } from '../base/attempt.ts'
export type CaptionCue = { start: number; end: number; text: string; speaker?: string }

/** File size is limited elsewhere; this limits the number of cues. */
const MAX_CUES = 200_000
const ARROW = /^\s*((?:\d+:)?\d+:\d+[.,]\d+)\s+-->\s+((?:\d+:)?\d+:\d+[.,]\d+)/

export function parseCaptionFile(text: string): CaptionCue[] | undefined {
  const plain = text.replace(/^\ufeff/, '')
  const start = plain.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return fromJson(start)
  if (/^<(?:\?xml|tt\b)/.test(start)) return fromTtml(plain)
  return plain.includes('-->') ? fromLines(plain) : undefined
}

function fromLines(text: string): CaptionCue[] {
  const cues: CaptionCue[] = []
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => ARROW.test(line))
    const [, from = '', to = ''] = ARROW.exec(lines[at] ?? '') ?? []
    if (at === -1) continue
    const raw = lines.slice(at + 1).join('\n')
    const speaker = /<v(?:\.[^ >]*)?\s+([^>]+)>/.exec(raw)?.[1]?.trim()
    add(cues, { start: secondsOf(from), end: secondsOf(to), text: plainText(raw), ...(speaker ? { speaker } : {}) })
  }
  return cues
}

function fromTtml(text: string): CaptionCue[] | undefined {
  if (!/<tt[\s>]/.test(text)) return undefined
  const cues: CaptionCue[] = []
  for (const [, attributes = '', inner = ''] of text.matchAll(/<(?:\w+:)?p\b([^>]*)>([\s\S]*?)<\/(?:\w+:)?p>/g)) {
    const time = (name: string) => new RegExp(`\\b${name}="([^"]+)"`).exec(attributes)?.[1]
    const [begin, end, dur] = [time('begin'), time('end'), time('dur')].map((value) => value && clockOf(value))
    if (typeof begin !== 'number') continue
    const until = typeof end === 'number' ? end : begin + (typeof dur === 'number' ? dur : 0)
    add(cues, { start: begin, end: until, text: plainText(inner.replace(/<br\s*\/?>/g, '\n')) })
  }
  return cues
}

type Record_ = Record<string, unknown>

/** `segments` of a podcast or a transcriber, or `events` of a player. */
function fromJson(text: string): CaptionCue[] | undefined {
  const parsed = parseJson(text)
  if (parsed === undefined) return undefined
  const whole = parsed as Record_
  const list = Array.isArray(parsed) ? parsed : (whole.segments ?? whole.events ?? whole.cues)
  if (!Array.isArray(list)) return undefined
  const cues: CaptionCue[] = []
  for (const item of list) {
    if (!item || typeof item !== 'object') continue
    const one = item as Record_
    const number = (...names: string[]) => names.map((name) => one[name]).find((value) => typeof value === 'number')
    const millis = number('tStartMs') as number | undefined
    const start = millis === undefined ? number('startTime', 'start', 'from') : millis / 1000
    if (typeof start !== 'number') continue
    const lasts = number('dDurationMs') as number | undefined
    const end = lasts === undefined ? number('endTime', 'end', 'to') : start + lasts / 1000
    const segments = Array.isArray(one.segs)
      ? one.segs.map((part) => String((part as Record_)?.utf8 ?? '')).join('')
      : ''
    const said = [one.body, one.text, segments].find((value) => typeof value === 'string' && value !== '')
    const speaker = typeof one.speaker === 'string' && one.speaker !== '' ? { speaker: one.speaker } : {}
    add(cues, { start, end: typeof end === 'number' ? end : start, text: plainText(String(said ?? '')), ...speaker })
  }
  return cues.length > 0 ? cues : undefined
}

function add(cues: CaptionCue[], cue: CaptionCue): void {
  const last = cues.at(-1)
  if (cue.text === '') return
  if (last && last.text === cue.text && cue.start <= last.end + 0.5) last.end = Math.max(last.end, cue.end)
  else if (cues.push(cue) > MAX_CUES) throw new Error(`its captions have more than ${MAX_CUES} lines of speech`)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', quot: '"', apos: "'" }

const plainText = (text: string): string =>
  text
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|nbsp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

function secondsOf(clock: string): number {
  const parts = clock.replace(',', '.').split(':').map(Number)
  return round(parts.reduce((total, part) => total * 60 + part, 0))
}

function clockOf(value: string): number | undefined {
  const offset = /^([\d.]+)(h|ms|m|s)$/.exec(value)
  if (offset) return round(Number(offset[1]) * { h: 3600, m: 60, s: 1, ms: 0.001 }[offset[2] as 'h' | 'm' | 's' | 'ms'])
  return /^\d+:\d+(:\d+)?([.,]\d+)?$/.test(value) ? secondsOf(value) : undefined
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000
