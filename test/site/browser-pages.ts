// Pages for the browser: things to do on a page, cookie walls, frames and shadows, places and devices, and hostile ones
// that ask, spin, crash, grow or reach for the inner network.
import type { Page, Pages } from './page.ts'

const show =
  (body: string | ((scene: Parameters<Page>[0]) => string), headers: Record<string, string> = {}): Page =>
  (scene) => {
    scene.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    const text = typeof body === 'string' ? body : body(scene)
    scene.response.end(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Browser page</title></head><body>${text}</body></html>`,
    )
  }

const loadingForEver = show(
  `<div id="root">Loading…</div><script>let n=0;setInterval(()=>{root.textContent='Loading'+'.'.repeat(++n%4)},100)</script>`,
)

const doing = `<h1>Things to do</h1><button id="more" onclick="out.innerHTML+='<p>clicked</p>'">More</button>
<button class="each" onclick="out.innerHTML+='<p>each</p>'">A</button><button class="each" onclick="out.innerHTML+='<p>each</p>'">B</button>
<input id="name" onkeydown="if(event.key==='Enter')out.innerHTML+='<p>hello '+this.value+'</p>'">
<div id="box" style="height:50px;overflow:auto"><div style="height:500px">tall</div></div>
<div id="out"></div><div style="height:3000px"></div><p>The end</p>
<script>addEventListener('scroll',()=>{document.title='scrolled';},{once:true});setTimeout(()=>{out.innerHTML+='<p id="late">late</p>'},400)</script>`

const cookieWall = `<main><h1>The harbour today</h1><p>Boats may leave from six in the morning; the lock keeper asks for patience at noon.</p></main>
<div id="cookie-banner" role="dialog" style="position:fixed;inset:auto 0 0 0;height:60vh;background:#c33;color:#fff">
<h2>We value your privacy</h2><p>We and our 812 partners use cookies to store and access information on your device.</p>
<button onclick="choose('yes')">Accept all</button><button onclick="choose('no')">Reject all</button></div>
<div class="overlay" style="position:fixed;inset:0;background:#0008"></div>
<script>document.body.style.overflow='hidden';function choose(x){document.getElementById('cookie-banner').remove();document.querySelector('main').insertAdjacentHTML('beforeend','<p>Your choice was: '+x+'</p>')}</script>`

// As a large provider does it: no button says no, the way out is behind the settings.
const hiddenRefusal = `<main><h1>The lock today</h1><p>The lock opens at seven; boats with a mast wait for the bridge keeper.</p></main>
<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" style="position:fixed;inset:auto 0 0 0;height:40vh;background:#36c;color:#fff">
<p>We use cookies for a better experience, and so do our 731 partners.</p>
<button id="onetrust-accept-btn-handler" onclick="choose('everything')">Accept</button><button id="onetrust-pc-btn-handler" onclick="pc.style.display='block'">Settings</button></div>
<div id="onetrust-pc-sdk" style="display:none;position:fixed;inset:10% 20%;background:#fff"><p>Cookies by purpose</p>
<input type="checkbox" class="category-switch-handler" checked>Advertising <button class="save-preference-btn-handler" onclick="choose(document.querySelector('.category-switch-handler').checked?'advertising':'nothing')">Confirm</button></div></div>
<script>const pc=document.getElementById('onetrust-pc-sdk');function choose(x){document.getElementById('onetrust-consent-sdk').remove();document.querySelector('main').insertAdjacentHTML('beforeend','<p>Allowed: '+x+'</p>')}</script>`

const device = `<h1>Who visits</h1><p id="out">Nothing known yet about the visitor of this page.</p><script>
const facts=()=>({ua:navigator.userAgent,touch:navigator.maxTouchPoints,width:innerWidth,languages:navigator.languages,language:navigator.language,zone:Intl.DateTimeFormat().resolvedOptions().timeZone,webdriver:navigator.webdriver});
out.textContent=JSON.stringify(facts());
navigator.geolocation.getCurrentPosition(p=>{out.textContent=JSON.stringify({...facts(),latitude:p.coords.latitude});out.dataset.placed=''},()=>{})</script>`

const nested = `<h1>Frames and shadows</h1><x-card><span slot="title">Slotted title</span></x-card><iframe src="/browser/inner"></iframe>
<script>customElements.define('x-card',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<h2><slot name="title"></slot></h2><p>Text in the shadow.</p>'}})</script>`

const lazy = `<h1>Lazy</h1>${Array.from({ length: 8 }, (_, at) => `<div style="height:700px"><img class="lazy" data-src="/img/${at}.png" alt="Picture ${at}"></div>`).join('')}
<script>const o=new IntersectionObserver(es=>es.forEach(e=>{if(e.isIntersecting){e.target.src=e.target.dataset.src;o.unobserve(e.target)}}));document.querySelectorAll('.lazy').forEach(i=>o.observe(i))</script>`

const endless = `<h1>Endless</h1><div id="list"></div><script>let n=0;const add=()=>{for(let i=0;i<10;i++)list.insertAdjacentHTML('beforeend','<p style="height:100px">Item '+(n++)+'</p>')};add();
addEventListener('scroll',()=>{if(innerHeight+scrollY>document.body.scrollHeight-200)add()})</script>`

const FRAME_WAYS: Record<string, string> = {
  chain: 'let n=0;const step=()=>{if(++n<6)requestAnimationFrame(step);else done()};requestAnimationFrame(step)',
  seen: 'new IntersectionObserver(([e])=>{if(e.isIntersecting)done()}).observe(out)',
  sized: 'new ResizeObserver(done).observe(out)',
  faded: "out.addEventListener('transitionend',done);out.getClientRects();out.style.opacity='0.5'",
  // Longer than a page must be still, and shorter than a busy page is waited for.
  'faded-slowly':
    "out.style.transitionDuration='900ms';out.addEventListener('transitionend',done);out.getClientRects();out.style.opacity='0.5'",
  'faded-slot': "out.ontransitionend=done;out.getClientRects();out.style.opacity='0.5'",
  // Its event comes after the page has been kept from running for longer than a text must be steady.
  'faded-late': `out.addEventListener('transitionend',done);out.getClientRects();out.style.opacity='0.5';
out.addEventListener('transitionstart',()=>setTimeout(()=>{const end=performance.now()+1500;while(performance.now()<end);},20))`,
  moved: 'out.animate([{opacity:1},{opacity:0.5}],80).onfinish=done',
}
const framed = (
  way: string,
) => `<h1>Frames</h1><p>${'This page has a good deal of text from the start, and goes on when it is drawn. '.repeat(5)}</p>
<div id="out" style="height:20px;transition:opacity 80ms"></div><script>const done=()=>{out.textContent='Drawn at last.'};${FRAME_WAYS[way]}</script>`

const storage = `<h1>Memory</h1><p id="out"></p><script>
const before=localStorage.getItem('mark')||'nothing';localStorage.setItem('mark','kept');
out.textContent='cookie '+(document.cookie||'none')+', storage '+before+'.';document.cookie='visit=1; max-age=3600'</script>`

const asking = `<h1>Questions</h1><p>This page asks a lot before it says anything.</p><script>
alert('one');const c=confirm('two'),p=prompt('three');print();addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue='stay'});
for(let i=0;i<50;i++)window.open('/browser/inner');
navigator.mediaDevices?.getUserMedia({video:true}).catch(()=>{});Notification?.requestPermission?.();
const a=document.createElement('a');a.href='/paper.pdf';a.download='x.pdf';document.body.append(a);a.click();
document.body.insertAdjacentHTML('beforeend','<p>Answers: '+c+' and '+p+'.</p>')</script>`

const polling = `<h1>Polling</h1><p>${'The figures on this page are fresh because it asks for them all the time. '.repeat(5)}</p><p id="out"></p><script>
const poll=()=>fetch('/browser/poll').then(()=>setTimeout(poll,50));poll();setInterval(()=>fetch('/browser/poll'),100);new EventSource('/browser/events')</script>`

/** Ways in which a page keeps the network busy for ever. */
const RESTLESS: Record<string, string> = {
  held: "fetch('/browser/never?held');const x=new XMLHttpRequest();x.open('GET','/browser/never?xhr');x.send()",
  stream: "fetch('/hostile/endless-body').then(async(r)=>{const b=r.body.getReader();for(;;)await b.read()})",
  socket:
    "const dial=()=>{const s=new WebSocket('ws://'+location.host+'/browser/never');s.onclose=()=>setTimeout(dial,20)};dial()",
  timers:
    "const tick=()=>{out.textContent=String(Math.random());setTimeout(tick,30)};tick();setInterval(()=>navigator.sendBeacon('/browser/poll','x'),50)",
  picture: "const i=new Image();i.src='/browser/never?picture';document.body.append(i)",
  frame: "const f=document.createElement('iframe');f.src='/browser/never?frame';document.body.append(f)",
}
const restless = (way: string) =>
  `<h1>Restless</h1><p>${'The figures on this page are fresh because it asks for them all the time. '.repeat(5)}</p><p id="out"></p><script>${RESTLESS[way]}</script>`

const inner = (port: number) => `127.0.0.2:${port}`
const reaching = (
  port: number,
) => `<h1>Reaching in</h1><p>This page tries every way into the inner network that a page has.</p>
<img src="http://${inner(port)}/img.png"><iframe src="http://${inner(port)}/frame"></iframe><iframe src="https://${inner(port)}/frame"></iframe>
<link rel="prefetch" href="http://${inner(port)}/prefetch"><link rel="dns-prefetch" href="//inside.example.com"><link rel="preconnect" href="http://${inner(port)}">
<link rel="stylesheet" href="http://localhost:${port}/style.css"><script src="http://[::1]:${port}/x.js"></script><script>
const hosts=['http://${inner(port)}','http://localhost:${port}','http://[::1]:${port}','http://inside.example.com:${port}','http://2130706434:${port}'];
for(const h of hosts){fetch(h+'/fetch',{mode:'no-cors'}).catch(()=>{});navigator.sendBeacon(h+'/beacon','x')}
fetch('/redirect/forbidden').catch(()=>{});
try{new WebSocket('ws://${inner(port)}/ws')}catch{} try{new WebSocket('wss://${inner(port)}/ws')}catch{} try{new EventSource('http://${inner(port)}/events')}catch{}
const w=new Worker(URL.createObjectURL(new Blob(["fetch('http://${inner(port)}/worker',{mode:'no-cors'}).catch(()=>{})"])));
navigator.serviceWorker?.register('/browser/sw.js').catch(()=>{});
try{const pc=new RTCPeerConnection({iceServers:[{urls:'stun:${inner(port)}'},{urls:'turn:${inner(port)}?transport=tcp',username:'a',credential:'b'}]});pc.createDataChannel('x');pc.createOffer().then(o=>pc.setLocalDescription(o))}catch{}
try{new WebTransport('https://${inner(port)}/wt')}catch{}
document.body.insertAdjacentHTML('beforeend','<p>All ways were tried.</p>')</script>`

const leaving = (port: number, way: string): string =>
  `<h1>Leaving</h1><p>This page sends its visitor into the inner network by way of ${way}, and has some words besides.</p>` +
  (way === 'meta'
    ? `<meta http-equiv="refresh" content="0; url=http://${inner(port)}/meta">`
    : `<script>location='http://${inner(port)}/location'</script>`)

/** Lets in whoever has been turned away so many times, and begins anew with the next two. */
const guard =
  (refusals: number, page: string): Page =>
  ({ response, hit }) => {
    const blocks = (hit - 1) % (refusals + 2) < refusals
    response.writeHead(blocks ? 403 : 200, {
      'content-type': 'text/html',
      ...(blocks ? { 'cf-mitigated': 'challenge' } : {}),
    })
    response.end(blocks ? '<p>Checking your browser.</p>' : page)
  }

const harbourText = `<h1>The harbour</h1><p>${'Boats may leave from six in the morning; the lock keeper asks for patience. '.repeat(6)}</p>`
const laterText = `<p>The last ferry goes at nine.</p><script>document.body.insertAdjacentHTML('beforeend','<p>Its own script ran too.</p>')</script>`
const withHead = (head: string, body = harbourText + laterText) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Waits</title>${head}</head><body>${body}</body></html>`
const NEVER: Record<string, string> = {
  script: withHead('<script src="/browser/never?a"></script><script src="/browser/never?b"></script>'),
  half: withHead('<script src="/browser/half"></script>'),
  style: withHead('<link rel="stylesheet" href="/browser/never?c">'),
  body: withHead('', `${harbourText}<script src="/browser/never?d"></script>${laterText}`),
}

export const browserPages: Pages = {
  '/browser/doing': show(doing),
  '/browser/cookies': show(cookieWall),
  '/browser/han': show('<h1>港口潮汐表</h1><p>船只可以在早上六点以后离开港口。</p>'),
  '/browser/hidden-refusal': show(hiddenRefusal),
  '/browser/device': show(device),
  '/browser/nested': show(nested),
  '/browser/inner': show('<p>Text in the frame.</p>'),
  '/browser/lazy': show(lazy),
  '/browser/endless': show(endless),
  '/browser/framed/*': show(({ url }) => framed(url.pathname.split('/').at(-1) ?? '')),
  '/browser/storage': show(storage),
  '/browser/asking': show(asking),
  '/browser/broken-world': show(
    `<script>setTimeout=()=>{throw 1};Promise.prototype.then=()=>{throw 2};document.createTreeWalker=()=>{throw 3};Array.prototype[Symbol.iterator]=()=>{throw 4}</script><h1>Broken</h1><p>A page that breaks what scripts stand on.</p>`,
  ),
  '/browser/frames': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html><title>Frames</title><frameset cols="50%,50%"><frame src="/browser/inner"></frameset></html>')
  },
  '/browser/to-paper': show(`<p>One moment.</p><script>setTimeout(()=>{location='/paper.pdf'},50)</script>`),
  '/browser/steps': show(
    `<h1>Steps</h1><p>A page that moves its address along while it stays.</p><script>for(let n=0;n<30;n++)history.pushState({},'','#'+n)</script>`,
  ),
  '/browser/polling': show(polling),
  '/browser/restless/*': show(({ url }) => restless(url.pathname.split('/').at(-1) ?? '')),
  '/browser/poll': ({ response }) => void response.end('{}'),
  '/browser/events': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: x\n\n')
  },
  '/browser/reaching': show(({ port }) => reaching(port)),
  '/browser/leaving/*': show(({ port, url }) => leaving(port, url.pathname.split('/').at(-1) ?? '')),
  '/browser/sw.js': ({ response, port }) => {
    response.writeHead(200, { 'content-type': 'text/javascript' })
    response.end(`fetch('http://${inner(port)}/sw',{mode:'no-cors'}).catch(()=>{})`)
  },
  '/browser/spin': show('<h1>Spin</h1><script>for(;;);</script>'),
  '/browser/eat': show(
    `<h1>Eat</h1><script>const all=[];for(;;){const a=new Uint8Array(64<<20);a.fill(1);all.push(a)}</script>`,
  ),
  '/browser/crash': ({ response, hit }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    // The first visit waits for its renderer to be killed, the second one is told that all is well.
    response.end(
      hit === 1
        ? '<h1>Crash</h1><script>const r=new XMLHttpRequest();r.open("GET","/browser/crashing",false);r.send();for(;;);</script>'
        : '<h1>Recovered</h1><p>The second visit found the page in good order.</p>',
    )
  },
  '/browser/tall': show(`<h1>Tall</h1><div style="height:60000px;background:linear-gradient(#fff,#00f)"></div>`),
  '/browser/cjk': show('<h1>港の水位</h1><p>今日の水位は平年並みです。水位正常。수위는 정상입니다.</p>'),
  '/browser/login': ({ request, response }) => {
    const known = request.headers.authorization !== undefined
    response.writeHead(known ? 200 : 401, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' })
    response.end(
      known
        ? '<h1>Welcome</h1><p>You are known here.</p>'
        : '<h1>Closed</h1><p>Only for members of the harbour club.</p>',
    )
  },
  '/browser/headers': show(
    ({ request }) =>
      `<h1>Headers</h1><pre id="out">${JSON.stringify(request.headers)}</pre><script>fetch('/echo').then(r=>r.json()).then(d=>{out.textContent+=' XHR '+JSON.stringify(d.headers)})</script>`,
  ),
  // A guard that lets the third visit pass.
  '/browser/guarded': guard(2, '<h1>Let in</h1><p>The guard has seen enough.</p>'),
  '/browser/guarded-drawn': guard(
    2,
    `<div id="root"></div><script>root.innerHTML='<h1>Let in</h1><p>'+'Drawn for whoever was let in. '.repeat(20)+'</p>'</script>`,
  ),
  '/browser/loop': show(`<script>location='/browser/loop?'+Math.random()</script>`),
  '/browser/slow-chain': async ({ response, url }) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const n = Number(url.searchParams.get('n') ?? 0)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      n < 6
        ? `<script>location='/browser/slow-chain?n=${n + 1}'</script>`
        : '<h1>The end</h1><p>Here the chain of pages ends.</p>',
    )
  },
  // Its parts stand before and after something in it that never answers.
  '/browser/waits-for/*': (scene) => {
    const never = NEVER[scene.url.pathname.split('/').at(-1) ?? ''] ?? NEVER.script
    scene.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    scene.response.end(never)
  },
  '/browser/never': ({ request }) => void request.socket.setTimeout(0),
  '/browser/half': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/javascript', 'content-length': '1000' })
    response.write('/* the rest never comes */')
  },
  '/browser/late-module': show('<div id="root"></div><script type="module" src="/browser/late-module.js"></script>'),
  '/browser/late-module.js': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/javascript' })
    // Longer than a page with text waits for its requests.
    setTimeout(() => response.end(`root.innerHTML = '<h1>Late</h1><p>The module came at last.</p>'`), 10_000)
  },
  '/browser/no-module': show('<div id="root"></div><script type="module" src="/browser/never?module"></script>'),
  // Slow to begin, so that it gets more time than pages usually do.
  '/browser/loading-for-ever': (scene) => void setTimeout(() => loadingForEver(scene), 1500),
}
