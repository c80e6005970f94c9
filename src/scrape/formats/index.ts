// The list of formats, in display order. A new format needs one file and one line here.
import { attributes } from './attributes.ts'
import { audio } from './audio.ts'
import { branding } from './branding.ts'
import { changeTracking } from './change-tracking.ts'
import { chunks } from './chunks.ts'
import { deterministicJson } from './deterministic-json.ts'
import type { Format } from './format.ts'
import { highlights } from './highlights.ts'
import { html } from './html.ts'
import { images } from './images.ts'
import { items } from './items.ts'
import { json } from './json.ts'
import { links } from './links.ts'
import { markdown } from './markdown.ts'
import { menu } from './menu.ts'
import { product } from './product.ts'
import { query } from './query.ts'
import { question } from './question.ts'
import { rawBase64 } from './raw-base64.ts'
import { rawHtml } from './raw-html.ts'
import { screenshot } from './screenshot.ts'
import { summary } from './summary.ts'
import { transcript } from './transcript.ts'
import { video } from './video.ts'

export const formats: readonly Format[] = [
  markdown,
  chunks,
  html,
  rawHtml,
  rawBase64,
  links,
  images,
  items,
  attributes,
  screenshot,
  product,
  menu,
  branding,
  json,
  deterministicJson,
  summary,
  question,
  highlights,
  query,
  changeTracking,
  audio,
  video,
  transcript,
]

const byName = new Map(formats.map((format) => [format.name, format]))

export const formatNamed = (name: string): Format | undefined => byName.get(name)
