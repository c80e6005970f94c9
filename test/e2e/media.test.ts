// The formats `audio` and `video` through the released SDK: pages of every make give a file that plays, or the right error.
import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import { afterAll, describe, expect, it } from 'vitest'
import { openMediaChildProcess } from '../../src/scrape/media/media-child-process.ts'
import { startTranscriber } from '../model/transcriber.ts'
import { mediaPages, mediaPagesFrom } from '../site/media.ts'
import { AUDIO_MAKES, REFUSED_MAKES, VIDEO_MAKES } from '../site/media-makes.ts'
import { freshStreams } from '../site/streams.ts'
import { emptyFolder, type Json } from './service.ts'
import { pageContext } from './test-context.ts'

const run = promisify(execFile)
const streams = freshStreams()
const transcriber = await startTranscriber()
afterAll(() => transcriber.close())
const { site, service } = pageContext(streams ? mediaPagesFrom(streams) : mediaPages, {
  ORB_MEDIA_MAX_MB: '8',
  ORB_TRANSCRIPTION_URL: transcriber.url,
  ORB_TRANSCRIPTION_MODEL: 'ear-1',
  ORB_TRANSCRIPTION_KEY: 'secret',
})
afterAll(() => void (streams && rmSync(streams, { recursive: true, force: true })))
const folder = emptyFolder()
/** Many are made at once, and wait for each other. */
const PATIENT_MS = 240_000
const hasFfprobe = (() => {
  try {
    execFileSync('ffprobe', ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

// biome-ignore lint/suspicious/noExplicitAny: the SDK's option types lag behind what it sends.
const scrape = (path: string, formats: any[]): Promise<Json> =>
  service.sdk.scrape(site.url + path, { formats, maxAge: 0, timeout: PATIENT_MS })
const post = (path: string, body: object) =>
  service.call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, timeout: PATIENT_MS, ...body })

/** What a player would find in the file behind a link. */
async function opened(link: string): Promise<{ type: string; seconds: number; codecs: string[] }> {
  const answer = await fetch(link)
  expect(answer.status).toBe(200)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect(Number(answer.headers.get('content-length'))).toBe(bytes.length)
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const tracks = [...(await input.getVideoTracks()), ...(await input.getAudioTracks())]
  const seconds = await input.computeDuration()
  const path = join(folder, randomUUID())
  writeFileSync(path, bytes)
  if (hasFfprobe) {
    // Not held up meanwhile: the site that others visit is in this process.
    const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path])
    expect(Math.abs(Number(stdout) - seconds)).toBeLessThan(0.1)
    await run('ffmpeg', ['-v', 'error', '-xerror', '-i', path, '-f', 'null', '-'])
  }
  return { type: answer.headers.get('content-type')!, seconds, codecs: tracks.map((track) => String(track.codec)) }
}

describe('video', () => {
  it.concurrent.each(VIDEO_MAKES)('%s', async (_name, path, type, codecs) => {
    const document = await scrape(path, ['video'])
    const file = await opened(document.video)
    expect(file).toMatchObject({ type, codecs })
    expect(file.seconds).toBeGreaterThan(2.9)
    expect(file.seconds).toBeLessThan(3.1)
    expect(document.videoDetails).toMatchObject({ contentType: type, codecs, width: 64, height: 36 })
    expect(Math.abs(document.videoDetails.duration - 3)).toBeLessThan(0.06)
    expect(document.metadata.creditsUsed).toBe(5)
  })

  it('comes beside the other formats, with its poster', async () => {
    const document = await scrape('/m/mp4', ['markdown', 'video'])
    expect(document.markdown).toContain('A page with media')
    expect(document.videoDetails.poster).toBe(`${site.url}/media/poster.png`)
    expect(document.videos).toEqual([
      expect.objectContaining({ url: document.video, thumbnail: document.videoDetails.poster, width: 64, height: 36 }),
    ])
  })

  it.concurrent.each(REFUSED_MAKES)('refuses %s', async (_name, path, status, code, why) => {
    const answer = await post(path, { formats: ['video'], fastMode: true })
    expect(answer.json).toMatchObject({ success: false, code })
    expect(answer.json.error).toMatch(why)
    expect(answer.status).toBe(status)
  })
})

describe('a transcript without captions', () => {
  const ask = (path: string, language?: string) => post(path, { formats: [{ type: 'transcript', language }] })

  it('comes from the endpoint that hears the sound', async () => {
    const { json } = await ask('/m/mp4', 'en-GB')
    expect(json.data.transcript).toMatchObject({
      language: 'english',
      text: 'Good morning. Mind the tide.',
      source: `${site.url}/media/clip.mp4`,
      cues: [{ start: 0, end: 1.5, text: 'Good morning.' }, { text: 'Mind the tide.' }],
    })
    const { fields, file, key } = transcriber.requests.at(-1)!
    expect(fields).toEqual({ model: 'ear-1', response_format: 'verbose_json', language: 'en' })
    expect([file.name, key]).toEqual(['sound.mp3', 'Bearer secret'])
    const input = new Input({ source: new BufferSource(file.bytes), formats: ALL_FORMATS })
    expect(await input.computeDuration()).toBeCloseTo(3, 0)
  })

  it('is an error that says why', async () => {
    const refused = await ask('/m/mp4', 'xx')
    expect(refused).toMatchObject({ status: 422, json: { code: 'SCRAPE_NO_TRANSCRIPT' } })
    expect(refused.json.error).toMatch(/returned status 400.*unsupported language/)
    expect((await ask('/m/none')).json.error).toContain('has no captions')
  })
})

