// Code that runs inside a page lies in JavaScript files, which are sent as they are: a bundler's helpers do not exist there.
import { readFileSync } from 'node:fs'
import { once } from './values.ts'

/** Makes the call of the function that the file exports, as an expression. */
export function makePageScript<A extends readonly unknown[]>(url: URL): (...args: A) => string {
  const source = once(() => readPageFunction(url))
  return (...args) => `${source()}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`
}

/** An expression whose value is the exported function, with what the file imports in its scope. */
export function readPageFunction(url: URL): string {
  const [, name] = /^export (?:async )?function (\w+)/m.exec(readFileSync(url, 'utf8')) ?? []
  return `(() => {\n${inlineImports(url, new Set())}\nreturn ${name}\n})()`
}

function inlineImports(url: URL, known: Set<string>): string {
  if (known.has(url.href)) return ''
  known.add(url.href)
  return readFileSync(url, 'utf8')
    .replace(/^import [^']+ from '(\.[^']+)'$/gm, (_, path: string) => inlineImports(new URL(path, url), known))
    .replace(/^export /gm, '')
}
