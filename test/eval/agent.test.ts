// The planner by rules on a hundred tasks over a web of our own; half of the tasks, by hash, are sealed. With a service, a
// model, caps and kills the same is measured by `npm run prove -- agent`.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { agentBody } from '../../src/capabilities/agent/schema.ts'
import { quoteOf } from '../../src/capabilities/agent/start.ts'
import { mapTool } from '../../src/capabilities/agent/tools/map.ts'
import { searchTool } from '../../src/capabilities/agent/tools/search.ts'
import { runOffline } from '../agent/offline.ts'
import { isSealed, makeWorld, schemaOf, type Task } from '../agent/world.ts'

const floors = JSON.parse(readFileSync(new URL('./agent-floors.json', import.meta.url), 'utf8')) as Record<
  string,
  number
>
const world = makeWorld()

const quoted = ({ prompt, start, effort, ...task }: Task): number => {
  const asked = {
    prompt,
    effort,
    urls: [`http://web.example${start}`],
    schema: schemaOf({ prompt, start, effort, ...task }),
  }
  return quoteOf({ agentTools: [searchTool, mapTool] } as never, agentBody.parse(asked)).estimatedCredits
}

describe.each([
  ['open', false],
  ['sealed', true],
])('the %s half of a hundred tasks', (half, sealed) => {
  it('holds its floors', { timeout: 300_000 }, () => {
    const done = world.tasks.filter((task) => isSealed(task) === sealed).map((task) => runOffline(world, task))
    const sum = (name: 'right' | 'wrong' | 'missing') => done.reduce((total, { grade }) => total + grade[name], 0)
    const all = sum('right') + sum('wrong') + sum('missing')
    const pages = done.map((one) => one.pages).sort((a, b) => a - b)[Math.floor(done.length / 2)]!
    const [right, wrong] = [sum('right') / all, sum('wrong') / all]
    const spread = done.map((one) => `${one.task.list ? 'L' : ''}${one.pages}`).join(' ')
    if (process.env.ORB_TEST_REPORT) console.log('pages', spread)
    console.log(half, { right: right.toFixed(3), wrong: wrong.toFixed(3), pages, tasks: done.length })
    const faults = done.filter(({ grade }) => grade.wrong + grade.missing > 0)
    const report = sealed
      ? ''
      : faults
          .map(({ task, grade, data, visited, because }) =>
            JSON.stringify({ id: task.id, grade, data, want: task.expected, visited, because }).slice(0, 700),
          )
          .join('\n')
    if (process.env.ORB_TEST_REPORT && !sealed) console.log(report)
    expect(right, report).toBeGreaterThanOrEqual(floors.right!)
    expect(wrong, report).toBeLessThanOrEqual(floors.wrong!)
    expect(pages).toBeLessThanOrEqual(floors.pages!)
    // What was quoted beforehand is what it would have cost, give or take a quarter.
    const near = done.filter(({ task, pages }) => Math.abs(quoted(task) - pages * 5) <= pages * 5 * 0.25)
    console.log(half, 'quotes near', near.length, 'of', done.length)
    expect(near.length / done.length).toBeGreaterThanOrEqual(floors.quotes!)
  })
})
