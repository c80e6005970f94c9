// Out-of-fold scores: each page of the bench goes through our own road to markdown, with the model that has not seen its
// site. The caller hands in the code to judge (compiled, or loaded by the test runner), so both judge the same way.
import { FOLDS, loadPages, SETS, scoreSet } from './bench.mjs'

/**
 * code: { parseTree, chooseContent, cutBoilerplate, toMarkdown, resolver }; models: one for each fold.
 * Returns the figures that are pinned as floors.
 */
export function evaluate(code, models, pages = loadPages()) {
  if (models.length !== FOLDS) throw new Error(`${models.length} fold models, wanted ${FOLDS}`)
  const markdown = new Map(pages.map((page) => [page, toMarkdown(code, models[page.fold], page)]))
  const figures = {}
  for (const set of SETS) {
    const own = pages.filter((page) => page.set === set)
    const { total, types } = scoreSet(set, own, Object.fromEntries(own.map((page) => [page.id, markdown.get(page)])))
    if (set === 'aeb') figures['aeb.shingle.f1'] = total.shingle.f1
    if (set === 'traf') figures['traf.snip.f1'] = total.snip.f1
    if (set !== 'wceb') continue
    figures['wceb.word.f1'] = total.word.f1
    figures['wceb.macro.f1'] = total.macroF1
    for (const [kind, score] of Object.entries(types)) figures[`wceb.${kind}.f1`] = score.word.f1
  }
  return figures
}

const ALL = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

function toMarkdown({ parseTree, chooseContent, cutBoilerplate, toMarkdown, resolver }, model, page) {
  const { tree } = parseTree(page.html())
  const { roots, cuts: never } = chooseContent(tree, ALL, true)
  const resolve = resolver(page.url || 'http://localhost/')
  const render = (cuts) => toMarkdown({ roots, cuts, resolve, removeBase64Images: true })
  const hidden = (element) => never.has(element)
  const boilerplate = cutBoilerplate(tree, page.url ? { url: page.url, hidden } : { hidden }, model)
  return render(new Map([...boilerplate, ...never])) || render(never)
}
