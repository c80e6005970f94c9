// Openverse: openly licensed pictures.
import type { Provider } from '../provider.ts'
import { address, json, rows, size, text } from './http.ts'

export const openverse: Provider = {
  name: 'openverse',
  base: 'https://api.openverse.org',
  kind: 'open',
  sources: ['images'],
  perMinute: 20,
  suits: () => 0.8,
  async ask({ text: q, limit }, base, web, signal) {
    const answer = await json(web, { url: address(base, '/v1/images/', { q, page_size: Math.min(limit, 20) }) }, signal)
    return rows(answer.results).map((image) => ({
      url: text(image.foreign_landing_url),
      title: text(image.title),
      snippet: [text(image.creator), text(image.license)].filter(Boolean).join(', '),
      imageUrl: text(image.url),
      ...size(image.width, image.height),
    }))
  },
}
