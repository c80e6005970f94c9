// The type of a zoo page.
export interface Animal {
  /** Below /zoo/. */
  path: string
  title: string
  why: string
  /** Label as an example in the dashboard. */
  chip?: string
  /** Default 200. */
  status?: number
  type?: string
  location?: string
  html?: string | ((now: number) => string | Uint8Array)
  /** Effect of a form POST. */
  post?: { location: string; cookie: string }
  /** Shown when this cookie is sent. */
  inside?: { cookie: string; html: string }
}
