// Wikimedia Commons: free pictures.
import { isObject } from '../../../base/values.ts'
import type { Provider } from '../provider.ts'
import {
  fetchJson,
  firstText,
  htmlToPlainText,
  imageSizeFields,
  makeUrl,
  objectsIn,
  valueAtKeys,
} from './provider-helpers.ts'

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
    const answer = await fetchJson(web, { url: makeUrl(base, '/w/api.php', parameters) }, signal)
    const pages = valueAtKeys(answer, 'query', 'pages')
    return Object.values(isObject(pages) ? pages : {}).flatMap((page) => {
      const [info] = objectsIn(valueAtKeys(page, 'imageinfo'))
      if (!info) return []
      const title = firstText(valueAtKeys(page, 'title'))
        .replace(/^File:/, '')
        .replace(/\.\w+$/, '')
      const snippet = htmlToPlainText(valueAtKeys(info, 'extmetadata', 'ImageDescription', 'value'))
      return [
        {
          url: firstText(info.descriptionurl),
          title,
          snippet,
          imageUrl: firstText(info.url),
          ...imageSizeFields(info.width, info.height),
        },
      ]
    })
  },
}
