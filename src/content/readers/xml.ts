// Shows XML that is neither a page nor a feed as code.
import { codePage } from './build-tree.ts'
import type { Reader } from './reader.ts'

export const xmlReader: Reader = {
  name: 'xml',
  reads: (type) => /[/+]xml$/.test(type) || type === 'text/xsl',
  read: (text) => ({ tree: codePage(text, 'xml'), warnings: [] }),
}
