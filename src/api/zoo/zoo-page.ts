// The type of a zoo page.
export interface ZooPage {
  path: string
  title: string
  why: string
  chip?: string
  status?: number
  type?: string
  location?: string
  html?: string | ((now: number) => string | Uint8Array)
  post?: { location: string; cookie: string }
  inside?: { cookie: string; html: string }
}
