// Actions of a visit and their results: plain types that scrape/ writes and the browser reads.

export interface ScreenshotOptions {
  fullPage: boolean
  quality?: number | undefined
  viewport?: { width: number; height: number } | undefined
}

/** How far lists are scrolled before the page is read. */
export interface ScrollOptions {
  items: number
  seconds: number
  bytes: number
}

export type PaperFormat = 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'Letter' | 'Legal' | 'Tabloid' | 'Ledger'

export type BrowserAction =
  | { type: 'wait'; milliseconds?: number | undefined; selector?: string | undefined }
  | { type: 'click'; selector: string; all: boolean }
  | { type: 'write'; text: string }
  | { type: 'press'; key: string }
  | { type: 'scroll'; direction: 'up' | 'down'; selector?: string | undefined }
  | ({ type: 'screenshot' } & ScreenshotOptions)
  | { type: 'scrape' }
  | { type: 'executeJavascript'; script: string }
  | { type: 'pdf'; format: PaperFormat; landscape: boolean; scale: number }
  | FlowAction

/** Runs a stored flow; see driving/flow-steps-and-element-descriptors.ts. */
export interface FlowAction {
  type: 'flow'
  name: string
  with: Readonly<Record<string, string>>
  version?: number | undefined
  /** Signs in with this entry of the vault, instead of running a stored flow. */
  vault?: string | undefined
  /** Set by our own route, which stores no values: only then secret parameters are taken. */
  private?: true | undefined
}

export interface ScreenshotOrPdf {
  bytes: Uint8Array
  contentType: 'image/png' | 'image/jpeg' | 'application/pdf'
}

export interface ActionResults {
  screenshots: ScreenshotOrPdf[]
  scrapes: { url: string; html: string }[]
  javascriptReturns: { type: string; value: unknown }[]
  pdfs: ScreenshotOrPdf[]
  flows: FlowRun[]
  downloads: DownloadedFile[]
}

export interface DownloadedFile {
  name: string
  contentType: string
  bytes: Uint8Array
  from: string
}

export interface FlowRunStep {
  type: string
  ok: boolean
  /** The element was found by another of its names. */
  healed: boolean
  ms: number
  /** What happened besides: a question of the page, a notice that was closed. */
  note?: string
  picture: ScreenshotOrPdf | undefined
}

export interface FlowDownload {
  name: string
  bytes: Uint8Array
}

export interface FlowRun {
  name: string
  version: number
  steps: FlowRunStep[]
  data: Record<string, string | string[]>
  downloads: FlowDownload[]
  screenshots: ScreenshotOrPdf[]
  /** The steps with the names that were found, when some were healed. */
  healed?: readonly object[]
  /** It ended on another page than the recording, and the values may be the reason. */
  warning?: string
}
