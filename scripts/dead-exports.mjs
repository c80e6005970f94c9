// Lists exports of `src` and the dashboard that no other file imports. Files loaded by name in threads and processes
// are entry points, and their exports are called by the parent.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './setup.mjs'

/** Exports called by name across a thread or by the bundler. */
const ENTRIES = /(?:-thread|-worker|worker|-child|child)\.ts$|\.d\.ts$|^src\/capabilities\/interact\/inside\//

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
const IMPORT = /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*(?: as \w+)?|\w+)\s+from\s+'(\.[^']+)'/g
const DYNAMIC = /import\(\s*'(\.[^']+)'\s*\)/g

const sources = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mts|mjs)$/.test(file) && !/node_modules|fixtures/.test(file))
    .map((file) => join(folder, file))

export function deadExports() {
  const files = ['src', 'test', 'bench', 'scripts', 'dashboard/src'].flatMap(sources)
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const used = new Map()
  const use = (file, name) => (used.get(file) ?? used.set(file, new Set()).get(file)).add(name)
  for (const [file, text] of texts) {
    const at = (target) => normalize(join(dirname(file), target))
    for (const [, names, target] of text.matchAll(IMPORT)) {
      if (!names.startsWith('{')) use(at(target), '*')
      for (const name of names.match(/\w+(?=(?:\s+as\s+\w+)?\s*[,}])/g) ?? []) use(at(target), name)
    }
    // A module loaded at run time: the names are read from it in many ways.
    for (const [, target] of text.matchAll(DYNAMIC)) use(at(target), '*')
  }
  // Scripts and benchmarks load built files by paths that they compose, so every word in them counts as a use.
  const loaded = [...texts].filter(([file]) => file.endsWith('.mjs')).flatMap(([, text]) => text.match(/\w+/g) ?? [])
  const words = new Set(loaded)
  return files
    .filter((file) => /^(?:src|dashboard\/src)\//.test(file) && !/\.test\.tsx?$/.test(file) && !ENTRIES.test(file))
    .flatMap((file) => {
      const names = used.get(file) ?? new Set()
      if (names.has('*')) return []
      const isUsed = (name) => names.has(name) || words.has(name)
      return [...texts.get(file).matchAll(EXPORT)].flatMap(([, name]) => (isUsed(name) ? [] : [`${file} ${name}`]))
    })
}

if (process.argv[1] === import.meta.filename) {
  const dead = deadExports()
  for (const line of dead) console.error(`${line}: nothing imports it`)
  if (dead.length > 0) process.exit(1)
  console.log('exports: each is imported somewhere')
}
