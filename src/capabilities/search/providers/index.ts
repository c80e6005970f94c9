// The providers this build knows, in the order they are shown to people. One more costs one file and one line here.
import type { Provider } from '../provider.ts'

export interface ProviderWish {
  /** Names of those wanted; empty: all; `none`: none. */
  searchProviders: readonly string[]
  searxngUrl: string | undefined
  braveKey: string | undefined
  serperKey: string | undefined
  tavilyKey: string | undefined
  exaKey: string | undefined
  googleKey: string | undefined
  googleCx: string | undefined
}

/** Those that need no key. */
const open: readonly Provider[] = []

/** Those that need an address or a key, when it is there. */
const own = (_wish: ProviderWish): Provider[] => []

export function providersFor(wish: ProviderWish): Provider[] {
  const { searchProviders: wanted } = wish
  if (wanted.includes('none')) return []
  const all = [...own(wish), ...open]
  return wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name))
}
