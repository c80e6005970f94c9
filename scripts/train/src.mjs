// The parts of src/content/main that training runs: the very code that ships.
import { compile, source } from './source.mjs'

export async function loadSource() {
  compile()
  const names = [
    'outline',
    'hidden',
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
  const modules = await Promise.all(names.map((name) => source(`content/main/${name}`)))
  return Object.assign({}, ...modules)
}
