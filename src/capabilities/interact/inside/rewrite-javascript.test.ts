import { describe, expect, it } from 'vitest'
import { rewriteAsAsyncBody, evaluateJavaScript as run } from './rewrite-javascript.ts'

describe('code of callers', () => {
  it.each([
    ['1 + 1', 2],
    ['await Promise.resolve("x")', 'x'],
    ['const a = 1; a', 1],
    ['return 5', 5],
    ['const { b, c: [d] } = { b: 1, c: [2] }; b + d', 3],
    ['let e; e', undefined],
    ['function f() { return 7 }\nf()', 7],
    ['class K { m() { return 3 } }\nnew K().m()', 3],
    ['({ x: 1 }).x // a remark', 1],
    ['if (true) { return "inside" }', 'inside'],
    ['import path from "node:path"; path.join("a", "b")', 'a/b'],
    ['import { join as glue } from "node:path"; glue("a", "b")', 'a/b'],
    ['const p = []\np.push(1)\nconst { length: size } = p\nsize', 1],
    ['const z = 3', undefined],
    ['', undefined],
  ])('%s', async (code, value) => {
    expect(await run(code)).toEqual(value)
  })

  it('keeps what was declared, and lets it be declared again', async () => {
    await run('const kept = 41; function more() { return kept + 1 }')
    expect(await run('more()')).toBe(42)
    await run('const kept = 1')
    expect(await run('more()')).toBe(2)
  })

  it('says where the code is no code', () => {
    expect(() => rewriteAsAsyncBody('const = 3')).toThrow(SyntaxError)
  })
})
