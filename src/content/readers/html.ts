// Reads HTML, and XHTML under any media type.
import { parseTree } from '../tree.ts'
import type { Reader } from './reader.ts'

export const htmlReader: Reader = {
  name: 'html',
  reads: (type, head) =>
    type === 'text/html' || type === 'application/xhtml+xml' || (/xml$/.test(type) && /<html[\s>]/i.test(head)),
  read: (text) => parseTree(text),
}
