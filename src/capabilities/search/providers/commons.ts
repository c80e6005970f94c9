// Wikimedia Commons: free pictures.
import { isObject } from '../../../base/values.ts'
import type { Provider } from '../provider.ts'
import { fetchJson, makeUrl, readJsonHit } from './provider-helpers.ts'

export const commons: Provider = {
  name: 'commons',
  base: 'https://commons.wikimedia.org',
  sources: ['images'],
  perMinute: 30,
  suits: () => 0.7,
  async ask({ text: words, limit }, base, web, signal) {
    const search = { generator: 'search', gsrnamespace: 6, gsrsearch: words, gsrlimit: Math.min(limit, 30) }
    const parameters = { action: 'query', format: 'json', ...search, prop: 'imageinfo', iiprop: 'url|size|extmetadata' }
    const answer = readJsonHit(await fetchJson(web, { url: makeUrl(base, '/w/api.php', parameters) }, signal))
    const pages = answer.value('query.pages')
    return Object.values(isObject(pages) ? pages : {}).flatMap((page) => {
      const found = readJsonHit(page)
      const [first] = [found.value('imageinfo')].flat()
      if (!isObject(first)) return []
      const info = readJsonHit(first)
      return [
        {
          url: info.text('descriptionurl'),
          title: found
            .text('title')
            .replace(/^File:/, '')
            .replace(/\.\w+$/, ''),
          snippet: info.plain('extmetadata.ImageDescription.value'),
          imageUrl: info.text('url'),
          ...info.size('width', 'height'),
        },
      ]
    })
  },
}
