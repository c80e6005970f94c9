// Pages with media of every make: each gives a file that ffprobe and ffmpeg can play, or the right error. The service has no ffmpeg.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOrb } from './jobs-context.mjs'

const SECONDS = 3

export async function makesRow(load, folder) {
  const { mediaPages } = await load('test/site/media.ts')
  const { VIDEO_MAKES, REFUSED_MAKES, AUDIO_MAKES } = await load('test/site/media-makes.ts')
  const site = await (await load('test/site/site.ts')).startSite(mediaPages)
  const orb = await startOrb({ ports: [site.port], env: { ORB_MEDIA_MAX_MB: '8', ORB_FFMPEG: '' } })
  const ask = (path, formats, more) =>
    orb.call('POST', '/v2/scrape', { url: site.url + path, formats, maxAge: 0, timeout: 120_000, ...more })
  const faults = []
  const check = async (name, holds) => {
    if (!(await holds().catch(() => false))) faults.push(name)
  }
  try {
    for (const [name, path, type] of VIDEO_MAKES)
      await check(name, async () => {
        const { data } = await ask(path, ['video'])
        return data.videoDetails.contentType === type && plays(data.video, folder)
      })
    for (const [name, path] of AUDIO_MAKES)
      await check(name, async () => plays((await ask(path, ['audio'])).data.audio, folder))
    for (const [name, path, , code, why] of REFUSED_MAKES)
      await check(name, async () => {
        const answer = await ask(path, ['video'], { fastMode: true })
        return answer.success === false && answer.code === code && why.test(answer.error)
      })
    const all = VIDEO_MAKES.length + AUDIO_MAKES.length + REFUSED_MAKES.length
    return {
      what: `Pages with ${all} kinds of media (${VIDEO_MAKES.length} video, ${AUDIO_MAKES.length} audio, ${REFUSED_MAKES.length} that must be refused), without ffmpeg`,
      bar: 'a file that ffprobe and ffmpeg play, or the right error, for all',
      measured: `${all - faults.length} of ${all}${faults.length > 0 ? `; not ${faults.join(', ')}` : ''}`,
      ok: faults.length === 0,
    }
  } finally {
    await orb.stop()
    await site.close()
  }
}

/** From its first frame to its last, and as long as it should be. */
async function plays(link, folder) {
  const path = join(folder, randomUUID())
  writeFileSync(path, Buffer.from(await (await fetch(link)).arrayBuffer()))
  const said = execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path])
  execFileSync('ffmpeg', ['-v', 'error', '-xerror', '-i', path, '-f', 'null', '-'])
  return Math.abs(Number(said.toString()) - SECONDS) < 0.15
}
