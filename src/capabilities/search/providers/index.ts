// The providers of this build, in display order.
import type { Provider } from '../provider.ts'
import { arxiv } from './arxiv.ts'
import { brave } from './brave.ts'
import { commons } from './commons.ts'
import { crossref } from './crossref.ts'
import { duckDuckGo } from './duckduckgo.ts'
import { exa } from './exa.ts'
import { gdelt } from './gdelt.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { hackerNews } from './hacker-news.ts'
import { internetArchive } from './internet-archive.ts'
import { marginalia } from './marginalia.ts'
import { mojeek } from './mojeek.ts'
import { openAlex } from './openalex.ts'
import { openverse } from './openverse.ts'
import { searxng } from './searxng.ts'
import { serper } from './serper.ts'
import { stackExchange } from './stack-exchange.ts'
import { tavily } from './tavily.ts'
import { wikidata } from './wikidata.ts'
import { wikipedia } from './wikipedia.ts'

interface ProviderOptions {
  searchProviders: readonly string[]
  searxngUrl: string | undefined
  braveKey: string | undefined
  serperKey: string | undefined
  tavilyKey: string | undefined
  exaKey: string | undefined
  googleKey: string | undefined
  googleCx: string | undefined
}

const open: readonly Provider[] = [
  wikipedia,
  wikidata,
  duckDuckGo,
  mojeek,
  marginalia,
  hackerNews,
  github,
  stackExchange,
  arxiv,
  crossref,
  openAlex,
  internetArchive,
  gdelt,
  openverse,
  commons,
]

const makeOwnProviders = (keys: ProviderOptions): Provider[] => [
  ...(keys.searxngUrl ? [searxng(keys.searxngUrl)] : []),
  ...(keys.braveKey ? [brave(keys.braveKey)] : []),
  ...(keys.serperKey ? [serper(keys.serperKey)] : []),
  ...(keys.tavilyKey ? [tavily(keys.tavilyKey)] : []),
  ...(keys.exaKey ? [exa(keys.exaKey)] : []),
  ...(keys.googleKey && keys.googleCx ? [google(keys.googleKey, keys.googleCx)] : []),
]

export function makeProviders(options: ProviderOptions): Provider[] {
  const { searchProviders: wanted } = options
  if (wanted.includes('none')) return []
  const all = [...makeOwnProviders(options), ...open]
  return wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name))
}
