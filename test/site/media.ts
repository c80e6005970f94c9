// Pages with audio and video of every make, and manifests that mean no good. The files are a few seconds of a test picture
// and a tone, made once with ffmpeg; test/fixtures/media/README.md says how.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Pages, Scene } from './page.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/media')
const TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
  webm: 'video/webm',
  m2ts: 'video/mp2t',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  key: 'application/octet-stream',
}

const html =
  (body: string, head = ''): Page =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html><head><title>Media</title>${head}</head><body><h1>A page with media</h1>
      <p>Some text that stands beside it, so that the page is a page and not an empty shell of one.</p>${body}</body></html>`)
  }
const text =
  (content: string | ((scene: Scene) => string), type = 'application/vnd.apple.mpegurl'): Page =>
  (scene) => {
    scene.response.writeHead(200, { 'content-type': type })
    scene.response.end(typeof content === 'string' ? content : content(scene))
  }

/** A file of the first folder that has it, whole or the range that was asked for. */
const fileIn =
  (folders: readonly string[]): Page =>
  ({ request, response, url }) => {
    const name = url.pathname.split('/').at(-1)!
    const bytes = readFileSync(folders.map((folder) => join(folder, name)).find(existsSync) ?? join(FOLDER, name))
    const type = TYPES[name.split('.').at(-1)!] ?? 'application/octet-stream'
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
    if (first !== undefined && last !== undefined) {
      response.writeHead(206, { 'content-type': type })
      response.end(bytes.subarray(Number(first), Number(last) + 1))
      return
    }
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length })
    response.end(bytes)
  }

const segments = (count: number, name: string) =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${`#EXTINF:1,\n${name}\n`.repeat(count)}#EXT-X-ENDLIST\n`
const ld = (thing: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...thing })}</script>`

/** In bits, each long after the last was taken: whoever takes it waits for the wire, not for its disk. */
const inBits: Page = async ({ response }) => {
  const bytes = readFileSync(join(FOLDER, 'clip.mp4'))
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length })
  const size = Math.ceil(bytes.length / 12)
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size))
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  response.end()
}

export const mediaPages: Pages = {
  '/media/*': fileIn([FOLDER]),
  '/m/bits': html('<video src="/m/bits.mp4"></video>'),
  '/m/bits.mp4': inBits,
  '/m/mp4': html('<video src="/media/clip.mp4" poster="/media/poster.png" controls></video>'),
  '/m/webm': html('<video><source src="/media/clip.webm" type="video/webm"></video>'),
  '/m/hls-ts': html('<video><source src="/media/ts.m3u8" type="application/x-mpegURL"></video>'),
  '/m/hls-fmp4': html('<video data-src="/media/fm.m3u8"></video>'),
  '/m/hls-aes': html('<video src="/media/aes.m3u8"></video>'),
  '/m/hls-alt': html('<video src="/media/alt.m3u8"></video>'),
  '/m/dash': html('<div class="player" data-dash="/media/dash.mpd"></div>'),
  '/m/dash-single': html('<video src="/media/dash-single.mpd"></video>'),
  '/m/json-ld': html(
    '',
    ld({
      '@type': 'NewsArticle',
      video: { '@type': 'VideoObject', contentUrl: '/media/clip.mp4', thumbnailUrl: '/t.png' },
    }),
  ),
  '/m/og': html('', '<meta property="og:video:secure_url" content="/media/clip.mp4">'),
  '/m/state': html(`<script>window.__PLAYER__={"sources":[{"file":"\\/media\\/ts.m3u8?a=1\\u0026b=2"}]}</script>`),
  '/m/setup': html(`<video-js data-setup='{"sources":[{"src":"/media/clip.webm"}]}'></video-js>`),
  '/m/frame': html('<iframe src="/m/hls-alt?embed=1"></iframe>'),
  '/m/links': html(
    '<ul><li><a href="/media/clip.mp3">First talk</a></li><li><a href="/media/clip.ogg">Second</a></li></ul>',
  ),
  '/m/m4a': html('<audio src="/media/clip.m4a"></audio>'),
  '/m/ogg': html('<audio><source src="/media/clip.ogg"></audio>'),
  '/m/blob': html(`<video></video><script>
    const parts = ['/media/', 'ts', '.m3', 'u8']
    fetch(parts.join('')).then((answer) => answer.text()).then((text) => { document.title = 'Playing ' + text.length })
  </script>`),
  '/m/poster': html('<video poster="/media/poster.png"></video>'),
  '/m/none': html('<p>No sound, no picture.</p>'),
  '/m/second': html(
    '<video><source src="/m/none" type="video/mp4"><source src="/media/clip.mp4" type="video/mp4"></video>',
  ),
  '/m/denied': html('<video src="/m/locked.mp4"></video>'),
  '/m/locked.mp4': ({ response }) => void response.writeHead(403).end(),
  '/m/drm': html('<video src="/m/drm.m3u8"></video>'),
  '/m/drm.m3u8': text(
    '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"\n#EXTINF:1,\n/media/ts0.m2ts\n#EXT-X-ENDLIST\n',
  ),
  '/m/drm-dash': html('<video src="/m/drm.mpd"></video>'),
  '/m/drm.mpd': text(
    () =>
      readFileSync(join(FOLDER, 'dash.mpd'), 'utf8').replace(
        '<Representation',
        '<ContentProtection schemeIdUri="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"><cenc:pssh xmlns:cenc="urn:mpeg:cenc:2013">AAAA</cenc:pssh></ContentProtection><Representation',
      ),
    'application/dash+xml',
  ),
  '/m/live': html('<video src="/m/live.m3u8"></video>'),
  '/m/live.m3u8': text('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:1,\n/media/ts0.m2ts\n'),
  '/m/episodes.xml': text(
    ({ base }) => `<?xml version="1.0"?><rss version="2.0"><channel><title>A podcast</title>
      <item><title>Episode 2</title><description>The newer one</description>
      <enclosure url="${base}/media/clip.mp3" type="audio/mpeg" length="12348"/></item></channel></rss>`,
    'application/rss+xml',
  ),
  // Manifests that mean no good.
  '/m/loop': html('<video src="/m/loop.m3u8"></video>'),
  '/m/loop.m3u8': text('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\nloop.m3u8\n'),
  '/m/million': html('<video src="/m/million.m3u8"></video>'),
  '/m/million.m3u8': text(() => segments(200_000, 'a.ts')),
  '/m/inner': html('<video src="/m/inner.m3u8"></video>'),
  '/m/inner.m3u8': text('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://10.0.0.1/secret.ts\n#EXT-X-ENDLIST\n'),
  '/m/own-files': html('<video src="/m/own-files.m3u8"></video>'),
  '/m/own-files.m3u8': text('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
  '/m/ages': html('<video src="/m/ages.mpd"></video>'),
  '/m/ages.mpd': text(
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10H"><Period><AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="1000" duration="1" media="$Number$.m4s"/><Representation id="1" bandwidth="1000"/></AdaptationSet></Period></MPD>`,
    'application/dash+xml',
  ),
  '/m/endless': html('<video src="/m/endless.mp4"></video>'),
  '/m/endless.mp4': ({ response, count }) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    const block = Buffer.alloc(65_536)
    const more = () => {
      while (!response.destroyed) {
        count(block.length)
        if (!response.write(block)) return void response.once('drain', more)
      }
    }
    more()
  },
}

/** The same, with files of a folder in the place of the kept ones. */
export const mediaPagesFrom = (folder: string): Pages => ({ ...mediaPages, '/media/*': fileIn([folder, FOLDER]) })
