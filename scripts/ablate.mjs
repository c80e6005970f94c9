// What each rule of understanding brings. Scores the development and the sealed halves of the labelled sets
// (test/eval/README.md), and can take rules away:
//
//   node scripts/ablate.mjs                          both halves, by group
//   node scripts/ablate.mjs --without FILE[:A-B] …   … without lines A to B of a file (a row of a table, a branch)
//   node scripts/ablate.mjs --rows FILE …            each element of the lists in these files taken away in turn
//   node scripts/ablate.mjs --branches [PATH] …      each function, branch and fallback of src/understanding in turn
//   --out FILE writes the rows as JSON, --half sealed|open scores one half only, --group products one group only
//
// The last two print, for every rule, how many right and wrong fields it changes on each half: +1.0 right means that many
// more are right with the rule than without it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { parseSync } from 'vite'
import { root } from './setup.mjs'
import { openModules } from './typescript-modules.mjs'

const ROOM = 'src/understanding/'

/** What is recorded while the sets run: which branch is switched off, and which were decisive at least once. */
const rules = { off: -1, offFile: '', fired: new Set(), steps: 0 }
/** A loop that has lost what ends it. */
const MAX_STEPS = 3_000_000
function step() {
  if (++rules.steps > MAX_STEPS && rules.off >= 0) throw new Error('endless without the rule')
}
globalThis.__rules = {
  /** A condition: off, it is false. */
  when(id, value) {
    step()
    if (value) rules.fired.add(id)
    return rules.off === id ? false : value
  },
  /** One more demand of a condition: off, it is met. */
  and(id, value) {
    step()
    if (!value) rules.fired.add(id)
    return rules.off === id ? true : value
  },
  /** A fallback: off, there is none. */
  or(id, value) {
    step()
    if (value !== undefined && value !== null && value !== false) rules.fired.add(id)
    return rules.off === id ? undefined : value
  },
  /** Whether a function is switched off. */
  isOff(id) {
    step()
    rules.fired.add(id)
    return rules.off === id
  },
  /** Facts of a page are kept beside it; not those that a rule of their own makers is missing from. */
  memory() {
    const kept = new WeakMap()
    return {
      get: (key) => (rules.offFile.includes('/facts/') ? undefined : kept.get(key)),
      set: (key, value) => (rules.offFile.includes('/facts/') ? undefined : kept.set(key, value)),
    }
  },
}

/** A function without effect answers this, by its declared type; undefined: unknown. */
function neutral({ returnType, params: [first] }, code) {
  const textOf = ({ typeAnnotation: { start, end } }) => code.slice(start, end)
  const said = returnType ? textOf(returnType) : undefined
  if (said === undefined) return undefined
  if (/\| undefined$|^undefined \|/.test(said)) return 'undefined'
  if (said === 'boolean' || / is /.test(said)) return 'false'
  if (/\[\]$|^(?:readonly )?(?:Array|ReadonlyArray)</.test(said)) return '[]'
  if (said === 'number') return '0'
  const isText = said === 'string' && first?.typeAnnotation && textOf(first.typeAnnotation) === 'string'
  return isText ? first.name : undefined
}

const sites = []
const SWITCHES = { '??': 'or', '||': 'or', '&&': 'and' }

const childrenOf = (node) =>
  Object.entries(node).flatMap(([key, value]) =>
    key === 'typeAnnotation' || key === 'returnType'
      ? []
      : [value].flat().filter((one) => typeof one?.type === 'string'),
  )

const lineCounter = (code) => {
  const starts = [0]
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  return (at) => starts.findLastIndex((start) => start <= at) + 1
}

