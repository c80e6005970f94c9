// Finds audio and video of a page in elements, metadata, structured data and player state, without site-specific rules.
import type { AnyNode, Document, Element } from 'domhandler'
import { decodeHTMLStrict } from 'entities'
import { isElement, isText, nextNode } from '../../content/parse-tree.ts'
import { makeLinkResolver } from '../../content/resolve-links.ts'
import type { SchemaOrgThing } from '../facts/read-json-ld.ts'
import { readStructuredData } from '../facts/read-structured-data.ts'

export type AudioOrVideo = 'audio' | 'video'

export interface MediaCandidate {
  url: string
  /** How to fetch it; a frame is another page that may contain a player. */
  form: 'hls' | 'dash' | 'file' | 'frame'
  /** Undefined: known only after the file is probed. */
  kind: AudioOrVideo | undefined
  from: 'address' | 'element' | 'metadata' | 'json-ld' | 'link' | 'script' | 'request' | 'frame' | 'extractor'
}

export type FoundMedia = { candidates: MediaCandidate[]; poster?: string | undefined }

const MAX_CANDIDATES = 40
const MAX_SCRIPT_CHARS = 4_000_000
const MAX_NESTED = 5000
const AUDIO_NAME = /\.(?:mp3|m4a|aac|oga|ogg|opus|flac|wav)$/i
const VIDEO_NAME = /\.(?:mp4|m4v|webm|mov|ogv|mkv|ts)$/i
const HLS_TYPE = /mpegurl/i
const DASH_TYPE = /dash\+xml/i
const PLAYER_FRAME = /player|embed|video|audio|podcast|stream|media|episode/i
/** Addresses in JSON and JavaScript, where slashes may be escaped. */
const MEDIA_URL_IN_SCRIPT =
  /["'`](?<address>(?:https?:)?(?:\\?\/|\\u002[fF]|[\w%.~-])[^"'`\s<>]{1,1500}?\.(?:m3u8|mpd|mp4|m4v|webm|mp3|m4a)(?:(?:\?|\\u003[fF])[^"'`\s<>]{0,1500})?)["'`]/g
const LESSER = /preview|thumb|teaser|trailer|sprite|storyboard|poster/i

/** Form and kind by address or type; undefined if neither is known. */
export function classifyMediaUrl(url: string, type = ''): Pick<MediaCandidate, 'form' | 'kind'> | undefined {
  if (!URL.canParse(url)) return undefined
  const path = new URL(url).pathname
  if (HLS_TYPE.test(type) || /\.m3u8$/i.test(path))
    return { form: 'hls', kind: /^audio\/(?!x?-?mpegurl)/i.test(type) ? 'audio' : undefined }
  if (DASH_TYPE.test(type) || /\.mpd$/i.test(path)) return { form: 'dash', kind: undefined }
  const named = /^(audio|video)\//i.exec(type)?.[1]?.toLowerCase() as AudioOrVideo | undefined
  if (named) return { form: 'file', kind: named }
  if (AUDIO_NAME.test(path)) return { form: 'file', kind: 'audio' }
  if (VIDEO_NAME.test(path)) return { form: 'file', kind: 'video' }
  return undefined
}

/** What an element of the page leaves for later: players come before links and frames. */
type Later = { scripts: string[]; frames: string[]; links: [string, string | undefined][] }

export function findMedia({ tree, base }: { tree: Document; base: string }): FoundMedia {
  const found = new Map<string, MediaCandidate>()
  const absolute = makeLinkResolver(base)
  let poster: string | undefined
  const add: Add = (href, from, type, otherwise) => {
    const url = absolute(href?.trim())
    if (!url?.startsWith('http') || found.has(url) || found.size >= MAX_CANDIDATES) return
    const form = classifyMediaUrl(url, type) ?? otherwise
    if (form) found.set(url, { url, ...form, from })
  }
  const later: Later = { scripts: [], frames: [], links: [] }
  for (let node: AnyNode | null = tree; node; node = nextNode(node, tree)) {
    if (!isElement(node)) continue
    if (node.name === 'video' || node.name === 'audio') poster ??= absolute(node.attribs.poster)
    readElement(node, add, later)
    readData(node, add)
  }
  for (const thing of mediaThings(readStructuredData({ tree, base }).things)) {
    readThing(thing, add, later)
    const picture = [thing.thumbnailUrl].flat()[0]
    if (typeof picture === 'string') poster ??= absolute(picture)
  }
  let left = MAX_SCRIPT_CHARS
  for (const text of later.scripts) {
    if (text.length > left) continue
    left -= text.length
    for (const match of text.matchAll(MEDIA_URL_IN_SCRIPT)) add(unescapeAddress(match.groups!.address!), 'script')
  }
  for (const [href, type] of later.links) add(href, 'link', type)
  for (const frame of later.frames.slice(0, 5)) add(frame, 'frame', undefined, { form: 'frame', kind: undefined })
  return { candidates: [...found.values()].sort((a, b) => rankOf(a) - rankOf(b)), poster }
}

