// The page that plays a session's recording: timed frames, and a list of steps. It is self-contained, so that it can be
// saved.
import { makePageScript } from '../../base/page-script.ts'
import { type HtmlWithHeaders, securityHeadersFor } from './live-view-page.ts'

const STYLE = `:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--sunken:#ecebe7;--ink:#1c2322;--soft:#4d5856;--line:#d9d6cf;--accent:#0f6b63;--wash:#e2f1ee;--on:#fff}
@media(prefers-color-scheme:dark){:root{--paper:#121716;--card:#1a2120;--sunken:#0b0f0e;--ink:#e9eeec;--soft:#b4bfbc;--line:#2b3533;--accent:#5cc9bc;--wash:#16332f;--on:#06201d}}
*{box-sizing:border-box}html{font:15px ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:0;min-height:100vh;display:grid;grid-template-columns:minmax(0,1fr) 22rem;grid-template-rows:auto minmax(0,1fr);background:var(--paper);color:var(--ink)}
h1{grid-column:1/-1;margin:0;padding:14px 20px;font-size:18px;background:var(--card);border-bottom:1px solid var(--line)}h1 small{font-weight:400;font-size:14px;color:var(--soft);margin-left:8px}
main{padding:16px;min-width:0}figure{margin:0;border-radius:8px;overflow:hidden;background:var(--sunken);border:1px solid var(--line);aspect-ratio:16/10;display:grid;place-items:center}
img{display:block;width:100%;height:100%;object-fit:contain}
.bar{display:flex;flex-wrap:wrap;gap:10px;align-items:center;margin-top:12px}input[type=range]{flex:1 1 12rem;accent-color:var(--accent);min-height:34px}
button{font:inherit;min-height:36px;padding:4px 16px;border:0;border-radius:8px;background:var(--accent);color:var(--on);cursor:pointer;min-width:5.5rem}select{font:inherit;min-height:36px;border-radius:8px;border:1px solid var(--line);background:var(--card);color:inherit;padding:0 8px}
output{font-variant-numeric:tabular-nums;color:var(--soft);min-width:6.5rem;text-align:right}
aside{border-left:1px solid var(--line);background:var(--card);overflow:auto;max-height:calc(100vh - 52px)}aside h2{font-size:14px;margin:0;padding:14px 16px 8px;color:var(--soft)}
ol{list-style:none;margin:0;padding:0 8px 16px}li button{display:grid;grid-template-columns:3.2rem 1fr;gap:8px;width:100%;text-align:left;background:none;color:var(--ink);padding:6px 8px;min-height:0;font-size:14px;overflow-wrap:anywhere;white-space:pre-wrap}
li button:hover{background:var(--sunken)}li button[aria-current]{background:var(--wash)}li span{color:var(--soft);font-variant-numeric:tabular-nums}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}p.none{padding:0 16px;color:var(--soft)}
@media(max-width:60rem){body{grid-template-columns:minmax(0,1fr);grid-template-rows:none}aside{border-left:0;border-top:1px solid var(--line);max-height:none}main{padding:10px}}`

const makePlayerScript = makePageScript<[]>(new URL('./page-scripts/play-recording.js', import.meta.url))

/** `film` comes from session-recording.ts: JSON without `<`. */
type FilmPageOptions = { film: string; id: string; nonce: string; frames: readonly string[] }

export function renderRecordingPlayerPage({ film, id, nonce, frames }: FilmPageOptions): HtmlWithHeaders {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recording of a session</title><style nonce="${nonce}">${STYLE}</style></head><body>
<h1>Recording of a session<small>${id}</small></h1>
<main><figure><img id="picture" alt="The page of the session at this moment"></figure>
<div class="bar"><button type="button" id="play">Play</button><input type="range" id="seek" min="0" value="0" aria-label="Time"><output id="time"></output>
<select id="speed" aria-label="Speed"><option value="1">1×</option><option value="2" selected>2×</option><option value="4">4×</option><option value="8">8×</option></select></div></main>
<aside><h2>Steps</h2><ol id="steps"></ol><p class="none" id="none" hidden>Nothing was done.</p></aside>
<script type="application/json" id="film" nonce="${nonce}">${film}</script>
<script nonce="${nonce}">${makePlayerScript()}</script></body></html>`
  // It contains text from untrusted pages, so it is sandboxed from this origin and may run only its own script.
  const headers = securityHeadersFor(nonce, 'img-src data:; sandbox allow-scripts', frames)
  return { html, headers }
}
