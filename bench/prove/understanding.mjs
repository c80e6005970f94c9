// The figures of the understanding part, without a model: the sets of test/eval/understanding with their own scorers, what
// each format costs, and the released SDK. Rows about shared pages are there only where those are.
import { openModules } from '../../scripts/typescript-modules.mjs'

const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
const least = (what, share, bar) => row(what, `≥ ${bar}`, share.toFixed(3), share >= bar)

export async function prove() {
  const modules = await openModules()
  const load = (path) => modules.load(`test/eval/understanding/${path}`)
  try {
    // First: beside a thousand pages in memory, what is measured is the collector.
    const dear = await costs(load)
    const { hasSharedPages } = await load('shared-pages.ts')
    const run = await load('run.ts')
    const tally = await load('tally.ts')
    const halves = hasSharedPages ? ['own', 'wceb'] : ['own']
    return {
      title: 'Understanding',
      rows: [
        ...(await json(run, tally, halves)),
        ...(await questions(run, halves)),
        ...(await products(run, tally, halves)),
        ...(await brands(load, tally)),
        ...(await privacy(run, load)),
        ...changes(run),
        ...(await injection(load)),
        ...dear,
      ],
    }
  } finally {
    await modules.close()
  }
}

const nameOf = (half) => (half === 'own' ? 'own pages' : 'shared pages')

async function json(run, { shares, total }, halves) {
  const rows = []
  for (const structured of [true, false])
    for (const half of halves) {
      const scores = await run.jsonScores(half, structured)
      const { right, wrong } = shares(total(scores.map(([, score]) => score)))
      const what = `json, ${nameOf(half)} ${structured ? 'with' : 'without'} structured data`
      const bar = structured ? 0.9 : 0.7
      const measured = `${right.toFixed(3)} right, ${(wrong * 100).toFixed(1)} % wrong`
      rows.push(row(what, `≥ ${bar} of fields correct, < 2 % wrong`, measured, right >= bar && wrong < 0.02))
    }
  return rows
}

async function questions(run, halves) {
  const scores = new Map()
  // The everyday lots were written to be learned from, and have floors of their own.
  const sets = run.QUESTION_SETS.filter(
    (set) => !run.EVERYDAY_SETS.includes(set) && (halves.length > 1 || set === 'own'),
  )
  for (const set of sets) scores.set(set, await run.questionScores(set))
  const { own, wceb = [], ...later } = Object.fromEntries(scores)
  const label = (name) => name.replace(/^\w+$/, '$& set')
  const named = { 'first set': [...own, ...wceb], 'shared half of the first set': wceb, ...later }
  return Object.entries(named)
    .filter(([, cases]) => cases.length > 0)
    .flatMap(([name, cases]) => [
      least(`questions, ${label(name)}: passage found`, run.shareOf(cases, 'found'), 0.85),
      least(`questions, ${label(name)}: refused where the page has no answer`, run.shareOf(cases, 'absent'), 0.8),
    ])
}

async function products(run, { shares, total }, halves) {
  const rows = []
  for (const half of halves) {
    const { right } = shares(total((await run.productScores(half)).map(([, score]) => score)))
    rows.push(least(`product, ${nameOf(half)}: fields right`, right, 1))
  }
  return rows
}

/** Through the service: branding needs its browser, and the SDK somebody to talk to. */
async function brands(load, { shares, total }) {
  const { startBrandRun } = await load('branding/run.ts')
  const run = await startBrandRun()
  try {
    const { right } = shares(total((await run.scores()).map(([, score]) => score)))
    return [
      least('branding of ten known style sheets: fields right', right, 0.9),
      await everyFormat(run.service, `${run.site.url}/brands/shop`),
    ]
  } finally {
    await run.end()
  }
}

async function everyFormat({ sdk }, url) {
  const { z } = await import('zod/v3')
  const schema = z.object({ title: z.string().nullable(), price: z.number().nullable() })
  const formats = [
    ...['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'product', 'menu', 'branding'],
    { type: 'json', schema },
    { type: 'question', question: 'What is sold here?' },
    { type: 'highlights', query: 'shop' },
    { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] },
    { type: 'changeTracking', modes: ['git-diff'] },
  ]
  const document = await sdk.scrape(url, { formats })
  const fields = formats.map((one) => (one.type === 'question' ? 'answer' : (one.type ?? one)))
  // A format that found nothing says so: its field is null or left out, and the warning names it.
  const told = fields.filter((field) => document[field] !== undefined || document.warning?.includes(field))
  const { status } = await sdk.extract({ urls: [url], schema })
  return row(
    'SDK: all formats in one scrape, and extract with a zod schema',
    'all',
    `${told.length} of ${fields.length} formats, extract ${status}`,
    told.length === fields.length && status === 'completed',
  )
}

async function privacy(run, load) {
  const { recallOf, precisionOf } = await load('pii/score.ts')
  const rows = []
  for (const set of ['first', 'second']) {
    const score = await run.privacyScore(set)
    const fixed = recallOf(score, ['EMAIL', 'PHONE', 'CARD', 'IBAN', 'SECRET'])
    rows.push(least(`personal data, ${set} set: recall of e-mail, phone, card, IBAN, secret`, fixed, 0.95))
    rows.push(
      least(`personal data, ${set} set: recall of people and places`, recallOf(score, ['PERSON', 'LOCATION']), 0.75),
    )
    rows.push(least(`personal data, ${set} set: precision`, precisionOf(score), 0.9))
  }
  for (const half of ['open', 'sealed']) {
    const score = await run.privacyScore(half)
    const fixed = recallOf(score, ['EMAIL', 'PHONE', 'CARD', 'IBAN', 'ACCOUNT', 'ID', 'SECRET'])
    rows.push(least(`personal data, third set, ${half} half: recall of numbers and addresses`, fixed, 0.95))
    rows.push(
      least(
        `personal data, third set, ${half} half: recall of people and places`,
        recallOf(score, ['PERSON', 'LOCATION']),
        0.85,
      ),
    )
    rows.push(least(`personal data, third set, ${half} half: precision`, precisionOf(score), 0.95))
  }
  return rows
}

function changes(run) {
  const scores = run.changeScores()
  return [
    least('changes: noise not reported', run.shareOf(scores, 'noise'), 1),
    least('changes: edits found', run.shareOf(scores, 'edit'), 1),
    least('changes: edits shown in the diff', run.shareOf(scores, 'shown'), 1),
  ]
}

async function costs(load) {
  const { formatCosts } = await load('costs.ts')
  return [...(await formatCosts(25))].map(([name, ms]) =>
    row(`${name} on a page of 60 kB: CPU in addition to plain markdown`, '≤ 40 ms', `${ms.toFixed(1)} ms`, ms <= 40),
  )
}

/** Orders planted in texts, and ordinary pages that are taken for such; where the shared kit and pages are. */
async function injection(load) {
  const { hasInjectionKit, hasPages, kitShares, ordinaryRefused } = await load('injection/run.ts')
  const rows = []
  if (hasInjectionKit) rows.push(least('planted orders found, shared kit (412 texts)', kitShares().found, 0.8))
  if (hasPages) {
    const { refused, pages } = await ordinaryRefused(1000)
    rows.push(
      row('ordinary pages refused as prompt injection', '≤ 1 %', `${refused} of ${pages}`, refused <= pages / 100),
    )
  }
  return rows
}