describe('audio', () => {
  it.concurrent.each(AUDIO_MAKES)('%s becomes MP3', async (_name, path) => {
    const document = await scrape(path, ['audio'])
    const file = await opened(document.audio)
    expect(file).toMatchObject({ type: 'audio/mpeg', codecs: ['mp3'] })
    expect(Math.abs(document.audioDetails.duration - 3)).toBeLessThan(0.05)
  })

  it('is refused where there is none', async () => {
    const { status, json } = await post('/m/none', { formats: ['audio'] })
    expect({ status, code: json.code }).toEqual({ status: 422, code: 'SCRAPE_AUDIO_UNSUPPORTED_URL' })
  })
})

describe('links to media', () => {
  it('give parts of the file, and stop at a tampered signature', async () => {
    const { video } = await scrape('/m/mp4', ['video'])
    const whole = Buffer.from(await (await fetch(video)).arrayBuffer())
    const get = (range: string) => fetch(video, { headers: { range } })
    const middle = await get('bytes=100-199')
    expect(middle.status).toBe(206)
    expect(middle.headers.get('content-range')).toBe(`bytes 100-199/${whole.length}`)
    expect(Buffer.from(await middle.arrayBuffer()).equals(whole.subarray(100, 200))).toBe(true)
    const end = await get('bytes=-50')
    expect(Buffer.from(await end.arrayBuffer()).equals(whole.subarray(-50))).toBe(true)
    expect((await get(`bytes=${whole.length}-`)).status).toBe(416)
    expect((await get('lines=1-2')).status).toBe(200)
    expect((await fetch(`${video.slice(0, -3)}abc`)).status).toBe(404)
  })

  it('are not promised where nothing may be kept', async () => {
    const { status, json } = await post('/m/mp4', { formats: ['video'], zeroDataRetention: true })
    expect(status).toBe(400)
    expect(json.error).toMatch(/zeroDataRetention forbids/)
  })

  it('are missing with a warning where only the cache may be used', async () => {
    await post('/m/mp4', { formats: ['markdown'] })
    const visits = site.hits('/m/mp4')
    for (const option of [{ lockdown: true }, { minAge: 1 }]) {
      const { json } = await post('/m/mp4', { formats: ['markdown', 'video', 'audio'], maxAge: undefined, ...option })
      expect(json.data).toMatchObject({ markdown: expect.any(String), video: null, audio: null })
      expect(json.data.warning).toMatch(/video.*only the cache/)
      expect(json.data.metadata.creditsUsed).toBe('lockdown' in option ? 5 : 1)
      const alone = await post('/m/mp4', { formats: ['video'], maxAge: undefined, ...option })
      expect([alone.status, alone.json.code]).toEqual([
        404,
        'lockdown' in option ? 'SCRAPE_LOCKDOWN_CACHE_MISS' : 'SCRAPE_NO_CACHED_DATA',
      ])
    }
    expect(site.hits('/m/mp4')).toBe(visits)
  })

  it('leave nothing behind in the work folder, also when time runs out', async () => {
    const late = await post('/m/endless', { formats: ['video'], timeout: 1000, fastMode: true })
    expect([408, 422]).toContain(late.status)
    await expect.poll(() => readdirSync(join(service.dataDir, 'work'))).toEqual([])
  })
})

describe('a decoder that has to be fetched first', () => {
  const make = async (name: string, audioDecoder: () => Promise<string>) => {
    const script = new URL('../../dist/scrape/media/media-child.js', import.meta.url)
    const child = openMediaChildProcess({ script, memoryMb: 600, audioDecoder })
    const inputs = [join(import.meta.dirname, '../fixtures/media', name)]
    const order = { want: 'audio' as const, inputs, output: join(folder, `made-${name}.mp3`), ffmpeg: undefined }
    try {
      return await child.make(order, new AbortController().signal)
    } finally {
      child.end()
    }
  }

  it('is asked for by sound that needs it, and says why it is not there', async () => {
    await expect(make('clip.m4a', () => Promise.reject(new Error('the registry is silent')))).rejects.toThrow(
      'the audio decoder is not available (the registry is silent); set ORB_FFMPEG instead',
    )
    await expect(make('clip.m4a', async () => '/nonexistent.node')).rejects.toThrow(/cannot be loaded on this machine/)
  })

  it('is not asked for by MP3', async () => {
    expect(await make('clip.mp3', expect.fail)).toMatchObject({ by: 'copied' })
  })
})
