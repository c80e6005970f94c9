// What a visit may do on a page, and what comes of it: plain shapes that the scrape floor writes and the browser reads.

export interface ScreenshotOptions {
  fullPage: boolean
  /** 1–100: a JPEG of that quality; absent: a PNG. */
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

/** A file made by the browser. */
export interface Shot {
  bytes: Uint8Array
  contentType: 'image/png' | 'image/jpeg' | 'application/pdf'
}

/** Results in the order of the actions that made them. */
export interface ActionResults {
  screenshots: Shot[]
  scrapes: { url: string; html: string }[]
  javascriptReturns: { type: string; value: unknown }[]
  pdfs: Shot[]
}
