// Markdown that a stranger wrote, drawn. It is made into html, washed, and put in as nodes: no script, no style, no
// form, no frame, and no picture from elsewhere, so that looking at a page never tells anyone that we looked.
import type DOMPurify from 'dompurify'
import type { Token } from 'marked'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Loading } from '../parts/states.tsx'
import { wash } from '../parts/wash.ts'
import { bytes, safeHref } from '../words.ts'

/** Drawing more than this makes the tab sluggish; the raw text beside it is whole. */
export const MOST_CHARS = 300_000

export interface Tools {
  /** Its blocks; their texts, one behind the other, are the markdown. */
  blocksOf(markdown: string): Token[]
  /** Blocks as nodes that are safe to show. */
  nodesOf(blocks: Token[]): DocumentFragment
}

let tools: Promise<Tools> | undefined
export const loadTools = (): Promise<Tools> => {
  tools ??= Promise.all([import('marked'), import('dompurify')]).then(([{ Marked }, { default: purify }]) => {
    const marked = new Marked({ gfm: true, async: false })
    return {
      blocksOf: (markdown) => marked.lexer(markdown),
      nodesOf: (blocks) => washHtml(marked.parser(blocks), purify),
    }
  })
  return tools
}

const FORBIDDEN = ['style', 'form', 'input', 'button', 'select', 'textarea', 'svg', 'math', 'video', 'audio', 'source']

function washHtml(html: string, purify: typeof DOMPurify): DocumentFragment {
  const fragment = wash(purify, html, {
    FORBID_TAGS: FORBIDDEN,
    FORBID_ATTR: ['style', 'class', 'id', 'name', 'target', 'srcset', 'background', 'poster'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
  for (const picture of fragment.querySelectorAll('img')) picture.replaceWith(placeholder(picture))
  for (const link of fragment.querySelectorAll('a')) {
    const href = safeHref(link.getAttribute('href') ?? '')
    if (href === undefined) link.removeAttribute('href')
    else Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer nofollow' })
  }
  // What the page calls its first heading is not ours.
  for (const heading of fragment.querySelectorAll('h1,h2,h3,h4,h5,h6'))
    heading.setAttribute('aria-level', String(Math.min(6, Number(heading.tagName[1]) + 2)))
  for (const part of fragment.querySelectorAll('pre,table')) part.setAttribute('tabindex', '0')
  return fragment
}

function placeholder(picture: HTMLImageElement): HTMLElement {
  const box = document.createElement('span')
  box.className = 'picture'
  box.dataset.address = picture.getAttribute('src') ?? ''
  box.textContent = `Picture: ${picture.getAttribute('alt') || picture.getAttribute('src')?.slice(0, 120) || 'unnamed'}`
  return box
}

export function Markdown({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [ready, setReady] = useState(false)
  useEffect(() => {
    let isGone = false
    void loadTools().then((loaded) => {
      if (isGone) return
      place.current?.replaceChildren(loaded.nodesOf(loaded.blocksOf(text.slice(0, MOST_CHARS))))
      setReady(true)
    })
    return () => {
      isGone = true
    }
  }, [text])
  return (
    <>
      {!ready && <Loading what="Rendering the page" />}
      <div class="prose" ref={place} />
      {text.length > MOST_CHARS && (
        <p class="help">
          The first {bytes(MOST_CHARS)} of {bytes(text.length)}.
        </p>
      )}
    </>
  )
}
