// Finds captions and transcripts that a page or a podcast feed names, without site-specific rules.
import type { AnyNode, Document } from 'domhandler'
import { isElement, nextNode } from '../../content/parse-tree.ts'
import { makeLinkResolver } from '../../content/resolve-links.ts'
import { type FoundMedia, findMedia } from './find-media.ts'

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
