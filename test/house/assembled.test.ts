// Code that is committed both as source and as bytes: the bytes must be what the source says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assembled } from '../../scripts/assemble.mjs'

it('the committed WebAssembly is what its source assembles to', async () => {
  const committed = readFileSync(join(import.meta.dirname, '../../src/content/main/trees-wasm.ts'), 'utf8')
  expect(committed).toBe(await assembled())
})
