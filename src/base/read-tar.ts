// Reads the files of a tar archive in memory: plain entries with short names, as npm packs them.

const BLOCK = 512

export function* readTarFiles(archive: Buffer): Generator<{ name: string; bytes: Buffer }> {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK)
    const name = text(header, 0, 100)
    if (name === '') return
    const size = Number.parseInt(text(header, 124, 12), 8) || 0
    at += BLOCK
    if (header[156] === 0x30 || header[156] === 0) yield { name, bytes: archive.subarray(at, at + size) }
    at += Math.ceil(size / BLOCK) * BLOCK
  }
}

const text = (header: Buffer, from: number, length: number): string => {
  const field = header.toString('latin1', from, from + length)
  const end = field.indexOf('\0')
  return (end < 0 ? field : field.slice(0, end)).trim()
}
