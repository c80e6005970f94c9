// Unpacks the small tar archives of the npm browser: files and folders only, below the given folder.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

const BLOCK = 512

export async function unpackTar(archive: Buffer, folder: string): Promise<void> {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK)
    const name = text(header, 0, 100)
    if (name === '') return
    const size = Number.parseInt(text(header, 124, 12), 8) || 0
    const isFile = header[156] === 0x30 || header[156] === 0
    const path = join(folder, normalize(`/${name}`))
    at += BLOCK
    if (isFile) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, archive.subarray(at, at + size))
      await chmod(path, 0o755)
    }
    at += Math.ceil(size / BLOCK) * BLOCK
  }
}

const text = (header: Buffer, from: number, length: number): string => {
  const field = header.toString('latin1', from, from + length)
  const end = field.indexOf('\0')
  return (end < 0 ? field : field.slice(0, end)).trim()
}
