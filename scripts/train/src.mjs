// The parts of src/content that training runs: the very code that ships.
import { compile, source } from './source.mjs'

/** What a page goes through on its way to markdown, to be judged. After `compile`. */
export const loadJudged = () => load(['tree', 'clean', 'main-content', 'markdown/render', 'address', 'main/model'])

export async function loadSource() {
  compile()
  const names = [
    'outline',
    'features',
    'context',
    'lexicon',
    'kinds',
    'trees',
    'choose',
    'judge',
    'text-scan',
    'model',
    'cuts',
  ]
  const paths = ['tree', 'clean', ...names.map((name) => `main/${name}`)]
  return load(paths)
}

const load = async (paths) => Object.assign({}, ...(await Promise.all(paths.map((path) => source(`content/${path}`)))))
