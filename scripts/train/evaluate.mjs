// Out-of-fold scores: each page of the bench goes through our own road to markdown, with the model that has not seen its
// site. The caller hands in the code to judge (compiled, or loaded by the test runner), so both judge the same way.
import { alikeRate, judgeAlike } from './alike.mjs'
import { bench, FOLDS, loadPages, SETS, scoreSet } from './bench.mjs'
import { factRate, judgeFacts } from './facts.mjs'

const { judge, sumUp, RATES } = await import(new URL('integrity.mjs', bench).href)
const WHOLE_SETS = ['wceb', 'aeb']

/**
 * code: { parseTree, chooseContent, findMainContent, toMarkdown, makeLinkResolver }; models: one for each fold.
 * Returns the figures that are pinned as floors.
 */
export function evaluate(code, models, pages = loadPages()) {
  if (models.length !== FOLDS) throw new Error(`${models.length} fold models, wanted ${FOLDS}`)
  const markdown = new Map(pages.map((page) => [page, toMarkdown(code, models[page.fold], page)]))
  return { ...scores(pages, (page) => markdown.get(page).scored), ...wholeness(pages, markdown).figures }
}

/** Word, shingle and snippet scores, of the texts as they are to be scored. */
export function scores(pages, textOf) {
  const figures = {}
  for (const set of SETS) {
    const own = pages.filter((page) => page.set === set)
    const texts = Object.fromEntries(own.map((page) => [page.id, textOf(page)]))
    const { total, types } = scoreSet(set, own, texts)
    if (set === 'aeb') figures['aeb.shingle.f1'] = total.shingle.f1
    if (set === 'traf') figures['traf.snip.f1'] = total.snip.f1
    if (set !== 'wceb') continue
    figures['wceb.word.f1'] = total.word.f1
    figures['wceb.macro.f1'] = total.macroF1
    for (const [kind, score] of Object.entries(types)) figures[`wceb.${kind}.f1`] = score.word.f1
  }
  return figures
}

const letters = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * Titles and the bylines of posts are scored apart where the labels lack them: many truths leave them out, and readers
 * would miss them. Where the truth has them they count.
 */
const lacks = ({ text, without = [] }, said) => {
  const own = letters(said)
  return text ? !letters(text).includes(own) : without.some((snippet) => own.includes(letters(snippet)))
}

function withoutTitle(markdown, truth) {
  if (!markdown.startsWith('# ')) return markdown
  const end = markdown.indexOf('\n')
  const title = end < 0 ? markdown : markdown.slice(0, end)
  return lacks(truth, title) ? markdown.slice(title.length) : markdown
}

/** Several seeds keep the same of many pages, and judging is half of the work. */
const judged = new Map()

/** Whether what is kept is still whole: the eight rates of the bench, each the mean over kinds of page. */
export function wholeness(pages, markdown) {
  const rows = pages
    .filter(({ set }) => WHOLE_SETS.includes(set))
    .map((page) => {
      const { main, whole } = markdown.get(page)
      const key = `${page.set} ${page.id} ${main}`
      if (!judged.has(key)) judged.set(key, judge(page.html(), main, whole))
      return { id: page.id, type: page.type || page.set, found: judged.get(key) }
    })
  const sum = sumUp(rows)
  const figures = Object.fromEntries(RATES.map((rate) => [`whole.${rate}`, sum.rates[rate].macro]))
  const { kept, of } = sum.rates.figures.kinds.captioned ?? { kept: 0, of: 0 }
  figures['whole.captioned'] = of > 0 ? kept / of : 1
  figures['whole.facts'] = factRate(
    pages.map((page) => judgeFacts(page.html(), markdown.get(page).main, markdown.get(page).whole)),
  )
  figures['whole.alike'] = alikeRate(
    pages.map((page) => judgeAlike(page.html(), markdown.get(page).main, markdown.get(page).whole)),
  )
  return { figures, sum, rows }
}

const ALL = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

/** The main content of a page, and all of it, as markdown. */
export function toMarkdown({ parseTree, chooseContent, findMainContent, toMarkdown, makeLinkResolver }, model, page) {
  const { tree } = parseTree(page.html())
  const { roots, cuts: never } = chooseContent(tree, ALL, true)
  const resolve = makeLinkResolver(page.url || 'http://localhost/')
  const hidden = (element) => never.has(element)
  const main = findMainContent(tree, page.url ? { url: page.url, hidden } : { hidden }, model)
  const whole = toMarkdown({ roots, cuts: never, resolve, removeBase64Images: true })
  const cuts = new Map([...main.cuts, ...never])
  const render = (cuts) => toMarkdown({ ...main, roots, cuts, resolve, removeBase64Images: true }) || whole
  const text = render(cuts)
  const apart = main.bylines.filter(({ data }) => lacks(page.truth, data))
  const plain = apart.length > 0 ? render(new Map([...cuts, ...apart.map((node) => [node, 'scored apart'])])) : text
  return { main: text, whole, scored: withoutTitle(plain, page.truth) }
}
