// Openverse: openly licensed pictures.
import { makeJsonProvider, makeUrl } from './provider-helpers.ts'

export const openverse = makeJsonProvider({
  name: 'openverse',
  base: 'https://api.openverse.org',
  sources: ['images'],
  perMinute: 20,
  suits: () => 0.8,
  request: ({ text: q, limit }, base) => makeUrl(base, '/v1/images/', { q, page_size: Math.min(limit, 20) }),
  rows: 'results',
  hit: (hit) => ({
    url: hit.text('foreign_landing_url'),
    title: hit.text('title'),
    snippet: [hit.text('creator'), hit.text('license')].filter(Boolean).join(', '),
    imageUrl: hit.text('url'),
    ...hit.size('width', 'height'),
  }),
})
