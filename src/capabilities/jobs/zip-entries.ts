// A zip as a stream of its entries, stored without compression, which would block the event loop.
import { Zip, ZipPassThrough } from 'fflate'

export type ZipEntry = { name: string; parts: AsyncIterable<Uint8Array> }

export async function* zipEntries(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const archive = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  for await (const { name, parts } of entries) {
    const file = new ZipPassThrough(name)
    archive.add(file)
    for await (const part of parts) {
      file.push(part)
      yield Buffer.concat(ready.splice(0))
      // A document may be large: yield to other requests between two.
      await new Promise((resolve) => setImmediate(resolve))
    }
    file.push(new Uint8Array(0), true)
  }
  archive.end()
  yield Buffer.concat(ready.splice(0))
}
