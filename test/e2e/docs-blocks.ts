// The code blocks of the documents, and a reader's machine that runs them. A fence states what becomes of its block: `sh`,
// `js` and `py` are run, a block with a file name is written to that file, `output` is the expected output of the block before
// it (its lines in this order, `…` for any text), `json` is parsed, `text` and `yaml` are only read.
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export interface Block {
  page: string
  heading: string
  language: string
  /** The file that a reader saves it as. */
  file: string
  text: string
  /** What it prints, if the document states it. */
  output?: string
}

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
]

function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  const parts = readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$|^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm)
  for (const [, title, language = '', file = '', text = ''] of parts) {
    const before = blocks.at(-1)
    if (title !== undefined) heading = title
    else if (language === 'output' && before && !before.output) before.output = text
    else blocks.push({ page, heading, language, file, text })
  }
  return blocks
}

export const blocks: readonly Block[] = documents.flatMap(blocksOf)

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The lines of an `output` block in their order, `…` and further lines between them being anything. */
export const outputPattern = (output: string): RegExp =>
  new RegExp(
    output
      .trim()
      .split('\n')
      .map((line) => line.trim().split('…').map(literal).join('.*'))
      .join('[\\s\\S]*'),
  )

/** Top-level packages that a Python program imports. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:from|import) ([\w., ]+)/gm)].flatMap(([, names = '']) =>
    (names.split(' import')[0] ?? '').split(',').map((name) => name.trim().split('.')[0] ?? ''),
  )

const pythonImports = [
  ...new Set(blocks.filter(({ language }) => language === 'py').flatMap(({ text }) => importsOf(text))),
]
const FIND = 'import importlib.util,sys; print(*[m for m in sys.argv[1:] if importlib.util.find_spec(m)])'
const installed = new Set((spawnSync('python3', ['-c', FIND, ...pythonImports]).stdout ?? '').toString().split(/\s+/))

/** Whether this machine has Python and every package that the block imports. */
export const canRunPython = ({ text }: Block): boolean => importsOf(text).every((name) => installed.has(name))

/** Runs a program as a reader would, with the commands of the documents. */
export function runAsReader(
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; out: string; err: string }> {
  const all = { PATH: `${process.env.PATH ?? ''}:${join(process.execPath, '..')}`, HOME: cwd, ...env }
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: all, timeout: 150_000, maxBuffer: 20_000_000 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })
}

/** `npx orbweaver` is the built program. */
export const SHELL = `set -euo pipefail\nnpx() { shift; node "${join(root, 'dist/main.js')}" "$@"; }\nexport -f npx\n`
