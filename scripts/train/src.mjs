// The parts of src/content that training runs: the very code that ships.
import { compile, source } from './source.mjs'

/** What a page goes through on its way to markdown, to be judged. After `compile`. */
export const loadJudged = () =>
  load([
    'parse-tree',
    'choose-content',
    'find-main-content',
    'markdown/html-to-markdown',
    'resolve-links',
    'main/main-content-model',
  ])

export async function loadSource() {
  compile()
  const names = [
    'flatten-page',
    'block-features',
    'context-features',
    'token-weights',
    'predict-page-kind',
    'decision-trees',
    'choose-blocks',
    'score-and-choose-blocks',
    'text-stats',
    'main-content-model',
    'find-nodes-to-remove',
  ]
  const paths = ['parse-tree', 'choose-content', ...names.map((name) => `main/${name}`)]
  return load(paths)
}

const load = async (paths) => Object.assign({}, ...(await Promise.all(paths.map((path) => source(`content/${path}`)))))
