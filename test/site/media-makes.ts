// What must come of each page in media.ts: the file that is made of it, or the error.
export const VIDEO_MAKES: readonly [name: string, path: string, type: string, codecs: string[]][] = [
  ['an MP4 in the page', '/m/mp4', 'video/mp4', ['avc', 'aac']],
  ['an MP4 that comes in bits', '/m/bits', 'video/mp4', ['avc', 'aac']],
  ['a WebM among sources', '/m/webm', 'video/webm', ['vp9', 'opus']],
  ['HLS in transport streams', '/m/hls-ts', 'video/mp4', ['avc', 'aac']],
  ['HLS in fMP4', '/m/hls-fmp4', 'video/mp4', ['avc', 'aac']],
  ['HLS locked with AES-128', '/m/hls-aes', 'video/mp4', ['avc', 'aac']],
  ['HLS with its sound apart', '/m/hls-alt', 'video/mp4', ['avc', 'aac']],
  ['DASH in parts', '/m/dash', 'video/mp4', ['avc', 'aac']],
  ['DASH in one file each', '/m/dash-single', 'video/mp4', ['avc', 'aac']],
  ['JSON-LD', '/m/json-ld', 'video/mp4', ['avc', 'aac']],
  ['og:video', '/m/og', 'video/mp4', ['avc', 'aac']],
  ["a player's state in a script", '/m/state', 'video/mp4', ['avc', 'aac']],
  ["a player's attribute", '/m/setup', 'video/webm', ['vp9', 'opus']],
  ['a player in a frame', '/m/frame', 'video/mp4', ['avc', 'aac']],
  ['a first source that is a page', '/m/second', 'video/mp4', ['avc', 'aac']],
  ['a player that only a browser sees at work', '/m/blob', 'video/mp4', ['avc', 'aac']],
  ['the address of a file', '/media/clip.mp4', 'video/mp4', ['avc', 'aac']],
  ['the address of a playlist', '/media/ts.m3u8', 'video/mp4', ['avc', 'aac']],
]

export const REFUSED_MAKES: readonly [name: string, path: string, status: number, code: string, why: RegExp][] = [
  ['a poster and nothing else', '/m/poster', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /has no video/],
  ['nothing at all', '/m/none', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /has no video/],
  ['sound only', '/m/m4a', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /has no video/],
  ['a live stream', '/m/live', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /live stream/],
  ['a file behind a login', '/m/denied', 403, 'SCRAPE_MEDIA_ACCESS_DENIED', /returned 403/],
  ['HLS for licensed players', '/m/drm', 403, 'SCRAPE_MEDIA_ACCESS_DENIED', /licensed players/],
  ['DASH for licensed players', '/m/drm-dash', 403, 'SCRAPE_MEDIA_ACCESS_DENIED', /licensed players/],
  ['playlists in a circle', '/m/loop', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /circle/],
  ['a million parts', '/m/million', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /more than 50000 parts/],
  ['a part in the inner network', '/m/inner', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /not on the public web/],
  ['a part on our own disk', '/m/own-files', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /only http and https/],
  ['ten hours in milliseconds', '/m/ages', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /more than 50000 parts/],
  ['a file without an end', '/m/endless', 422, 'SCRAPE_VIDEO_UNSUPPORTED_URL', /ORB_MEDIA_MAX_MB/],
]

/** All become MP3. */
export const AUDIO_MAKES: readonly [name: string, path: string][] = [
  ['an AAC file', '/m/m4a'],
  ['a Vorbis file', '/m/ogg'],
  ['links to files', '/m/links'],
  ['the episode of a podcast', '/m/episodes.xml'],
  ['the sound of an MP4', '/m/mp4'],
  ['the sound of a WebM', '/m/webm'],
  ['the sound of HLS, apart', '/m/hls-alt'],
  ['the sound of HLS in transport streams', '/m/hls-ts'],
  ['the sound of DASH', '/m/dash'],
  ['the address of an MP3', '/media/clip.mp3'],
]
