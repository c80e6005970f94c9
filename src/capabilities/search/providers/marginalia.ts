// Marginalia: an independent index of the small and old web.
import { makeJsonProvider } from './provider-helpers.ts'

export const marginalia = makeJsonProvider({
  name: 'marginalia',
  base: 'https://api.marginalia.nu',
  sources: ['web'],
  perMinute: 20,
  suits: ({ categories }) => (categories.length > 0 ? 0 : 0.5),
  request: ({ text, limit }, base) => `${base}/public/search/${encodeURIComponent(text)}?count=${Math.min(limit, 50)}`,
  rows: 'results',
  hit: (hit) => ({ url: hit.text('url'), title: hit.plain('title'), snippet: hit.plain('description') }),
})