type Add = (
  href: string | undefined,
  from: MediaCandidate['from'],
  type?: string,
  otherwise?: Pick<MediaCandidate, 'form' | 'kind'>,
) => void

function readElement(node: Element, add: Add, { scripts, frames, links }: Later): void {
  const { name, attribs } = node
  switch (name) {
    case 'video':
    case 'audio':
      readPlayer(node, name, add)
      break
    case 'meta':
      readMeta(attribs, add)
      break
    case 'script':
      if (attribs.src === undefined) scripts.push(textIn(node))
      break
    case 'iframe': {
      const source = attribs.src ?? attribs['data-src'] ?? ''
      if (PLAYER_FRAME.test(source)) frames.push(source)
      break
    }
    case 'a':
      if (attribs.href) links.push([attribs.href, attribs.type])
      break
    case 'link':
      if (/enclosure|preload/.test(attribs.rel ?? '')) links.push([attribs.href ?? '', attribs.type])
      break
    case 'embed':
    case 'object':
      add(attribs.src ?? attribs.data, 'element', attribs.type)
  }
}

function readMeta(attribs: Element['attribs'], add: Add): void {
  const property = (attribs.property ?? attribs.name ?? attribs.itemprop ?? '').toLowerCase()
  const kind = /^(?:og|twitter):(?:player:)?(audio|video|stream)(?::(?:secure_)?url)?$/.exec(property)?.[1]
  if (kind) addMeta(attribs.content, kind, add)
  else if (property === 'contenturl') add(attribs.content, 'metadata', undefined, { form: 'file', kind: undefined })
}

function readThing(thing: SchemaOrgThing, add: Add, { frames }: Later): void {
  const kind = thing['@type'].includes('AudioObject') ? 'audio' : 'video'
  for (const address of [thing.contentUrl, thing.contentURL, thing.url].flat())
    if (typeof address === 'string')
      add(address, 'json-ld', undefined, address === thing.url ? undefined : { form: 'file', kind })
  if (typeof thing.embedUrl === 'string') frames.push(thing.embedUrl)
}

/** The element's source first, then its <source>s in page order. */
function readPlayer(player: Element, kind: AudioOrVideo, add: Add): void {
  const fallback = { form: 'file', kind } as const
  const { attribs } = player
  add(attribs.src ?? attribs['data-src'], 'element', attribs.type, fallback)
  for (let node: AnyNode | null = player; node; node = nextNode(node, player)) {
    if (isElement(node) && node.name === 'source')
      add(node.attribs.src ?? node.attribs['data-src'], 'element', node.attribs.type, fallback)
  }
}

function addMeta(content: string | undefined, kind: string, add: Add): void {
  // og:video may be a player page or a file, so it is a file only if it looks like one.
  add(content, 'metadata', undefined, kind === 'audio' ? { form: 'file', kind: 'audio' } : undefined)
  if (kind !== 'audio') add(content, 'metadata', undefined, { form: 'frame', kind: undefined })
}

