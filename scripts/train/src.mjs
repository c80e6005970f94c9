// The parts of src/content that training runs: the very code that ships.
import { compile, source } from './source.mjs'

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
  const modules = await Promise.all(paths.map((path) => source(`content/${path}`)))
  return Object.assign({}, ...modules)
}
