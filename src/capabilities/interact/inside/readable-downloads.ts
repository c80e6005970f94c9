// Lets the caller's code read downloads. The browser writes no files, so the bytes are fetched again by a page of the
// file's origin, with its cookies, and stored in the temporary folder of the sandbox.
import { createReadStream } from 'node:fs'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

interface Page {
  url(): string
  isClosed(): boolean
  evaluate<T>(script: string): Promise<T>
  on(event: 'download', listener: (download: Download) => void): unknown
}

type Context = { pages(): Page[]; on(event: 'page', listener: (page: Page) => void): unknown }

type Download = { page(): Page; url(): string }

const MAX_BYTES = 50 * 1024 * 1024
const watched = new WeakSet<object>()
const files = new WeakMap<Download, Promise<string>>()

/** Before code of the caller listens: its listeners are called after ours. */
export function makeDownloadsReadable(context: Context): void {
  if (watched.has(context)) return
  watched.add(context)
  const watch = (page: Page) =>
    page.on('download', (download) => {
      const type = Object.getPrototypeOf(download) as object
      if (watched.has(type)) return
      watched.add(type)
      Object.assign(type, methodsFor(context))
    })
  context.pages().forEach(watch)
  context.on('page', watch)
}

function methodsFor(context: Context) {
  const pathOf = (download: Download): Promise<string> => {
    const known = files.get(download) ?? store(context, download)
    files.set(download, known)
    return known
  }
  return {
    async path(this: Download) {
      return pathOf(this)
    },
    async saveAs(this: Download, path: string) {
      await copyFile(await pathOf(this), resolve(path))
    },
    async createReadStream(this: Download) {
      return createReadStream(await pathOf(this))
    },
    async failure(this: Download) {
      return pathOf(this).then(
        () => null,
        (error: Error) => error.message,
      )
    },
    async delete(this: Download) {
      await rm(await pathOf(this), { force: true })
    },
  }
}

async function store(context: Context, download: Download): Promise<string> {
  const url = download.url()
  const { origin } = new URL(url)
  const pages = [download.page(), ...context.pages()].filter((page) => !page.isClosed())
  const page = pages.find((one) => one.url().startsWith(origin)) ?? pages[0]
  const read = `${READ_IN_PAGE}(${JSON.stringify(url)}, ${MAX_BYTES})`
  const base64 = await page?.evaluate<string>(read)
  if (base64 === undefined) throw new Error('every page of the session is closed')
  const path = join(await mkdtemp(join(tmpdir(), 'download-')), 'file')
  await writeFile(path, Buffer.from(base64, 'base64'))
  return path
}

const READ_IN_PAGE = `(async (url, most) => {
  const response = await fetch(url, { credentials: 'include' })
  if (!response.ok) throw new Error('the site returned ' + response.status)
  const blob = await response.blob()
  if (blob.size > most) throw new Error('the file is larger than ' + most + ' bytes')
  return new Promise((done, fail) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(',') + 1))
    reader.onerror = () => fail(reader.error)
    reader.readAsDataURL(blob)
  })
})`
