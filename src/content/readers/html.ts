// Reads HTML, and XHTML under any media type.
import { parseTree } from '../parse-tree.ts'
import type { MediaTypeReader } from './reader.ts'

export const htmlReader: MediaTypeReader = {
  name: 'html',
  reads: (type, head) =>
    type === 'text/html' || type === 'application/xhtml+xml' || (/xml$/.test(type) && /<html[\s>]/i.test(head)),
  read: (text) => parseTree(text),
}
