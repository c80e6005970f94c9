// Keys that go places. Nothing happens while somebody types.
import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from './parts/dialog.tsx'
import { go } from './route.ts'
import { switchTheme } from './theme.ts'

const places: Readonly<Record<string, { to: string; label: string }>> = {
  o: { to: 'home', label: 'Home' },
  p: { to: 'playground', label: 'Playground' },
  s: { to: 'search', label: 'Search' },
  y: { to: 'history', label: 'History' },
  j: { to: 'jobs', label: 'Jobs' },
  a: { to: 'agents', label: 'Agent' },
  i: { to: 'sessions', label: 'Sessions' },
  f: { to: 'flows', label: 'Flows' },
  m: { to: 'monitors', label: 'Monitors' },
  e: { to: 'feeds', label: 'Feeds' },
  x: { to: 'extractors', label: 'Extractors' },
  c: { to: 'connect', label: 'Connect' },
  d: { to: 'documents', label: 'Documents' },
  u: { to: 'usage', label: 'Usage' },
  k: { to: 'keys', label: 'Keys' },
  t: { to: 'teams', label: 'Teams' },
  l: { to: 'limits', label: 'Limits' },
  w: { to: 'webhooks', label: 'Webhooks' },
  h: { to: 'health', label: 'Health' },
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

export function Shortcuts({ isHelpOpen, onHelp }: { isHelpOpen: boolean; onHelp(open: boolean): void }) {
  // Not a state: the next key may come before the page has been drawn anew.
  const going = useRef(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const wasGoing = going.current
      const place = wasGoing ? places[event.key] : undefined
      going.current = event.key === 'g'
      if (place) go(place.to)
      else if (event.key === '?') onHelp(true)
      else if (event.key === 't' && !wasGoing) switchTheme()
      else if (event.key === '/') {
        const box = document.querySelector<HTMLElement>('#ask, input[type=search]')
        if (!box) return
        event.preventDefault()
        box.focus()
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onHelp])
  if (!isHelpOpen) return null
  return (
    <Dialog title="Keyboard" onClose={() => onHelp(false)}>
      <dl class="keys-help">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Focus the box</dd>
        <dt>
          <kbd>Enter</kbd>
        </dt>
        <dd>Run the task</dd>
        {Object.entries(places).map(([key, { label }]) => (
          <>
            <dt key={`${key}-key`}>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd key={key}>{label}</dd>
          </>
        ))}
        <dt>
          <kbd>t</kbd>
        </dt>
        <dd>Dark or light theme</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>Show this list</dd>
      </dl>
    </Dialog>
  )
}
