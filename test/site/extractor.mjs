// An extractor as an operator may have one: reads the address it is given and answers in the shape of `yt-dlp -J`, or misbehaves.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const [flag, address] = process.argv.slice(2)
const { pathname, origin } = new URL(address)
const say = (answer) => process.stdout.write(JSON.stringify(answer))
const whole = (path) => ({
  url: origin + path,
  ext: 'mp4',
  protocol: 'https',
  vcodec: 'avc1',
  acodec: 'mp4a',
  height: 36,
})

if (flag !== '-J' || process.env.HOME || process.env.PATH || process.env.ORB_API_KEY) process.exit(9)
switch (pathname.split('/').at(-1)) {
  case 'right':
    say({
      title: 'Clip',
      duration: 3,
      thumbnail: `${origin}/media/poster.png`,
      formats: [{ ...whole('/media/silent.mp4'), acodec: 'none', height: 72 }, whole('/media/clip.mp4')],
    })
    break
  case 'stream':
    say({ entries: [{ formats: [{ ...whole('/media/ts.m3u8'), protocol: 'm3u8_native' }] }] })
    break
  case 'rubbish':
    process.stdout.write('<html>no</html>')
    break
  case 'nothing':
    say({ title: 'Nothing', formats: [{ url: 'file:///etc/passwd' }, { url: 7 }, null] })
    break
  case 'fails':
    process.stderr.write('a secret of the operator\n')
    process.exit(3)
    break
  case 'private':
    say({ url: 'http://169.254.169.254/latest/meta-data/clip.mp4' })
    break
  case 'elsewhere':
    say({ url: 'http://bad.example.com/clip.mp4' })
    break
  case 'hangs':
    // A grandchild that keeps the output open must not outlive it either.
    writeFileSync('grandchild', String(spawn('sleep', ['600'], { stdio: 'inherit' }).pid))
    setInterval(() => {}, 1000)
    break
  case 'huge': {
    const block = 'x'.repeat(1 << 20)
    const more = () => process.stdout.write(block, more)
    more()
    break
  }
}
