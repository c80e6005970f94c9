// Operator settings of search: providers, keys, and the index.
import { z } from 'zod'
import { list, type Setting, setting, text, webAddress, whole } from '../../base/setting.ts'

export const searchSettings = {
  searchProviders: setting(
    'ORB_SEARCH_PROVIDERS',
    list,
    'all',
    'Comma list of search providers to ask besides our own index; `none`: the open web is never asked. See docs/search.md.',
  ),
  searchIndex: setting(
    'ORB_SEARCH_INDEX',
    z.enum(['auto', 'always', 'never']).default('auto'),
    'auto',
    'Whose fetched pages are indexed: `auto`: those of teams that searched in the last 30 days, `always`: all, `never`: none; searches then ask providers only.',
  ),
  searchCommon: setting(
    'ORB_SEARCH_COMMON',
    list,
    'unset',
    'Comma list of hosts whose pages every team finds, even if another team fetched them; `*`: all. Otherwise teams find only their own.',
  ),
  searchMemoryMb: setting(
    'ORB_SEARCH_MEMORY_MB',
    whole(16, 100_000).default(256),
    '256',
    'Most megabytes of the search index held in memory.',
  ),
  searchBases: setting(
    'ORB_SEARCH_BASES',
    list.refine(
      (all) => all.every((item) => /^[a-z0-9-]+=https?:\/\/\S+$/.test(item)),
      'must be a comma list such as wikipedia=https://mirror.example.org',
    ),
    'unset',
    'Comma list of name=address: where a provider is asked instead of its usual address.',
  ),
  openSearchUrl: setting(
    'ORB_OPENSEARCH_URL',
    webAddress,
    'unset',
    'An OpenSearch server that holds the index of what was fetched, in place of our own.',
  ),
  searxngUrl: setting('ORB_SEARXNG_URL', webAddress, 'unset', 'A SearXNG instance for web search.'),
  braveKey: setting('ORB_BRAVE_KEY', text, 'unset', 'A Brave Search key.'),
  serperKey: setting('ORB_SERPER_KEY', text, 'unset', 'A Serper key.'),
  tavilyKey: setting('ORB_TAVILY_KEY', text, 'unset', 'A Tavily key.'),
  exaKey: setting('ORB_EXA_KEY', text, 'unset', 'An Exa key.'),
  googleKey: setting('ORB_GOOGLE_KEY', text, 'unset', 'A key for Google Programmable Search; needs ORB_GOOGLE_CX.'),
  googleCx: setting('ORB_GOOGLE_CX', text, 'unset', 'The id of the search engine there.'),
} satisfies Record<string, Setting>
