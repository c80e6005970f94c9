// Picks a part of a page by pointing at it. The page is washed to inert text first (no script, style, form, frame, picture or
// handler is left) and stands in a root of its own, where nothing of ours changes how it looks.
import { useEffect, useRef } from 'preact/hooks'
import { wash } from './wash.ts'

const FORBIDDEN =
  'script style link meta base img picture source video audio iframe frame object embed svg math canvas form input button select textarea template noscript'.split(
    ' ',
  )
const LOOK =
  ':host{display:block}*{cursor:pointer}.orb-page{font:14px/1.5 system-ui,sans-serif;padding:12px;color:#1c2322;background:#fff}.orb-over{outline:2px solid #0f6b63}.orb-chosen{outline:3px solid #ac2323;background:#fce8e6}'

export interface PickedPart {
  selector: string
  text: string
  /** The address of the link around it, as the page has it. */
  href?: string
}

export function PartPicker({
  html,
  label,
  onPick,
}: {
  html: string
  /** What a click on the page does. */
  label: string
  onPick(part: PickedPart): void
}) {
  const host = useRef<HTMLDivElement>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  useEffect(() => {
    const root = host.current && (host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }))
    if (!root) return
    let isGone = false
    void import('dompurify').then(({ default: purify }) => {
      if (isGone) return
      const page = document.createElement('div')
      page.className = 'orb-page'
      const washed = wash(purify, html, {
        FORBID_TAGS: FORBIDDEN,
        ALLOWED_ATTR: ['id', 'class', 'href'],
        ALLOW_DATA_ATTR: false,
        ALLOW_ARIA_ATTR: false,
        SANITIZE_DOM: false,
      })
      // Without their addresses, links neither open nor take the focus.
      const addresses = new Map<Element, string>()
      for (const link of washed.querySelectorAll('[href]')) {
        addresses.set(link, link.getAttribute('href') ?? '')
        link.removeAttribute('href')
      }
      page.append(washed)
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(LOOK)
      root.adoptedStyleSheets = [sheet]
      root.replaceChildren(page)
      const unmark = (name: string) => {
        for (const one of page.querySelectorAll(`.${name}`)) one.classList.remove(name)
      }
      page.addEventListener('mouseover', ({ target }) => {
        unmark('orb-over')
        if (target instanceof Element && target !== page) target.classList.add('orb-over')
      })
      page.addEventListener('click', (event) => {
        event.preventDefault()
        const { target } = event
        if (!(target instanceof HTMLElement) || target === page) return
        unmark('orb-chosen')
        unmark('orb-over')
        const selector = selectorOf(target, page)
        target.classList.add('orb-chosen')
        const href = addresses.get(target.closest('a') ?? target)
        pick.current({ selector, text: target.innerText.trim(), ...(href ? { href } : {}) })
      })
    })
    return () => {
      isGone = true
    }
  }, [html])
  return (
    <section class="part-picker" aria-label={`The page: ${label}`}>
      <div ref={host} />
    </section>
  )
}

/** The shortest way to name an element that fits nothing else on the page. */
function selectorOf(element: Element, page: Element): string {
  const isOnly = (selector: string) => page.querySelectorAll(selector).length === 1
  const parts: string[] = []
  for (let one: Element | null = element; one && one !== page; one = one.parentElement) {
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
