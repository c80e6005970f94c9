// Compiles src/ into a cache folder and imports from there: Node 20 does not read TypeScript, and training must use the
// very code that ships.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const out = join(root, 'node_modules/.cache/train')

export function compile() {
  const tsc = join(root, 'node_modules/.bin/tsc')
  const options = ['-p', join(root, 'tsconfig.build.json'), '--outDir', out, '--noCheck']
  const { status, stdout } = spawnSync(tsc, options, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`src does not compile:\n${stdout}`)
}

/** Imports a module of src/ by its path there, without the extension. */
export const source = (name) => import(pathToFileURL(join(out, `${name}.js`)).href)
