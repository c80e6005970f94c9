// Extracts code text without line numbers and buttons, and its language, for common highlighters.

import type { AnyNode, Element } from 'domhandler'
import { setOfWords } from '../../base/values.ts'
import type { RemovedNodes } from '../find-main-content.ts'
import { isElement, isText } from '../parse-tree.ts'

const GUTTER =
  /(?:^|[\s_-])(?:gutter|linenos?|line-?numbers?(?:-rows)?|lineno|blob-num|ln-num|hljs-ln-numbers|rouge-gutter|line-number|code-?line-?number|linenumber)(?:$|[\s_-])/i
const BUTTON = /(?:^|[\s_-])(?:copy|clipboard|copybtn|copy-?(?:code|btn|button)|code-?toolbar-?item)(?:$|[\s_-])/i
const LINE_BLOCKS = new Set(['div', 'p', 'li', 'tr', 'ol', 'ul', 'table', 'pre'])
const NOT_CODE = new Set(['button', 'script', 'style', 'noscript', 'template', 'svg', 'textarea', 'select', 'input'])

export function isCodeDecoration(element: Element): boolean {
  if (NOT_CODE.has(element.name)) return true
  const { attribs } = element
  const classes = attribs.class
  if (classes !== undefined && classes.length < 500) {
    // Prism sets `line-numbers` on the <pre> itself.
    if (element.name !== 'pre' && element.name !== 'code' && element.name !== 'table' && GUTTER.test(classes)) {
      return element.children.length < 2000 || element.name === 'td'
    }
    if (BUTTON.test(classes) && element.name !== 'pre' && element.name !== 'code') return true
  }
  return attribs['data-line-number'] !== undefined && element.children.length === 0
}

export function extractCodeText(root: Element, cuts: RemovedNodes): string {
  const pieces: string[] = []
  let atLineStart = true
  const write = (text: string) => {
    if (text === '') return
    pieces.push(text)
    atLineStart = text.endsWith('\n')
  }
  const newline = () => {
    if (!atLineStart) write('\n')
  }
  let node: AnyNode | null = root
  while (node) {
    let enter = false
    if (isText(node)) write(node.data)
    else if (isElement(node)) {
      if (node.name === 'br') write('\n')
      else if (node === root || !(cuts.has(node) || isCodeDecoration(node))) {
        enter = true
        if (node !== root && LINE_BLOCKS.has(node.name)) newline()
      }
    }
    const first: AnyNode | undefined = enter ? (node as Element).children[0] : undefined
    if (first) {
      node = first
      continue
    }
    if (node === root) break
    while (node && !node.next) {
      node = node.parent
      if (node === root || node === null) return tidy(pieces.join(''))
      if (isElement(node) && LINE_BLOCKS.has(node.name)) newline()
    }
    node = node?.next ?? null
  }
  return tidy(pieces.join(''))
}

function tidy(code: string): string {
  let made = code.includes('\r') ? code.replace(/\r\n?/g, '\n') : code
  if (made.includes('\u00a0')) made = made.replaceAll('\u00a0', ' ')
  const lines = made.split('\n')
  let from = 0
  let to = lines.length
  while (from < to && lines[from]!.trim() === '') from++
  while (to > from && lines[to - 1]!.trim() === '') to--
  return lines.slice(from, to).join('\n')
}

/** The fence is longer than any inside. */
export function fenceCode(code: string, language: string): string {
  let longest = 2
  if (code.includes('```')) for (const run of code.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}${code === '' ? '' : '\n'}${fence}`
}

const NAMED =
  /(?:^|\s)(?:language|lang|highlight-source|highlight-text-html|highlight|sourceCode|code|syntax|hljs|prettyprint lang)[-:]\s*([\p{L}\w+#.-]+)/iu
const BRUSH = /(?:^|\s)brush:\s*([\w+#-]+)/i
const NOT_LANGUAGES = setOfWords(
  'code block highlight highlighter rouge sourcecode source wrapper container none plain plaintext text nohighlight default auto shiki chroma hljs prettyprint prism line numbers linenums line-numbers notranslate literal',
)
// Class names that are languages: <figure class="highlight ruby">, <code class="python hljs">.
const LANGUAGE_CLASS_NAMES = setOfWords(
  'bash c clojure cmake cpp cs csharp css dart diff docker dockerfile elixir elm erlang fortran fsharp go graphql groovy haskell html http ini java javascript js json jsx julia kotlin latex less lua makefile markdown matlab md nginx objc ocaml perl php powershell ps1 python py r rb ruby rust rs sass scala scheme scss sh shell sql swift tex toml ts tsx typescript vb vim xml yaml yml zig console terraform hcl proto protobuf solidity',
)

export function codeLanguageOf(pre: Element): string {
  const places: Element[] = [pre]
  const inner = pre.children.find((child) => isElement(child) && child.name === 'code') as Element | undefined
  if (inner) places.unshift(inner)
  for (let up = pre.parent, steps = 0; up && isElement(up) && steps < 6; up = up.parent, steps++) {
    const bare = up.name === 'figure' || up.name === 'div' || up.name === 'td' || up.name === 'tr'
    if (!bare && !/^(?:table|tbody|span|code-block|clipboard-copy|pre|section)$/.test(up.name)) break
    // A large wrapper may contain several listings.
    if (up.children.length > 12) break
    places.push(up)
  }
  for (const place of places) {
    const found = languageOn(place)
    if (found) return found
  }
  return ''
}

function languageOn(element: Element): string {
  const { attribs } = element
  const given = attribs['data-lang'] ?? attribs['data-language'] ?? attribs['data-code-lang']
  if (given) return languageName(given)
  const classes = attribs.class?.slice(0, 500)
  if (!classes) return ''
  const named = languageName(classes.match(BRUSH)?.[1] ?? classes.match(NAMED)?.[1] ?? '')
  if (named) return named
  for (const one of classes.toLowerCase().split(/\s+/)) if (LANGUAGE_CLASS_NAMES.has(one)) return one
  return ''
}

function languageName(text: string): string {
  const name = text.trim().toLowerCase()
  return /^[\p{L}\w+#.-]{1,30}$/u.test(name) && !NOT_LANGUAGES.has(name) ? name : ''
}
