// A page of a title and a body, for the sites that agents read.
import type { Page } from './page.ts'

/** `nav` stands before the main part of it. */
export const plainPage =
  (title: string, body: string, nav = ''): Page =>
  ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${nav}<main>${body}</main></body></html>`,
      )
