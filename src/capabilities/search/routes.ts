// The HTTP routes of search.

import { prices } from '../../base/prices.ts'
import { formatsOfPages } from '../../teams/restrictions.ts'
import { defineCapability } from '../capability.ts'
import { mcp } from './mcp.ts'
import { needs, route } from './needs.ts'
import { openSearching } from './open.ts'
import { runSearch } from './run-search.ts'
import { providersReply, searchBody, searchQuery, searchReply } from './schema.ts'

const postSearch = route({
  method: 'POST',
  path: '/v2/search',
  activity: 'search',
  summary: 'Search the web, and everything that was fetched here',
  tag: 'Search',
  bucket: 'search',
  body: searchBody,
  example: { query: 'pressure gauge calibration', limit: 5 },
  query: searchQuery,
  reply: searchReply,
  handle: (services, { body, query }, call) => runSearch(services, body, query, call),
})

const getProviders = route({
  method: 'GET',
  path: '/v2/search/providers',
  summary: 'Who answers searches, and who is left alone until when',
  tag: 'Search',
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

export const search = defineCapability({
  name: 'search',
  right: 'use',
  needs,
  cliGroup: 'Get pages',
  mcp,
  group: 'search',
  formats: formatsOfPages([]),
  prices: [
    { what: 'A search, for every started ten hits', credits: prices.search.credits },
    { what: 'The same with zero data retention', credits: prices.search.zeroDataRetention },
  ],
  open: openSearching,
  routes: [postSearch, getProviders],
})
