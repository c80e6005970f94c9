import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInNewContext, Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { makePageScript, readPageFunction } from './page-script.ts'

describe('a script for pages', () => {
  it('calls the exported function with plain data, and has what it imports once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'orb-page-script-'))
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write('unit.js', "export const unit = 'px'\n")
    write('add.js', "import { unit } from './unit.js'\n\nexport const add = (a, b) => a + b + unit\n")
    write(
      'main.js',
      "import { add } from './add.js'\nimport { unit } from './unit.js'\n\nexport function main({ a }, b) {\n  return [add(a, b), unit]\n}\n",
    )
    const make = makePageScript<[{ a: number }, number]>(pathToFileURL(join(folder, 'main.js')))
    expect(runInNewContext(make({ a: 1 }, 2))).toEqual(['3px', 'px'])
  })

  it('is one expression in every file that exports a function', () => {
    const entries = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /page-scripts[\\/].+\.js$/.test(path))
      .map((path) => join(import.meta.dirname, '..', path))
      .filter((path) => /^export (?:async )?function/m.test(readFileSync(path, 'utf8')))
    expect(entries.length).toBeGreaterThan(10)
    for (const path of entries)
      expect(() => new Script(`(${readPageFunction(pathToFileURL(path))})`, { filename: path })).not.toThrow()
  })
})
