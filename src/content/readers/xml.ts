// Shows XML that is neither a page nor a feed as code.
import { makeCodeDocument } from './build-html-tree.ts'
import type { MediaTypeReader } from './reader.ts'

export const xmlReader: MediaTypeReader = {
  name: 'xml',
  reads: (type) => /[/+]xml$/.test(type) || type === 'text/xsl',
  read: (text) => ({ tree: makeCodeDocument(text, 'xml'), warnings: [] }),
}
