// The HTTP routes of map.
import { prices } from '../../base/prices.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute } from '../route.ts'
import { mapSite } from './map-site.ts'
import { mcp } from './mcp.ts'
import { requestForms } from './request-forms.ts'
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
  mcp,
  requestForms,
  group: 'map',
  prices: [{ what: 'A map', credits: prices.map }],
  routes: [postMap],
})
