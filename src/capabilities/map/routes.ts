// The HTTP routes of map.
import { prices } from '../../base/prices.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute } from '../route.ts'
import { mapSite } from './map-site.ts'
import { mapBody, mapQuery, mapReply } from './schema.ts'

const postMap = defineRoute({
  method: 'POST',
  path: '/v2/map',
  activity: 'map',
  summary: 'List the URLs of a site',
  bucket: 'map',
  body: mapBody,
  example: { url: 'https://example.com' },
  query: mapQuery,
  reply: mapReply,
  async handle(services, { body, query }, call) {
    return { success: true, ...(await mapSite(services, body, query.explain, call)) }
  },
})

export const mapCapability = defineCapability({
  name: 'map',
  tag: 'Map',
  right: 'use',
  cliGroup: 'Get pages',
  mcp: {
    map: {
      use: 'List the URLs a website has, quickly and without reading them; with `search` the one page about a topic comes first.',
      not: 'page content (scrape, crawl)',
      example: { url: 'https://example.com', search: 'refunds' },
      inputs: { url: '', search: 'Order by these words', limit: '', includeSubdomains: '', sitemap: '' },
    },
  },
  requestForms: [
    {
      name: 'map',
      places: { address: 3 },
      namesThings: true,
      label: 'Map',
      why: 'the URLs of the site, without reading them',
      phrases: [
        'map|sitemap|url|subpage',
        'site map|structure',
        'structure of',
        'list|show … pages',
        'what|which pages|urls|sections',
        'find … page',
        'unterseite*|seitenstruktur',
        'alle urls|adressen',
        'liste des|pages',
        'sous pages',
        'todas las direcciones',
        'lista … paginas',
        'subpagina*',
      ],
      takes: 'site',
      operation: 'map',
      path: '/v2/map',
      isQuick: true,
      body: ({ urls, count = 500 }) => ({ url: urls[0] ?? '', limit: count }),
    },
  ],
  group: 'map',
  prices: [{ what: 'A map', credits: prices.map }],
  routes: [postMap],
})
