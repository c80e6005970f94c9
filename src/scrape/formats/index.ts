// The list of formats, in display order. A new format needs one file and one line here.
import { attributesFormat } from './attributes.ts'
import { audioFormat } from './audio.ts'
import { brandingFormat } from './branding.ts'
import { changeTrackingFormat } from './change-tracking.ts'
import { chunksFormat } from './chunks.ts'
import { deterministicJsonFormat } from './deterministic-json.ts'
import type { Format } from './format.ts'
import { highlightsFormat } from './highlights.ts'
import { htmlFormat } from './html.ts'
import { imagesFormat } from './images.ts'
import { itemsFormat } from './items.ts'
import { jsonFormat } from './json.ts'
import { linksFormat } from './links.ts'
import { markdownFormat } from './markdown.ts'
import { menuFormat } from './menu.ts'
import { networkFormat } from './network.ts'
import { productFormat } from './product.ts'
import { queryFormat } from './query.ts'
import { questionFormat } from './question.ts'
import { rawBase64Format } from './raw-base64.ts'
import { rawHtmlFormat } from './raw-html.ts'
import { screenshotFormat } from './screenshot.ts'
import { summaryFormat } from './summary.ts'
import { transcriptFormat } from './transcript.ts'
import { videoFormat } from './video.ts'

export const formats: readonly Format[] = [
  markdownFormat,
  chunksFormat,
  htmlFormat,
  rawHtmlFormat,
  rawBase64Format,
  linksFormat,
  imagesFormat,
  itemsFormat,
  attributesFormat,
  networkFormat,
  screenshotFormat,
  productFormat,
  menuFormat,
  brandingFormat,
  jsonFormat,
  deterministicJsonFormat,
  summaryFormat,
  questionFormat,
  highlightsFormat,
  queryFormat,
  changeTrackingFormat,
  audioFormat,
  videoFormat,
  transcriptFormat,
]

const byName = new Map(formats.map((format) => [format.name, format]))

export const findFormat = (name: string): Format | undefined => byName.get(name)
