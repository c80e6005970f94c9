// The HTTP routes of search.

import { prices } from '../../base/prices.ts'
import { makeScrapeOptionsFormatsReader } from '../../teams/key-restrictions.ts'
import { defineCapability } from '../capability.ts'
import { handleSearchRequest } from './handle-search-request.ts'
import { importWarc } from './import-warc.ts'
import { mcp } from './mcp.ts'
import { openSearchServices } from './open-services.ts'
import { defineRoute } from './own-services.ts'
import { requestForms } from './request-forms.ts'
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

export const searchCapability = defineCapability({
  name: 'search',
  tag: 'Search',
  needs: ['search'],
  right: 'use',
  cliGroup: 'Get pages',
  mcp,
  requestForms,
  group: 'search',
  formats: makeScrapeOptionsFormatsReader([]),
  prices: [
    { what: 'A search, for every started ten hits', credits: prices.search.credits },
    { what: 'The same with zero data retention', credits: prices.search.zeroDataRetention },
  ],
  open: openSearchServices,
  routes: [postSearch, getProviders, importWarc],
})
