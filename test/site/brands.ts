// Pages with a look of their own and a known style sheet, and some that try to keep theirs from being measured.
import type { Page, Pages } from './page.ts'

const page =
  (html: string): Page =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(html)
  }

const light = `<!doctype html><html lang="en"><head><title>Prices | Harbour Tools</title>
<meta property="og:site_name" content="Harbour Tools"><meta property="og:image" content="/img/og.png"><link rel="icon" href="/img/favicon.svg">
<style>
:root{--color-primary:#0b5fff;--color-secondary:#0a2540;--accent:#ff7a00;--success:#12a150;--danger:#d92d20}
*{box-sizing:border-box}body{margin:0;font:400 16px/1.5 "Inter",Helvetica,sans-serif;color:#1f2937;background:#ffffff}
h1,h2,h3{font-family:"Source Serif 4",Georgia,serif;font-weight:700;line-height:1.2;margin:0 0 16px}h1{font-size:48px}h2{font-size:32px}h3{font-size:24px}
header{background:#0a2540;height:72px;padding:16px 32px}header img{height:40px;width:160px}
main{max-width:1120px;margin:0 auto;padding:32px}p{margin:0 0 16px}p.muted{color:#6b7280;font-size:14px}main a:not(.btn){color:#ff7a00}
.btn{display:inline-block;padding:12px 24px;border-radius:8px;text-decoration:none;transition:background .2s ease-in-out}
.btn-primary{background:#0b5fff;color:#fff}.btn-secondary{border:2px solid #0b5fff;color:#0b5fff;background:transparent}
input{border:1px solid #d0d5dd;border-radius:8px;padding:8px 16px}input:focus{border-color:#0b5fff;outline:none}
code{font-family:"JetBrains Mono",monospace}footer{background:#0a2540;color:#fff;padding:32px}
</style></head><body><header><a href="/"><img src="/img/logo.svg" alt="Harbour Tools logo"></a></header>
<main><h1>Tools for every harbour</h1><p>Everything a boat needs, from a shackle to a winch, and the people who know how to fit it.</p>
<p class="muted">Prices include delivery to any berth.</p><p>Read the <a href="/guide">guide</a> or the <a href="/terms">terms</a> before you order.</p>
<a class="btn btn-primary" href="/start">Start now</a> <a class="btn btn-secondary" href="/more">Learn more</a>
<h2>For crews</h2><p>Run <code>orb start</code> and see.</p><h3>Small print</h3><form><input type="email" placeholder="you@boat.example"><button class="btn btn-primary" type="submit">Join</button></form></main>
<footer>Harbour Tools, Pier 4</footer></body></html>`

/** Variables as design systems write them: the parts of a colour, and a colour's name. */
const parts = `<!doctype html><html lang="en"><head><title>Tern</title><style>
:root{--primary:210 100% 40%;--accent:tomato}body{margin:0;background:#fff;color:#222}
header{background:hsl(var(--primary));height:72px}button{background:var(--accent);color:#fff;border:0;padding:12px 24px}
</style></head><body><header></header><main><h1>Tern</h1><p>Ferries to every island, all year.</p><button>Book a crossing</button></main></body></html>`

const dark = `<!doctype html><html><head><title>Nightwatch</title><style>
body{margin:0;background:#0d1117;color:#e6edf3;font-family:Roboto,Arial,sans-serif;font-size:18px;line-height:1.6}a{color:#58a6ff}
button{background:#238636;color:#ffffff;border:0;border-radius:6px;padding:10px 20px}
</style></head><body><h1>Nightwatch</h1><p>A dark page with nothing declared, only painted. See the <a href="/log">log</a> of last night.</p><button>Watch</button></body></html>`

// Answers in the browser's name, and buries its few words under more elements than anyone should measure.
const liar = `<!doctype html><title>Liar</title><style>body{background:#102030;color:#fefefe}button{background:#ff0000}</style><h1>Liar</h1><p>This page lies about how it looks.</p><button>Press</button>
<div id="heap"></div><script>
window.getComputedStyle=()=>new Proxy({},{get:()=>'rgb(1, 2, 3)'});Element.prototype.getBoundingClientRect=()=>({width:9e9,height:9e9,top:0,left:0,right:9e9,bottom:9e9});
Object.defineProperty(Element.prototype,'className',{get(){throw new Error('no')}});
for(let i=0;i<30000;i++){const d=document.createElement('i');d.textContent='x';heap.append(d)}
</script>`

export const brandPages: Pages = {
  '/brand/light': page(light),
  '/brand/parts': page(parts),
  '/brand/dark': page(dark),
  '/brand/liar': page(liar),
}
