// The format `transcript` through the released SDK: captions of every kind that a page can name, or an error that says why.
import { describe, expect, it } from 'vitest'
import type { Page } from '../site/site.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

const send =
  (body: string, type = 'text/html; charset=utf-8'): Page =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }
const vtt = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`
const page = (inside: string) =>
  send(`<!doctype html><title>Talk</title><main><h1>A talk</h1><p>Watch it.</p>${inside}</main>`)
const { site, service } = shared({
  '/talk/tracks': page(`<video src="/talk/a.mp4"><track kind="chapters" src="/talk/chapters.vtt">
    <track srclang="en" label="English" src="/talk/en.vtt"><track srclang="pt-BR" src="/talk/pt.srt"></video>`),
  '/talk/en.vtt': send(vtt('Good morning.'), 'text/vtt'),
  '/talk/pt.srt': send('1\n00:00:01,000 --> 00:00:02,000\nBom dia.\n', 'text/plain'),
  '/talk/stream': page('<video src="/talk/all.m3u8"></video>'),
  '/talk/all.m3u8': send(
    '#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Deutsch",LANGUAGE="de",URI="de/list.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="s"\nv.m3u8\n',
    'application/vnd.apple.mpegurl',
  ),
  '/talk/de/list.m3u8': send(
    '#EXTM3U\n#EXTINF:2,\n1.vtt\n#EXTINF:2,\n2.vtt\n#EXT-X-ENDLIST\n',
    'application/vnd.apple.mpegurl',
  ),
  '/talk/de/1.vtt': send(vtt('Guten'), 'text/vtt'),
  '/talk/de/2.vtt': send(vtt('Morgen.'), 'text/vtt'),
  '/talk/script': page(`<script>player({"captions":"\\/talk\\/en.vtt","thumbnails":"\\/talk\\/thumbs.vtt"})</script>`),
  '/talk/dash': page('<video><source src="/talk/all.mpd" type="application/dash+xml"></video>'),
  '/talk/all.mpd': send(
    '<MPD><Period><AdaptationSet mimeType="text/vtt" lang="en"><Representation><BaseURL>en.vtt</BaseURL></Representation></AdaptationSet></Period></MPD>',
    'application/dash+xml',
  ),
  '/talk/feed': send(
    `<?xml version="1.0"?><rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Cast</title>
    <item><title>One</title><podcast:transcript url="/talk/cast.json" type="application/json" language="en"/></item></channel></rss>`,
    'application/rss+xml',
  ),
  '/talk/cast.json': send(
    '{"segments":[{"startTime":0.5,"endTime":1,"body":"Welcome.","speaker":"Ann"}]}',
    'application/json',
  ),
  '/talk/none': page('<p>Nothing to hear.</p>'),
})

const take = async (path: string, options: object = {}): Promise<Json> => {
  const formats = [{ type: 'transcript', ...options }] as never
  return ((await service.sdk.scrape(`${site.url}/talk/${path}`, { formats })) as Json).transcript
}

describe('transcript', () => {
  it('comes from tracks, in the language that is asked for', async () => {
    expect(await take('tracks')).toEqual({
      language: 'en',
      label: 'English',
      source: `${site.url}/talk/en.vtt`,
      text: 'Good morning.',
      cues: [{ start: 1, end: 2, text: 'Good morning.' }],
    })
    expect(await take('tracks', { language: 'pt' })).toMatchObject({ language: 'pt-BR', text: 'Bom dia.' })
  })

  it('comes from streams, scripts and podcast feeds', async () => {
    expect(await take('stream')).toMatchObject({ language: 'de', label: 'Deutsch', text: 'Guten\nMorgen.' })
    expect(await take('dash')).toMatchObject({ language: 'en', text: 'Good morning.' })
    expect(await take('script')).toMatchObject({ text: 'Good morning.', source: `${site.url}/talk/en.vtt` })
    expect(await take('feed')).toMatchObject({ text: 'Welcome.', cues: [{ start: 0.5, end: 1, speaker: 'Ann' }] })
  })

  it('says why there is none', async () => {
    const ask = (path: string, format: object) =>
      service.call('POST', '/v2/scrape', {
        url: `${site.url}/talk/${path}`,
        formats: [{ type: 'transcript', ...format }],
      })
    const none = await ask('none', {})
    expect(none).toMatchObject({ status: 422, json: { code: 'SCRAPE_NO_TRANSCRIPT' } })
    expect(none.json.error).toContain('has no captions')
    expect((await ask('tracks', { language: 'fr' })).json.error).toContain('it has en, pt-BR, not fr')
  })
})
