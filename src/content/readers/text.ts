// Reads plain text: markdown passes through, source code is fenced, prose is unchanged.
import { fenceCode } from '../markdown/extract-code.ts'
import { makeCodeDocument } from './build-html-tree.ts'
import type { MediaTypeReader } from './reader.ts'

const CODE: ReadonlyMap<string, string> = new Map([
  ['text/css', 'css'],
  ['text/javascript', 'js'],
  ['application/javascript', 'js'],
  ['application/x-javascript', 'js'],
  ['application/ecmascript', 'js'],
  ['text/yaml', 'yaml'],
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['application/toml', 'toml'],
  ['application/sql', 'sql'],
  ['application/graphql', 'graphql'],
  ['text/x-python', 'python'],
  ['text/x-c', 'c'],
  ['text/x-java-source', 'java'],
])
const TEXT = /^(?:text\/|application\/(?:.*ndjson|.*jsonlines?|x-sh|x-tex|manifest))/

export const textReader: MediaTypeReader = {
  name: 'text',
  reads: (type) => CODE.has(type) || TEXT.test(type),
  read(text, type) {
    const language = CODE.get(type)
    const body = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').replace(/^\n+/, '').trimEnd()
    const tree = makeCodeDocument(body, language ?? '')
    if (type === 'text/markdown' || type === 'text/x-markdown')
      return { tree, markdown: text.replaceAll('\0', '\uFFFD'), warnings: [] }
    const isCode = language !== undefined || wouldMangle(body)
    return { tree, markdown: isCode ? fenceCode(body, language ?? '') : body, warnings: [] }
  },
}

/** Columns and indentation that markdown would lose, as in ASCII tables. */
function wouldMangle(text: string): boolean {
  const sample = text.slice(0, 20_000).split('\n')
  let aligned = 0
  for (const line of sample) if (/\S {3,}\S|^ {4,}\S|\t\S/.test(line)) aligned++
  return aligned > 2 && aligned * 4 > sample.length
}
