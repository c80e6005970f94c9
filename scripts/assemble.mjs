// `node scripts/assemble.mjs`, after an edit of src/content/main/trees.wat: assembles it into trees-wasm.ts beside it.
// The bytes are committed, so that neither a build nor the service needs the assembler; a test holds them to the source.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openAssembler from 'wabt'
import { root } from './setup.mjs'

const folder = join(root, 'src/content/main')

/** What trees-wasm.ts must say. */
export async function assembled() {
  const { parseWat } = await openAssembler()
  const code = parseWat('trees.wat', readFileSync(join(folder, 'trees.wat'), 'utf8'), { simd: true })
  code.validate()
  const { buffer } = code.toBinary({})
  code.destroy()
  return `// Made from trees.wat by \`node scripts/assemble.mjs\`; edit there. WebAssembly in base64.
export const TREES_WASM =
  '${Buffer.from(buffer).toString('base64')}'
`
}

if (process.argv[1] === import.meta.filename) {
  const text = await assembled()
  writeFileSync(join(folder, 'trees-wasm.ts'), text)
  console.log(`trees-wasm.ts: ${text.length} bytes`)
}
