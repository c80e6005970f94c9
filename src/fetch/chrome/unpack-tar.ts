// Unpacks the small tar archives of the npm browser: files and folders only, below the given folder.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { readTarFiles } from '../../base/read-tar.ts'

export async function unpackTar(archive: Buffer, folder: string): Promise<void> {
  for (const { name, bytes } of readTarFiles(archive)) {
    const path = join(folder, normalize(`/${name}`))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    await chmod(path, 0o755)
  }
}
