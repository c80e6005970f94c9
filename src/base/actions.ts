// Actions of a visit and their results: plain types that scrape/ writes and the browser reads.

export interface ScreenshotOptions {
  fullPage: boolean
  /** 1–100: JPEG quality; absent: a PNG. */
  quality?: number | undefined
  viewport?: { width: number; height: number } | undefined
}

export type PaperFormat = 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'Letter' | 'Legal' | 'Tabloid' | 'Ledger'

export type Action =
  | { type: 'wait'; milliseconds?: number | undefined; selector?: string | undefined }
  | { type: 'click'; selector: string; all: boolean }
  | { type: 'write'; text: string }
  | { type: 'press'; key: string }
  | { type: 'scroll'; direction: 'up' | 'down'; selector?: string | undefined }
  | ({ type: 'screenshot' } & ScreenshotOptions)
  | { type: 'scrape' }
  | { type: 'executeJavascript'; script: string }
  | { type: 'pdf'; format: PaperFormat; landscape: boolean; scale: number }

export interface Shot {
  bytes: Uint8Array
  contentType: 'image/png' | 'image/jpeg' | 'application/pdf'
}

/** In the order of the actions. */
export interface ActionResults {
  screenshots: Shot[]
  scrapes: { url: string; html: string }[]
  javascriptReturns: { type: string; value: unknown }[]
  pdfs: Shot[]
}