/** The source with every rule under a switch. */
function switched(code, file) {
  const inserts = []
  const lineOf = lineCounter(code)
  const site = (kind, { start, end }, parent) => {
    const text = code.slice(start, end).replace(/\s+/g, ' ').slice(0, 110)
    sites.push({ id: sites.length, file, kind, from: lineOf(start), to: lineOf(end), text, parent })
    return sites.length - 1
  }
  const wrap = (name, id, { start, end }) => {
    inserts.push([start, `__rules.${name}(${id}, (`], [end, '))'])
  }
  const silence = (body, id, value) => {
    if (body.type === 'BlockStatement') inserts.push([body.start + 1, ` if (__rules.isOff(${id})) return ${value};`])
    else inserts.push([body.start, `(__rules.isOff(${id}) ? ${value} : (`], [body.end, '))'])
  }
  const visit = (node, parent) => {
    let inside = parent
    const isNamed = node.type === 'VariableDeclarator' && node.init?.type === 'ArrowFunctionExpression'
    const made = isNamed ? node.init : node.type === 'FunctionDeclaration' ? node : undefined
    const value = made?.body ? neutral(made, code) : undefined
    if (value !== undefined) {
      inside = site('function', node, parent)
      silence(made.body, inside, value)
    } else if (node.type === 'IfStatement' && !node.alternate && node.consequent.type !== 'BreakStatement') {
      inside = site('if', node, parent)
      wrap('when', inside, node.test)
    } else if (node.type === 'LogicalExpression' && lineOf(node.left.end) < lineOf(node.right.end))
      // Within one line a demand or a fallback is a word of its rule, not a rule.
      wrap(SWITCHES[node.operator], site(node.operator, node.right, parent), node.right)
    for (const child of childrenOf(node)) visit(child, inside)
  }
  visit(parseSync(file, code).program, -1)
  // From the end; at one place what opens first, the inner before the outer, then what closes, the outer before the inner.
  const closes = ([, text]) => Number(text === '))')
  const order = new Map(inserts.map((one, n) => [one, closes(one) ? n : -n]))
  inserts.sort((a, b) => b[0] - a[0] || closes(a) - closes(b) || order.get(a) - order.get(b))
  let done = code
  for (const [at, text] of inserts) done = done.slice(0, at) + text + done.slice(at)
  return done.replace('new WeakMap<Document, Facts>()', '__rules.memory() as WeakMap<Document, Facts>')
}

async function loaded(transform) {
  const modules = await openModules([
    {
      name: 'ablate',
      enforce: 'pre',
      transform(code, id) {
        const file = relative(root, id.split('?')[0])
        return file.startsWith(ROOM) && file.endsWith('.ts') ? { code: transform(code, file), map: null } : undefined
      },
    },
  ])
  return { close: modules.close, board: (await modules.load('test/eval/understanding/board.ts')).board }
}

const emptyTally = () => ({ right: 0, wrong: 0, empty: 0 })
const add = (sum, tally) => {
  for (const key of ['right', 'wrong', 'empty']) sum[key] += tally[key]
  return sum
}
function scored(one) {
  rules.steps = 0
  try {
    return one.score()
  } catch {
    return undefined
  }
}

/** Sums by group and half. */
function sums(cases) {
  const by = new Map()
  for (const one of cases) {
    const key = `${one.group}|${one.sealed ? 'sealed' : 'open'}`
    by.set(key, add(by.get(key) ?? emptyTally(), scored(one) ?? emptyTally()))
  }
  return by
}

function print(by) {
  console.log('group           half     right   wrong   fields')
  for (const [key, { right, wrong, empty }] of [...by].sort(([a], [b]) => a.localeCompare(b))) {
    const [group, half] = key.split('|')
    const all = right + wrong + empty
    console.log(
      `${group.padEnd(15)} ${half.padEnd(7)} ${(right / all).toFixed(4).padStart(7)} ${(wrong / all).toFixed(4).padStart(7)} ${all.toFixed(0).padStart(8)}`,
    )
  }
}

/** What changes on each half when the rule is taken away, turned round: what the rule brings. */
const signed = (number) => `${number >= 0 ? '+' : ''}${number.toFixed(1)}`
function told({ file, from, to, kind, text, open, sealed, lines }) {
  const brings = (half) => `${signed(half.right)}/${signed(half.wrong)}`
  return `${brings(open).padStart(12)} ${brings(sealed).padStart(12)} ${String(lines).padStart(4)}  ${file.slice(ROOM.length)}:${from}${to > from ? `-${to}` : ''} [${kind}] ${text}`
}

