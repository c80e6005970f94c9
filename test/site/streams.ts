// Streams as Debian's ffmpeg makes them, fresh for each run of the tests: HLS in transport streams, in fMP4 and encrypted, and
// DASH, under the names of the kept ones in test/fixtures/media. Where there is no ffmpeg the kept ones are taken.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PICTURE = '-f lavfi -i testsrc=size=64x36:rate=10:duration=3'
const TONE = '-f lavfi -i sine=440:duration=3:sample_rate=44100'
const CODED = '-c:v libx264 -preset ultrafast -crf 40 -g 10 -pix_fmt yuv420p -c:a aac -b:a 24k -ac 1'
const HLS = '-f hls -hls_time 1 -hls_playlist_type vod'

const ffmpeg = process.env.ORB_TEST_FFMPEG ?? 'ffmpeg'

/** The folder they are in; undefined when nothing here can make them. */
export function freshStreams(): string | undefined {
  try {
    execFileSync(ffmpeg, ['-version'], { stdio: 'ignore' })
  } catch {
    console.log('no ffmpeg here (ORB_TEST_FFMPEG names one): the streams of test/fixtures/media are taken instead')
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'orb-streams-'))
  const make = (how: string) =>
    execFileSync(ffmpeg, `-nostdin -v error ${PICTURE} ${TONE} ${CODED} ${how}`.split(' '), { cwd: folder })
  make(`${HLS} -hls_segment_filename ts%d.m2ts ts.m3u8`)
  make(`${HLS} -hls_segment_type fmp4 -hls_fmp4_init_filename fm-init.mp4 -hls_segment_filename fm%d.m4s fm.m3u8`)
  writeFileSync(join(folder, 'aes.key'), randomBytes(16))
  writeFileSync(join(folder, 'aes.info'), `aes.key\n${join(folder, 'aes.key')}\n`)
  make(`${HLS} -hls_key_info_file aes.info -hls_segment_filename aes%d.m2ts aes.m3u8`)
  make(
    '-f dash -seg_duration 1 -init_seg_name d-init-$RepresentationID$.m4s -media_seg_name d-$RepresentationID$-$Number$.m4s dash.mpd',
  )
  return folder
}
