// Wikimedia Commons: free pictures.
import { isObject } from '../../../base/values.ts'
import type { Provider } from '../provider.ts'
import { address, at, json, list, plain, size, text } from './http.ts'

export const commons: Provider = {
  name: 'commons',
  base: 'https://commons.wikimedia.org',
  kind: 'open',
  sources: ['images'],
  perMinute: 30,
  suits: () => 0.7,
  async ask({ text: words, limit }, base, web, signal) {
    const search = { generator: 'search', gsrnamespace: 6, gsrsearch: words, gsrlimit: Math.min(limit, 30) }
    const parameters = { action: 'query', format: 'json', ...search, prop: 'imageinfo', iiprop: 'url|size|extmetadata' }
    const answer = await json(web, { url: address(base, '/w/api.php', parameters) }, signal)
    const pages = at(answer, 'query', 'pages')
    return Object.values(isObject(pages) ? pages : {}).flatMap((page) => {
      const [info] = list(at(page, 'imageinfo'))
      if (!info) return []
      const title = text(at(page, 'title'))
        .replace(/^File:/, '')
        .replace(/\.\w+$/, '')
      const snippet = plain(at(info, 'extmetadata', 'ImageDescription', 'value'))
      return [
        { url: text(info.descriptionurl), title, snippet, imageUrl: text(info.url), ...size(info.width, info.height) },
      ]
    })
  },
}
