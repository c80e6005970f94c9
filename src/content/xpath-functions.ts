// The core functions of XPath 1.0, without those for namespaces and languages.
import { collapseSpaces, isElement } from './parse-tree.ts'
import { textOfXNode, toBoolean, toNumber, toText, type XNode, type XPathContext, type XValue } from './xpath-values.ts'

interface XPathFunction {
  /** Least and most arguments. */
  takes: readonly [number, number]
  call(given: readonly XValue[], context: XPathContext): XValue
}

const MAX_TEXT = 1_000_000

const nodesIn = (value: XValue | undefined): readonly XNode[] => (Array.isArray(value) ? value : [])

const byText = (
  takes: readonly [number, number],
  call: (first: string, second: string, third: string) => XValue,
): XPathFunction => ({
  takes,
  call(given, { node, run }) {
    const [first = textOfXNode(node, run), second = '', third = ''] = given.map((value) => toText(value, run))
    return run.spend((first.length + second.length) / 100) ? call(first, second, third) : ''
  },
})

const byNumber = (call: (value: number) => number): XPathFunction => ({
  takes: [1, 1],
  call: ([value = ''], { run }) => call(toNumber(value, run)),
})

const nameOf: XPathFunction = {
  takes: [0, 1],
  call([value], { node }) {
    const one = value === undefined ? node : nodesIn(value)[0]
    return one && ('owner' in one || isElement(one)) ? one.name : ''
  },
}

const FUNCTIONS: Readonly<Record<string, XPathFunction>> = {
  last: { takes: [0, 0], call: (_, { size }) => size },
  position: { takes: [0, 0], call: (_, { position }) => position },
  count: { takes: [1, 1], call: ([value]) => nodesIn(value).length },
  name: nameOf,
  'local-name': nameOf,
  string: byText([0, 1], (text) => text),
  concat: {
    takes: [2, 20],
    call: (given, { run }) =>
      given
        .map((value) => toText(value, run))
        .join('')
        .slice(0, MAX_TEXT),
  },
  'starts-with': byText([2, 2], (text, start) => text.startsWith(start)),
  contains: byText([2, 2], (text, part) => text.includes(part)),
  'substring-before': byText([2, 2], (text, sign) => text.slice(0, Math.max(0, text.indexOf(sign)))),
  'substring-after': byText([2, 2], (text, sign) =>
    text.includes(sign) ? text.slice(text.indexOf(sign) + sign.length) : '',
  ),
  substring: {
    takes: [2, 3],
    call([text = '', start = 1, length], { run }) {
      const from = Math.round(toNumber(start, run))
      const to = length === undefined ? Number.POSITIVE_INFINITY : from + Math.round(toNumber(length, run))
      return to > from ? toText(text, run).slice(Math.max(0, from - 1), Math.max(0, to - 1)) : ''
    },
  },
  'string-length': byText([0, 1], (text) => text.length),
  'normalize-space': byText([0, 1], collapseSpaces),
  translate: byText([3, 3], (text, from, to) => {
    const signs = new Map([...from].reverse().map((sign) => [sign, [...to][[...from].indexOf(sign)] ?? '']))
    return [...text].map((sign) => signs.get(sign) ?? sign).join('')
  }),
  boolean: { takes: [1, 1], call: ([value = false]) => toBoolean(value) },
  not: { takes: [1, 1], call: ([value = false]) => !toBoolean(value) },
  true: { takes: [0, 0], call: () => true },
  false: { takes: [0, 0], call: () => false },
  number: { takes: [0, 1], call: ([value], { node, run }) => toNumber(value ?? [node], run) },
  sum: {
    takes: [1, 1],
    call: ([value], { run }) => nodesIn(value).reduce((sum, node) => sum + toNumber([node], run), 0),
  },
  floor: byNumber(Math.floor),
  ceiling: byNumber(Math.ceil),
  round: byNumber(Math.round),
}

export const hasXPathFunction = (name: string, count: number): boolean => {
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  return known !== undefined && count >= known.takes[0] && count <= known.takes[1]
}

export const callXPathFunction = (name: string, given: readonly XValue[], context: XPathContext): XValue =>
  FUNCTIONS[name]!.call(given, context)
