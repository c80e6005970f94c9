// `npm run bench`: our line and the peers', in one run: speed, and quality where the labelled pages are.
import { setUp } from './setup.mjs'

setUp()
const wanted = process.argv.slice(2)
if (wanted.length === 0 || wanted.includes('speed')) {
  const { measureSpeed, speedTable } = await import('../bench/speed.mjs')
  console.log(`## Speed\n\n${speedTable(await measureSpeed())}\n`)
}
if (wanted.length === 0 || wanted.includes('quality')) {
  const { measureQuality, qualityTable } = await import('../bench/quality.mjs')
  const quality = await measureQuality()
  console.log(
    quality
      ? `## Quality\n\n${qualityTable(quality)}\n`
      : 'Quality: skipped, because ../shared/bench (the labelled pages) is not here.',
  )
}
