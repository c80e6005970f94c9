// Scripts and benches are plain JavaScript that no type check reads: after a rename they would fail when someone runs
// them, `npm start` on a fresh clone among them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const scripts = ['scripts', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name)),
)

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter(Boolean)

const known = new Map<string, Set<string>>()

function exportsOf(file: string): Set<string> {
  const found = known.get(file) ?? new Set<string>()
  if (known.has(file)) return found
  known.set(file, found)
  const text = readFileSync(file, 'utf8')
  for (const [, name] of text.matchAll(/^export (?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm))
    found.add(name!)
  for (const [, list] of text.matchAll(/^export const \{([^}]*)\}/gm))
    for (const name of namesIn(list!)) found.add(name.split(':').at(-1)!.trim())
  for (const [, list] of text.matchAll(/^export (?:type )?\{([^}]*)\}/gm))
    for (const name of namesIn(list!)) found.add(name.split(' as ').at(-1)!)
  for (const [, other] of text.matchAll(/^export \* from '(\.[^']+)'/gm))
    for (const name of exportsOf(join(dirname(file), other!))) found.add(name)
  return found
}

/** What a script takes from files of the repository: `[names, path]`. */
function importsOf(text: string): [string[], string][] {
  const taken: [string[], string][] = []
  for (const [, list, path] of text.matchAll(/import \{([^}]*)\} from '(\.[^']+)'/g))
    taken.push([namesIn(list!).map((name) => name.split(' as ')[0]!), path!])
  for (const [, list, path] of text.matchAll(/const \{([^}]*)\} = await (?:import|load)\(\s*['"]([^'"]+)['"]/g))
    taken.push([namesIn(list!).map((name) => name.split(':')[0]!.trim()), path!])
  return taken
}

it('scripts take files and names that exist', () => {
  const missing: string[] = []
  for (const script of scripts)
    for (const [names, path] of importsOf(readFileSync(script, 'utf8'))) {
      // `load` also takes paths below folders of its own; those are left to the script that names them.
      const file = path.startsWith('.') ? join(dirname(script), path) : path
      if (!/\.(ts|mjs)$/.test(file) || !/^(\.|src\/|test\/)/.test(path)) continue
      if (!existsSync(file)) missing.push(`${script}: ${path}`)
      else missing.push(...names.filter((name) => !exportsOf(file).has(name)).map((name) => `${script}: ${name}`))
    }
  expect(missing).toEqual([])
  expect(scripts.length).toBeGreaterThan(50)
})
