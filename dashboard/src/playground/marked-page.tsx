// The page with marks where it says the values that were found in it. Where they stand the service has written down; here
// that is only carried over from the markdown to what is drawn of it.
import type { Token } from 'marked'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Loading } from '../parts/states.tsx'
import { loadTools, MOST_CHARS, type Tools } from './markdown.tsx'

/** A passage of the markdown, and the value it says as it is read. */
export interface Passage {
  said: string
  at: readonly [from: number, to: number]
}

export function MarkedPage({
  markdown,
  passages,
  chosen,
  onPoint,
}: {
  markdown: string
  passages: ReadonlyMap<string, Passage>
  /** The field whose passage is shown. */
  chosen: string | undefined
  onPoint(path: string): void
}) {
  const place = useRef<HTMLDivElement>(null)
  const paths = useRef<string[]>([])
  const [ready, setReady] = useState(false)
  useEffect(() => {
    let isGone = false
    void loadTools().then((tools) => {
      if (isGone || !place.current) return
      paths.current = [...passages.keys()]
      place.current.replaceChildren(...drawMarkdown(markdown.slice(0, MOST_CHARS), [...passages.values()], tools))
      setReady(true)
    })
    return () => {
      isGone = true
    }
  }, [markdown, passages])
  useEffect(() => {
    const page = place.current
    if (!page || !ready) return
    for (const mark of page.querySelectorAll('.source.on')) mark.classList.remove('on')
    const at = chosen === undefined ? -1 : paths.current.indexOf(chosen)
    const marks = page.querySelectorAll<HTMLElement>(`[data-sources~="${at}"]`)
    for (const mark of marks) mark.classList.add('on')
    const [first] = marks
    const frame = page.parentElement
    if (!first || !frame) return
    // The page moves inside of its frame, never the window under the reader's pointer.
    const { top } = first.getBoundingClientRect()
    const box = frame.getBoundingClientRect()
    if (top < box.top + 24 || top > box.bottom - 48) frame.scrollTop += top - box.top - frame.clientHeight / 3
  }, [chosen, ready, passages, markdown])
  const tell = useRef(onPoint)
  tell.current = onPoint
  useEffect(() => {
    // For the pointer alone: with the keyboard one goes from value to value.
    const point = ({ target }: Event) => {
      const mark = target instanceof Element ? target.closest<HTMLElement>('[data-sources]') : null
      const path = paths.current[Number(mark?.dataset.sources?.split(' ')[0])]
      if (path !== undefined) tell.current(path)
    }
    const page = place.current
    page?.addEventListener('mouseover', point)
    return () => page?.removeEventListener('mouseover', point)
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="sourced-page" tabIndex={0} aria-label="The page, with the sources marked">
      {!ready && <Loading what="Rendering the page" />}
      <div class="prose" ref={place} />
    </section>
  )
}

/** The page in pieces: what holds a passage by itself, and all between two such in one. */
function drawMarkdown(markdown: string, passages: readonly Passage[], { blocksOf, nodesOf }: Tools): Node[] {
  const pieces: Node[] = []
  let plain: Token[] = []
  const flush = () => {
    if (plain.length > 0) pieces.push(nodesOf(plain))
    plain = []
  }
  const sorted = passages.map((passage, id) => ({ ...passage, id })).sort((a, b) => a.at[0] - b.at[0])
  let next = 0
  let start = 0
  for (const block of blocksOf(markdown)) {
    const end = start + block.raw.length
    while (next < sorted.length && sorted[next]!.at[0] < start) next += 1
    const first = next
    while (next < sorted.length && sorted[next]!.at[0] < end) next += 1
    if (next === first) plain.push(block)
    else {
      flush()
      const nodes = nodesOf([block])
      markIn(nodes, block.raw, start, sorted.slice(first, next))
      pieces.push(nodes)
    }
    start = end
  }
  flush()
  return pieces
}

const BLOCKS = 'p,li,td,th,h1,h2,h3,h4,h5,h6,pre,blockquote,dt,dd,div'

interface Letters {
  /** Small letters, blanks made one. */
  text: string
  /** Where each of them stands. */
  at: { node: Text; offset: number }[]
}

function lettersOf(root: Node): Letters {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const at: Letters['at'] = []
  let text = ''
  let block: Element | null | undefined
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const own = node.parentElement?.closest(BLOCKS) ?? null
    const isNew = block !== undefined && own !== block
    block = own
    for (let offset = isNew ? -1 : 0; offset < node.data.length; offset++) {
      const letter = offset < 0 ? ' ' : node.data[offset]!
      const isBlank = /\s/.test(letter)
      if (isBlank && (text === '' || text.endsWith(' '))) continue
      const small = letter.toLowerCase()
      text += isBlank ? ' ' : small.length === 1 ? small : letter
      at.push({ node, offset: Math.max(0, offset) })
    }
  }
  return { text, at }
}

const foldText = (text: string): string =>
  [...text.replace(/\s+/g, ' ')]
    .map((letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter))
    .join('')

/** Marks passages in what was drawn of their block. The same words may stand in it more than once: the same one counts. */
function markIn(
  nodes: DocumentFragment,
  raw: string,
  start: number,
  passages: readonly (Passage & { id: number })[],
): void {
  const letters = lettersOf(nodes)
  const ranges: { id: number; from: number; to: number }[] = []
  for (const { id, said, at } of passages) {
    if (/^https?:\/\//.test(said)) {
      for (const element of nodes.querySelectorAll<HTMLElement>('a[href],[data-address]'))
        if ((element.getAttribute('href') ?? element.dataset.address) === said) note(element, id)
      continue
    }
    const sought = foldText(said)
    const before = foldText(raw.slice(0, at[0] - start)).split(sought).length - 1
    let from = letters.text.indexOf(sought)
    for (let n = 0; n < before; n++) {
      const later = letters.text.indexOf(sought, from + 1)
      if (later < 0) break
      from = later
    }
    if (from >= 0) ranges.push({ id, from, to: from + sought.length })
  }
  wrap(letters, ranges)
}

const note = (element: HTMLElement, ...ids: number[]) => {
  element.classList.add('source')
  element.dataset.sources = [element.dataset.sources, ...ids].filter((id) => id !== undefined).join(' ')
}

/** Cuts texts where a passage begins or ends, and puts each part that belongs to some into a mark of its own. */
function wrap({ at }: Letters, ranges: readonly { id: number; from: number; to: number }[]): void {
  const byNode = new Map<Text, { from: number; to: number; id: number }[]>()
  for (const { id, from, to } of ranges)
    for (let n = from; n < to; ) {
      const { node, offset } = at[n]!
      let last = n
      while (last + 1 < to && at[last + 1]!.node === node) last += 1
      byNode.set(node, [...(byNode.get(node) ?? []), { from: offset, to: at[last]!.offset + 1, id }])
      n = last + 1
    }
  for (const [node, parts] of byNode) {
    const cuts = [...new Set([0, node.data.length, ...parts.flatMap(({ from, to }) => [from, to])])].sort(
      (a, b) => a - b,
    )
    node.replaceWith(
      ...cuts.slice(1).map((end, n) => {
        const begin = cuts[n]!
        const text = document.createTextNode(node.data.slice(begin, end))
        const own = parts.filter(({ from, to }) => from < end && to > begin)
        if (own.length === 0) return text
        const mark = document.createElement('mark')
        note(mark, ...own.map(({ id }) => id))
        mark.append(text)
        return mark
      }),
    )
  }
}
