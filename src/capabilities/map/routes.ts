// The HTTP face of map.
import { type Capability, route } from '../route.ts'
import { mapSite } from './map-site.ts'
import { mapBody, mapQuery, mapReply } from './schema.ts'

const postMap = route({
  method: 'POST',
  path: '/v2/map',
  summary: 'List the addresses of a site',
  tag: 'Map',
  bucket: 'map',
  body: mapBody,
  example: { url: 'https://example.com' },
  query: mapQuery,
  reply: mapReply,
  async handle(services, { body, query }, call) {
    return { success: true, ...(await mapSite(services, body, query.explain, call)) }
  },
})

export const map: Capability = { name: 'map', routes: [postMap] }
