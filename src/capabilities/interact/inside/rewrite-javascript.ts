// Rewrites a caller's JavaScript as the body of an async function: top-level declarations become global, and the last
// expression's value is returned.
import { constants, runInThisContext } from 'node:vm'
import { type Node, type Options, type Program, parse } from 'acorn'

interface Source extends Node {
  [field: string]: unknown
}

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
}

export function rewriteAsAsyncBody(code: string): string {
  const { body } = parseProgram(code)
  const text = (node: unknown) => code.slice((node as Node).start, (node as Node).end)
  const hoisted: string[] = []
  const parts = body.map((node, at) => statement(node as unknown as Source, at === body.length - 1, { text, hoisted }))
  // Separators keep code without semicolons from merging with replaced declarations.
  return [...hoisted, ...parts].join('\n;')
}

export function evaluateJavaScript(code: string): Promise<unknown> {
  const work = runInThisContext(`(async () => {${rewriteAsAsyncBody(code)}\n})`, {
    filename: 'code.js',
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as () => Promise<unknown>
  return work()
}

/** Parses as a module (imports, strict), else as a sloppy script. */
function parseProgram(code: string): Program {
  try {
    return parse(code, { ...OPTIONS, sourceType: 'module' })
  } catch (error) {
    try {
      return parse(code, { ...OPTIONS, sourceType: 'script' })
    } catch {
      throw error
    }
  }
}

type RewriteContext = { text(node: unknown): string; hoisted: string[] }

function statement(node: Source, isLast: boolean, context: RewriteContext): string {
  const { text, hoisted } = context
  switch (node.type as string) {
    case 'VariableDeclaration':
      return assignments(node, text)
    case 'FunctionDeclaration': {
      const name = text(node.id)
      hoisted.push(`globalThis.${name} = ${name};`)
      return text(node)
    }
    case 'ClassDeclaration':
      return `globalThis.${text(node.id)} = ${text(node)};`
    case 'ImportDeclaration':
      return imports(node, text)
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration': {
      const inner = node.declaration as Source | null
      if (!inner) return ''
      return /Declaration$/.test(inner.type) ? statement(inner, isLast, context) : `return (${text(inner)}\n);`
    }
    case 'ExpressionStatement':
      return isLast ? `return (${text(node.expression)}\n);` : text(node)
    default:
      return text(node)
  }
}

function assignments(node: Source, text: RewriteContext['text']): string {
  const made = (node.declarations as Source[]).map(({ id, init }) => {
    const value = init ? text(init) : 'undefined'
    return `(${text(id)} = ${value}\n)`
  })
  return `${made.join(', ')};`
}

function imports(node: Source, text: RewriteContext['text']): string {
  const from = text(node.source)
  const names = (node.specifiers as Source[]).map((one) => {
    const local = text(one.local)
    if (one.type === 'ImportNamespaceSpecifier') return `globalThis.${local} = loaded`
    const imported = one.type === 'ImportDefaultSpecifier' ? 'default' : text(one.imported)
    return `globalThis.${local} = loaded[${JSON.stringify(imported)}] ${imported === 'default' ? '?? loaded' : ''}`
  })
  return `{ const loaded = await import(${from}); ${names.join('; ')} }`
}
