// Reads plain text: markdown passes through, source code is fenced, prose is unchanged.
import { fenceCode } from '../markdown/extract-code.ts'
import { parseCaptionFile } from '../parse-caption-file.ts'
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
const TEXT = /^(?:text\/|application\/(?:.*ndjson|.*jsonlines?|x-sh|x-subrip|x-tex|manifest))/

export const textReader: MediaTypeReader = {
  name: 'text',
  reads: (type) => CODE.has(type) || TEXT.test(type),
  read(text, type) {
    const language = CODE.get(type)
    const body = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').replace(/^\n+/, '').trimEnd()
    const isMarkdown = type === 'text/markdown' || type === 'text/x-markdown'
    const tree = makeCodeDocument(body, language ?? '', isMarkdown ? titleOfMarkdown(body) : '')
    if (isMarkdown) return { tree, markdown: text.replaceAll('\0', '\uFFFD'), warnings: [] }
    const spoken = CAPTIONS.test(type) ? captionsToMarkdown(body) : ''
    if (spoken) return { tree, markdown: spoken, warnings: [] }
    const isCode = language !== undefined || wouldMangle(body)
    return { tree, markdown: isCode ? fenceCode(body, language ?? '') : body, warnings: [] }
  },
}

/** Of the front matter, or the first heading. */
const titleOfMarkdown = (text: string): string =>
  (/^---\n(?:.{0,500}\n){0,50}?title: *["']?(.{1,300}?)["']?\n/.exec(text) ??
    /^# +(.{1,300}?)(?: +#*)?$/m.exec(text))?.[1] ?? ''

const CAPTIONS = /^(?:text\/vtt|application\/x-subrip)$/
/** A longer silence ends a paragraph. */
const SILENCE_SECONDS = 2

/** One paragraph for what a speaker says without a break. */
function captionsToMarkdown(text: string): string {
  const paragraphs: string[] = []
  let last: { end: number; speaker?: string } | undefined
  for (const cue of parseCaptionFile(text) ?? []) {
    const goesOn = last && last.speaker === cue.speaker && cue.start - last.end < SILENCE_SECONDS
    if (goesOn) paragraphs.push(`${paragraphs.pop()} ${cue.text}`)
    else paragraphs.push(cue.speaker ? `**${cue.speaker}:** ${cue.text}` : cue.text)
    last = cue
  }
  return paragraphs.join('\n\n')
}

/** Columns and indentation that markdown would lose, as in ASCII tables. */
function wouldMangle(text: string): boolean {
  const sample = text.slice(0, 20_000).split('\n')
  let aligned = 0
  for (const line of sample) if (/\S {3,}\S|^ {4,}\S|\t\S/.test(line)) aligned++
  return aligned > 2 && aligned * 4 > sample.length
}
