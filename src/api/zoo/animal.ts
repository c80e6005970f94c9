// What a page of the zoo is.
export interface Animal {
  /** Below /zoo/. */
  path: string
  title: string
  /** What it is good for, in a few words. */
  why: string
  /** Its name where the dashboard offers it as an example. */
  chip?: string
  /** 200 unless told. */
  status?: number
  type?: string
  /** Leads there instead of showing anything. */
  location?: string
  html?: string | ((now: number) => string | Uint8Array)
  /** What a form that is sent to it does. */
  post?: { location: string; cookie: string }
  /** What it shows to whoever sends this cookie. */
  inside?: { cookie: string; html: string }
}
