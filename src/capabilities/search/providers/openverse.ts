// Openverse: openly licensed pictures.
import type { Provider } from '../provider.ts'
import { fetchJson, firstText, hitRowsOrThrow, imageSizeFields, makeUrl } from './provider-helpers.ts'

export const openverse: Provider = {
  name: 'openverse',
  base: 'https://api.openverse.org',
  kind: 'open',
  sources: ['images'],
  perMinute: 20,
  suits: () => 0.8,
  async ask({ text: q, limit }, base, web, signal) {
    const answer = await fetchJson(
      web,
      { url: makeUrl(base, '/v1/images/', { q, page_size: Math.min(limit, 20) }) },
      signal,
    )
    return hitRowsOrThrow(answer.results).map((image) => ({
      url: firstText(image.foreign_landing_url),
      title: firstText(image.title),
      snippet: [firstText(image.creator), firstText(image.license)].filter(Boolean).join(', '),
      imageUrl: firstText(image.url),
      ...imageSizeFields(image.width, image.height),
    }))
  },
}
