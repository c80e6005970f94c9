// The page of a live session: the picture, URL, tabs, and for a driver mouse and keyboard. Pages of the origins that
// the operator names can embed it.
import { makePageScript } from '../../base/page-script.ts'
import { VIEW_STYLE } from './live-view-style.ts'

const makeLiveViewScript = makePageScript<[session: { id: string; drives: boolean; ticket: string }]>(
  new URL('./page-scripts/live-view.js', import.meta.url),
)

export type HtmlWithHeaders = { html: string; headers: Record<string, string> }

interface ViewPageOptions {
  id: string
  ticket: string
  drives: boolean
  nonce: string
  /** Undefined: the system's theme. */
  theme: 'light' | 'dark' | undefined
  /** Origins that may embed it, besides our own. */
  frames: readonly string[]
}

export function renderLiveViewPage({ id, ticket, drives, nonce, theme, frames }: ViewPageOptions): HtmlWithHeaders {
  const script = makeLiveViewScript({ id, drives, ticket })
  const html = `<!doctype html><html lang="en"${theme ? ` data-theme="${theme}"` : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Live session</title><style nonce="${nonce}">${VIEW_STYLE}</style></head><body>
<header>${drives ? BUTTONS : ''}<form id="bar"><input id="url" aria-label="Address" placeholder="${drives ? 'Type an address' : 'Nothing is open yet'}" autocomplete="off" autocapitalize="off" spellcheck="false"${drives ? '' : ' readonly'}></form>${drives ? SAVE : ''}</header>
<p id="notice" role="alert" hidden></p><nav id="tabs" aria-label="Tabs" hidden></nav>
<main><span id="wait" role="status">Waiting for the picture\u2026</span><img id="picture" alt="The page of the session" draggable="false"></main>
<footer><span id="dot"></span><span id="who" role="status">Connecting\u2026</span>${drives ? '<button type="button" class="edge" id="type" title="Keys go to the page. Shift and Escape give them back.">Keyboard</button>' : ''}</footer>
${drives ? DIALOGS : ''}<script nonce="${nonce}">${script}</script></body></html>`
  return { html, headers: securityHeadersFor(nonce, "connect-src 'self' ws: wss:; img-src blob: data:", frames) }
}

/** A CSP that allows only the page's own content and `more`. */
export const securityHeadersFor = (nonce: string, more: string, frames: readonly string[]): Record<string, string> => ({
  'content-security-policy': `default-src 'none'; ${more}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors ${["'self'", ...frames].join(' ')}`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
})

const BUTTONS = `<button type="button" class="icon" id="back" aria-label="Back">\u2190</button><button type="button" class="icon" id="forward" aria-label="Forward">\u2192</button><button type="button" class="icon" id="reload" aria-label="Reload">\u21bb</button>`
const SAVE = '<button type="button" class="edge" id="save">Save as profile</button>'
const DIALOGS = `<textarea id="keys" tabindex="-1" aria-label="Keyboard of the session" autocapitalize="off" autocomplete="off" autocorrect="off" spellcheck="false"></textarea>
<dialog id="question" aria-label="The page asks"><h2>The page asks</h2><p id="asked"></p><input id="reply" aria-label="Your answer"><div class="row"><button type="button" class="edge" id="no">Cancel</button><button type="button" class="main" id="yes">OK</button></div></dialog>
<dialog id="profile" aria-label="Save as profile"><h2>Save as profile</h2><p>Keeps the cookies and storage of this session under a name. Scrapes and sessions with that profile start where you are now: signed in.</p><form id="keep"><input id="name" aria-label="Name of the profile" placeholder="Name, such as shop" required maxlength="128" autocomplete="off"><div class="row"><button type="button" class="edge" id="leave">Close</button><button class="main">Save</button></div></form><p id="saved" role="status"></p></dialog>
`
