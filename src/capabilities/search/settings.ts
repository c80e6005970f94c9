// Operator settings of search: providers, keys, and the index.
import { z } from 'zod'
import {
  commaListSchema,
  defineSetting,
  optionalTextSchema,
  type Setting,
  webAddressSchema,
  wholeNumberSchema,
} from '../../base/setting.ts'

export const searchSettings = {
  searchProviders: defineSetting(
    'ORB_SEARCH_PROVIDERS',
    commaListSchema,
    'all',
    'Comma list of search providers besides our own index; `none`: the open web is never searched. See docs/search.md.',
  ),
  searchIndex: defineSetting(
    'ORB_SEARCH_INDEX',
    z.enum(['auto', 'always', 'never']).default('auto'),
    'Whose fetched pages are indexed: `auto`: those of teams that searched in the last 30 days, `always`: all, `never`: none; searches then use only providers.',
  ),
  searchCommon: defineSetting(
    'ORB_SEARCH_COMMON',
    commaListSchema,
    'Comma list of hosts whose pages all teams can find, even if another team fetched them; `*`: all. Otherwise teams find only their own.',
  ),
  searchMemoryMb: defineSetting(
    'ORB_SEARCH_MEMORY_MB',
    wholeNumberSchema(16, 100_000).default(256),
    'Maximum megabytes of the search index in memory.',
  ),
  searchBases: defineSetting(
    'ORB_SEARCH_BASES',
    commaListSchema.refine(
      (all) => all.every((item) => /^[a-z0-9-]+=https?:\/\/\S+$/.test(item)),
      'must be a comma list such as wikipedia=https://mirror.example.org',
    ),
    'Comma list of name=URL: another base URL for a provider.',
  ),
  searxngUrl: defineSetting('ORB_SEARXNG_URL', webAddressSchema, 'A SearXNG instance for web search.'),
  braveKey: defineSetting('ORB_BRAVE_KEY', optionalTextSchema, 'A Brave Search key.'),
  serperKey: defineSetting('ORB_SERPER_KEY', optionalTextSchema, 'A Serper key.'),
  tavilyKey: defineSetting('ORB_TAVILY_KEY', optionalTextSchema, 'A Tavily key.'),
  exaKey: defineSetting('ORB_EXA_KEY', optionalTextSchema, 'An Exa key.'),
  googleKey: defineSetting(
    'ORB_GOOGLE_KEY',
    optionalTextSchema,
    'A key for Google Programmable Search; needs ORB_GOOGLE_CX.',
  ),
  googleCx: defineSetting('ORB_GOOGLE_CX', optionalTextSchema, 'The id of the search engine there.'),
} satisfies Record<string, Setting>
