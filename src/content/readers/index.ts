// Readers, most specific first; the first match is used.
import { asciidocReader } from './asciidoc.ts'
import { feedReader } from './feed.ts'
import { htmlReader } from './html.ts'
import { jatsReader } from './jats.ts'
import { jsonReader } from './json.ts'
import type { MediaTypeReader } from './reader.ts'
import { textReader } from './text.ts'
import { xmlReader } from './xml.ts'

export const readers: readonly MediaTypeReader[] = [
  htmlReader,
  feedReader,
  jatsReader,
  jsonReader,
  xmlReader,
  asciidocReader,
  textReader,
]
