// What a page costs beside an earlier commit (see beside.mjs), and what hostile and large input costs: the bars on time that
// stand in the tests, held here and not by `npm test`. Every test file that has such a bar runs once, one after another.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/setup.mjs'
import { prove as beside } from './beside.mjs'
import { testRows } from './rows/vitest.mjs'

export async function prove() {
  const { rows: pages } = await beside()
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name))
      .filter((name) => /\bexpectCost\(/.test(readFileSync(join(root, name), 'utf8'))),
  )
  const rows = testRows(files, { ORB_TEST_COSTS: 'on', ORB_TEST_EVAL: 'on' }, 'within its bars')
  return { title: 'Costs of pages, and of hostile and large input', rows: [...pages, ...rows] }
}