async function branches(paths, isWanted, out) {
  const { close, board } = await loaded((code, file) =>
    paths.length === 0 || paths.some((path) => file.startsWith(path)) ? switched(code, file) : code,
  )
  const cases = (await board()).filter(isWanted)
  const results = sites.map((site) => ({
    ...site,
    lines: site.to - site.from + 1,
    cases: 0,
    open: emptyTally(),
    sealed: emptyTally(),
  }))
  const inside = new Map()
  for (const { id, parent } of sites) inside.set(parent, [...(inside.get(parent) ?? []), id])
  let done = 0
  for (const one of cases) {
    rules.off = -1
    rules.offFile = ''
    one.score()
    rules.fired = new Set()
    rules.offFile = '/facts/'
    const base = one.score()
    rules.offFile = ''
    const fired = rules.fired
    rules.fired = new Set()
    /** What stands inside something without effect has none either. */
    const judge = (ids) => {
      for (const id of ids) {
        if (!fired.has(id)) {
          if (sites[id].kind !== 'if' && sites[id].kind !== 'function') judge(inside.get(id) ?? [])
          else if (sites[id].kind === 'if') judge(inside.get(id) ?? [])
          continue
        }
        const result = results[id]
        result.cases++
        rules.off = id
        rules.offFile = sites[id].file
        const without = scored(one)
        rules.off = -1
        rules.offFile = ''
        if (without === undefined) {
          result.broken = true
          judge(inside.get(id) ?? [])
          continue
        }
        const [right, wrong] = [base.right - without.right, base.wrong - without.wrong]
        const at = one.sealed ? result.sealed : result.open
        at.right += right
        at.wrong += wrong
        if (Math.abs(right) + Math.abs(wrong) > 1e-9 || sites[id].kind !== 'function') judge(inside.get(id) ?? [])
      }
    }
    judge(inside.get(-1) ?? [])
    if (++done % 25 === 0) process.stderr.write(`${done} of ${cases.length} cases\n`)
    if (out && done % 25 === 0) writeFileSync(out, JSON.stringify(results))
  }
  await close()
  return results
}

/** Elements of the lists and sets that a file opens with: strings, rows, patterns. */
function elementsOf(code, file) {
  const lineOf = lineCounter(code)
  const found = []
  const visit = (node) => {
    if (/Function/.test(node.type)) return
    const all =
      node.type === 'ArrayExpression' ? node.elements : node.type === 'ObjectExpression' ? node.properties : []
    if (all.length >= 3) found.push(...all)
    else for (const child of childrenOf(node)) visit(child)
  }
  visit(parseSync(file, code).program)
  return found.map(({ start, end }) => {
    const text = code.slice(start, end).replace(/\s+/g, ' ').slice(0, 110)
    return { start, end, from: lineOf(start), to: lineOf(end), text }
  })
}

async function rows(files, isWanted) {
  const results = []
  const ofHalf = (cases) => cases.filter(isWanted)
  const base = await scoresWithout(undefined, ofHalf)
  for (const file of files) {
    const code = readFileSync(join(root, file), 'utf8')
    for (const { start, end, from, to, text } of elementsOf(code, file)) {
      const rest = code.slice(end).replace(/^\s*,/, '')
      const without = await scoresWithout({ [file]: code.slice(0, start) + rest }, ofHalf)
      const brings = { open: emptyTally(), sealed: emptyTally() }
      for (const [key, tally] of base)
        for (const what of ['right', 'wrong'])
          brings[key.split('|')[1]][what] += tally[what] - (without.get(key)?.[what] ?? 0)
      results.push({ file, from, to, kind: 'row', text, lines: to - from + 1, ...brings })
      console.log(told(results.at(-1)))
    }
  }
  return results
}

async function scoresWithout(changed, ofHalf) {
  const { close, board } = await loaded((code, file) => changed?.[file] ?? code)
  try {
    return sums(ofHalf(await board()))
  } finally {
    await close()
  }
}

/** `FILE:A-B` taken out. */
function withoutLines(places) {
  const changed = {}
  for (const place of places) {
    const [file, range] = place.split(':')
    const [from, to = from] = (range ?? '1-100000').split('-').map(Number)
    const code = changed[file] ?? readFileSync(join(root, file), 'utf8')
    changed[file] = code
      .split('\n')
      .map((line, at) => (at + 1 >= from && at + 1 <= to ? '' : line))
      .join('\n')
  }
  return changed
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    without: { type: 'boolean' },
    rows: { type: 'boolean' },
    branches: { type: 'boolean' },
    half: { type: 'string' },
    group: { type: 'string' },
    out: { type: 'string' },
  },
})
const isWanted = ({ sealed, group }) =>
  (values.half === undefined || sealed === (values.half === 'sealed')) &&
  (values.group === undefined || group === values.group)
let results
if (values.branches) {
  results = await branches(positionals, isWanted, values.out)
  for (const one of results.filter(({ cases }) => cases > 0)) console.log(told(one))
} else if (values.rows) results = await rows(positionals, isWanted)
else
  print(await scoresWithout(values.without ? withoutLines(positionals) : undefined, (cases) => cases.filter(isWanted)))
if (values.out && results) writeFileSync(values.out, JSON.stringify(results))
process.exit(0)
