// Picks a part of a page by pointing at it. The page is shown as inert text in a frame that runs nothing and fetches nothing:
// scripts, pictures, styles and handlers are taken out before it is shown.
import { useEffect, useRef, useState } from 'preact/hooks'

const GONE =
  'script, style, link, meta, base, img, picture, source, video, audio, iframe, frame, object, embed, svg, canvas, form, input, button, select, textarea, template, noscript'
const LOOK =
  'body{font:14px/1.5 system-ui,sans-serif;margin:12px;color:#1c2322;background:#fff}*{cursor:pointer}.orb-over{outline:2px solid #0f6b63}.orb-chosen{outline:3px solid #ac2323;background:#fce8e6}'

export function PartPicker({ html, onPick }: { html: string; onPick(selector: string): void }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [text] = useState(() => inert(html))
  const pick = useRef(onPick)
  pick.current = onPick
  useEffect(() => {
    const inside = frame.current
    if (!inside) return
    const listen = () => {
      const page = inside.contentDocument
      if (!page?.body) return
      // A sheet belongs to the document that made it; the frame's own window makes this one.
      const Sheet = (inside.contentWindow as unknown as { CSSStyleSheet: typeof CSSStyleSheet }).CSSStyleSheet
      const own = new Sheet()
      own.replaceSync(LOOK)
      page.adoptedStyleSheets = [own]
      page.addEventListener('mouseover', (event) => {
        page.querySelector('.orb-over')?.classList.remove('orb-over')
        elementOf(event.target)?.classList.add('orb-over')
      })
      page.addEventListener('click', (event) => {
        event.preventDefault()
        const chosen = elementOf(event.target)
        if (!chosen) return
        for (const other of page.querySelectorAll('.orb-chosen')) other.classList.remove('orb-chosen')
        chosen.classList.remove('orb-over')
        const selector = selectorOf(chosen)
        chosen.classList.add('orb-chosen')
        pick.current(selector)
      })
    }
    inside.addEventListener('load', listen)
    return () => inside.removeEventListener('load', listen)
  }, [])
  return (
    <iframe
      class="part-picker"
      ref={frame}
      title="The page: click the part to watch"
      sandbox="allow-same-origin"
      srcdoc={text}
    />
  )
}

/** The frame has a window of its own, so its elements are none of ours. */
const elementOf = (target: EventTarget | null): Element | undefined =>
  target && (target as Node).nodeType === 1 ? (target as Element) : undefined

function inert(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const element of page.querySelectorAll(GONE)) element.remove()
  for (const element of page.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (name !== 'id' && name !== 'class') element.removeAttribute(name)
  return `<!doctype html><html><head></head>${page.body.outerHTML}</html>`
}

/** The shortest way to name an element that fits nothing else on the page. */
export function selectorOf(element: Element): string {
  const page = element.ownerDocument
  const isOnly = (selector: string) => page.querySelectorAll(selector).length === 1
  const parts: string[] = []
  for (
    let one: Element | null = element;
    one && one.tagName !== 'BODY' && one.tagName !== 'HTML';
    one = one.parentElement
  ) {
    const tag = one.tagName.toLowerCase()
    const id = one.id ? `${tag}#${CSS.escape(one.id)}` : ''
    if (id && isOnly(id)) return [id, ...parts].join(' > ')
    const classes = [...one.classList].filter((name) => !name.startsWith('orb-')).slice(0, 2)
    const named = classes.length > 0 ? `${tag}.${classes.map((name) => CSS.escape(name)).join('.')}` : tag
    const whole = [named, ...parts].join(' > ')
    if (classes.length > 0 && isOnly(whole)) return whole
    const twins = [...(one.parentElement?.children ?? [])].filter(({ tagName }) => tagName === one!.tagName)
    parts.unshift(twins.length > 1 ? `${tag}:nth-of-type(${twins.indexOf(one) + 1})` : tag)
    if (isOnly(parts.join(' > '))) return parts.join(' > ')
  }
  return parts.join(' > ') || 'body'
}