/** Player attributes: `data-hls="…m3u8"`, `data-setup='{"sources":[…]}'`. */
function readData({ attribs }: Element, add: Add): void {
  for (const name in attribs) {
    if (!name.startsWith('data-')) continue
    const value = attribs[name]!
    if (value.length > 20_000 || !/\.(?:m3u8|mpd|mp4|m4v|webm|mp3|m4a)/.test(value)) continue
    if (/^[^\s"'{[]+$/.test(value)) add(value, 'element')
    else for (const match of value.matchAll(MEDIA_URL_IN_SCRIPT)) add(unescapeAddress(match.groups!.address!), 'script')
  }
}

function mediaThings(things: readonly SchemaOrgThing[]): SchemaOrgThing[] {
  const media: SchemaOrgThing[] = []
  const waiting: unknown[] = [...things]
  for (let seen = 0; waiting.length > 0 && seen < MAX_NESTED; seen++) {
    const one = waiting.shift()
    if (Array.isArray(one)) waiting.push(...one.slice(0, 200))
    else if (one && typeof one === 'object') {
      const types = (one as SchemaOrgThing)['@type']
      if (Array.isArray(types) && types.some((type) => /^(?:Video|Audio|Media)Object$/.test(type)))
        media.push(one as SchemaOrgThing)
      waiting.push(...Object.values(one).filter((value) => value && typeof value === 'object'))
    }
  }
  return media
}

const textIn = (script: Element): string => script.children.map((child) => (isText(child) ? child.data : '')).join('')

const unescapeAddress = (address: string): string =>
  decodeHTMLStrict(
    address
      .replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll('\\/', '/'),
  )

const SURE: readonly MediaCandidate['from'][] = [
  'address',
  'element',
  'json-ld',
  'request',
  'script',
  'metadata',
  'link',
  'frame',
]

/** Played media first, then metadata; previews last. */
const rankOf = ({ from, url }: MediaCandidate): number => SURE.indexOf(from) + (LESSER.test(url) ? 20 : 0)

export interface TranscriptCandidate {
  url: string
  language?: string | undefined
  label?: string | undefined
  from: 'track' | 'podcast' | 'link' | 'script'
}

export interface FoundTranscripts {
  candidates: TranscriptCandidate[]
  /** Manifests may list captions, too. */
  media: FoundMedia
}

const MOST = 20
const CAPTION_TYPE = /^(?:text\/vtt|application\/(?:x-subrip|srt|ttml\+xml))/i
const CAPTION_NAME = /\.(?:vtt|srt|ttml)(?:$|[?#])/i
/** Kinds of <track> that contain no speech. */
const TRACK_KIND_WITHOUT_SPEECH = /^(?:metadata|chapters)$/i
const PODCAST = /<podcast:transcript\b([^>]{1,3000})>/gi
const IN_SCRIPT = /["'`]((?:https?:)?[^"'`\s<>]{1,1500}?\.(?:vtt|srt|ttml)(?:\?[^"'`\s<>]{0,1500})?)["'`]/g
const PICTURES = /thumb|sprite|storyboard|chapter/i

export function findTranscripts(page: { tree: Document; base: string; rawHtml: string }): FoundTranscripts {
  const { tree, base, rawHtml } = page
  const found = new Map<string, TranscriptCandidate>()
  const absolute = makeLinkResolver(base)
  const add = (href: string | undefined, candidate: Omit<TranscriptCandidate, 'url'>) => {
    const url = absolute(href?.trim())
    if (!url?.startsWith('http') || found.has(url) || found.size >= MOST) return
    found.set(url, { url, ...candidate })
  }
  if (CAPTION_NAME.test(base)) add(base, { from: 'link' })
  const scripts: string[] = []
  for (let node: AnyNode | null = tree; node; node = nextNode(node, tree)) {
    if (!isElement(node)) continue
    const { name, attribs } = node
    if (name === 'track' && !TRACK_KIND_WITHOUT_SPEECH.test(attribs.kind ?? ''))
      add(attribs.src, { language: attribs.srclang, label: attribs.label, from: 'track' })
    const isCaption = CAPTION_TYPE.test(attribs.type ?? '') || CAPTION_NAME.test(attribs.href ?? '')
    if ((name === 'a' || name === 'link') && isCaption) add(attribs.href, { language: attribs.hreflang, from: 'link' })
    if (name === 'script') for (const child of node.children) if ('data' in child) scripts.push(String(child.data))
  }
  for (const [, attributes = ''] of rawHtml.matchAll(PODCAST)) {
    const attribute = (name: string) => new RegExp(`\\b${name}=["']([^"']+)["']`).exec(attributes)?.[1]
    add(attribute('url')?.replaceAll('&amp;', '&'), { language: attribute('language'), from: 'podcast' })
  }
  for (const script of scripts)
    for (const [, address = ''] of script.replaceAll('\\/', '/').matchAll(IN_SCRIPT))
      if (!PICTURES.test(address)) add(address, { from: 'script' })
  return { candidates: [...found.values()], media: findMedia(page) }
}
