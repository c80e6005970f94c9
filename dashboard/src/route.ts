// Where we are: the part of the address after `#/`. The server knows one page; everything below it is told apart here.
import { computed, signal } from '@preact/signals'

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

const [BEFORE, AFTER] = [0, 1] as const
const part = (at: typeof BEFORE | typeof AFTER): string => {
  const bare = hash.value.replace(/^#\/?/, '')
  const mark = bare.indexOf('?')
  return at === BEFORE ? bare.slice(0, mark === -1 ? undefined : mark) : mark === -1 ? '' : bare.slice(mark + 1)
}

/** `jobs/1f…` → ['jobs', '1f…'] */
export const place = computed(() =>
  part(BEFORE)
    .split('/')
    .filter(Boolean)
    .map((step) => {
      try {
        return decodeURIComponent(step)
      } catch {
        return step
      }
    }),
)

/** What stands behind the question mark, as it was written. */
export const query = computed(() => part(AFTER))

export const go = (to: string): void => {
  location.hash = `/${to}`
  // The event comes later: until then the screen that is left would take its own place for the present one.
  hash.value = location.hash
}

/** The same place said more exactly: no step of its own on the way back. */
export const settle = (to: string): void => {
  history.replaceState(null, '', `#/${to}`)
  hash.value = location.hash
}
