// The HTTP routes of search.

import { prices } from '../../base/prices.ts'
import { makeScrapeOptionsFormatsReader } from '../../teams/key-restrictions.ts'
import { defineCapability } from '../capability.ts'
import { SCRAPE_OPTIONS_INPUT_SCHEMA, STRING_LIST_SCHEMA } from '../mcp-tool-descriptions.ts'
import { handleSearchRequest } from './handle-search-request.ts'
import { importWarc } from './import-warc.ts'
import { openSearchServices } from './open-services.ts'
import { defineRoute } from './own-services.ts'
import { providersReply, searchBody, searchQueryParameters, searchReply } from './schema.ts'

const postSearch = defineRoute({
  method: 'POST',
  path: '/v2/search',
  activity: 'search',
  summary: 'Search the web and all pages that were fetched here',
  bucket: 'search',
  body: searchBody,
  example: { query: 'pressure gauge calibration', limit: 5 },
  query: searchQueryParameters,
  reply: searchReply,
  handle: (services, { body, query }, call) => handleSearchRequest(services, body, query, call),
})

const getProviders = defineRoute({
  method: 'GET',
  path: '/v2/search/providers',
  summary: 'State of the search providers',
  bucket: 'account',
  reply: providersReply,
  async handle({ searchProviders }) {
    const data = searchProviders().map(({ until, ...state }) => ({
      ...state,
      ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
    }))
    return { success: true, data }
  },
})

/** An instruction, not a part of the query. */
const OPENING = /^(?:please )?(?:search|look)(?: the (?:web|internet))? for /i

export const searchCapability = defineCapability({
  name: 'search',
  tag: 'Search',
  needs: ['search'],
  right: 'use',
  cliGroup: 'Get pages',
  mcp: {
    search: {
      use: 'Search the web for a topic, news or images when you have no URL.',
      not: 'a known page (scrape), research over several steps (agent)',
      example: { query: 'solid state battery 2026', limit: 5 },
      inputs: {
        query: '',
        limit: '',
        sources: { ...STRING_LIST_SCHEMA, description: 'web, news, images' },
        categories: { ...STRING_LIST_SCHEMA, description: 'github, research, pdf, developer' },
        includeDomains: STRING_LIST_SCHEMA,
        excludeDomains: STRING_LIST_SCHEMA,
        tbs: 'qdr:d|w|m|y: the last day, week…',
        country: '',
        scrapeOptions: {
          ...SCRAPE_OPTIONS_INPUT_SCHEMA,
          description: 'Read each hit too, such as {"formats":["markdown"]}',
        },
      },
    },
  },
  requestForms: [
    {
      name: 'search',
      places: { question: 2, words: 1 },
      label: 'Search',
      why: 'pages of the web about this',
      phrases: [
        'search*|google',
        'find … pages|articles|news|papers',
        'find pages|articles',
        'look for',
        'anything|pages|news|articles about',
        'suche*|such',
        'cherche*|recherche*',
        'busca*',
      ],
      takes: 'words',
      operation: 'search',
      path: '/v2/search',
      isQuick: true,
      body: ({ urls, words, count = 10 }) => ({
        query: [words.replace(OPENING, ''), ...urls.map((url) => `site:${new URL(url).hostname}`)].join(' ').trim(),
        limit: Math.min(count, 100),
      }),
    },
  ],
  group: 'search',
  formats: makeScrapeOptionsFormatsReader([]),
  prices: [
    { what: 'A search, for every started ten hits', credits: prices.search.credits },
    { what: 'The same with zero data retention', credits: prices.search.zeroDataRetention },
  ],
  open: openSearchServices,
  routes: [postSearch, getProviders, importWarc],
})
