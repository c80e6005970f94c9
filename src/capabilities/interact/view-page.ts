// The page that shows a live session: a picture that moves, the address, the tabs, and for a driver the mouse and keyboard.
// It can be embedded anywhere; the ticket in it opens one socket, and the link it came by gives the next one.

const STYLE = `:root{color-scheme:light dark;font:14px system-ui,sans-serif}*{box-sizing:border-box}
body{margin:0;display:flex;flex-direction:column;height:100vh;background:#15181d;color:#e8eaed}
header{display:flex;gap:8px;align-items:center;padding:6px 10px;background:#20242b}
#tabs{display:flex;gap:4px;overflow:auto}#tabs button{max-width:180px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
button{background:#2d333c;color:inherit;border:0;border-radius:6px;padding:4px 10px;font:inherit}button[aria-current=true]{background:#4a5568}
form{flex:1;display:flex}#url{flex:1;min-width:60px;background:#15181d;color:inherit;border:1px solid #3a414c;border-radius:6px;padding:4px 8px;font:inherit}
#who{white-space:nowrap;opacity:.85}main{flex:1;display:flex;align-items:center;justify-content:center;min-height:0;padding:8px}
#picture{max-width:100%;max-height:100%;outline:none;background:#fff;touch-action:none}
#picture:focus-visible{box-shadow:0 0 0 2px #7aa2f7}#catch{position:fixed;opacity:0;width:1px;height:1px;pointer-events:none}`

const SCRIPT = `const q=(id)=>document.getElementById(id),picture=q('picture'),drives=DRIVES;let socket,url='',pause=500
const send=(message)=>{if(socket?.readyState===1)socket.send(JSON.stringify(message))}
function facts(f){if(document.activeElement!==q('url'))q('url').value=f.url;document.title=f.title||'Live session'
q('who').textContent=(drives?'You are driving':'You are watching')+' \\u00b7 '+f.watchers+' here'
q('tabs').replaceChildren(...f.tabs.map((t)=>{const b=document.createElement('button');b.textContent=t.title||t.url||'New tab';b.title=t.url
b.setAttribute('aria-current',t.current);b.disabled=!drives;b.onclick=()=>send({tab:t.id});return b}))}
async function connect(ticket){if(!ticket){const r=await fetch(location.pathname+'?ticket=1').catch(()=>0)
if(!r||!r.ok){q('who').textContent=r&&r.status===410?'The session has ended':'Connecting again\\u2026';if(r&&r.status===410)return;return setTimeout(connect,pause=Math.min(8000,pause*2))}
ticket=(await r.json()).ticket}
socket=new WebSocket(location.origin.replace(/^http/,'ws')+'/live/ID/socket/'+ticket);socket.binaryType='blob'
socket.onopen=()=>{pause=500};socket.onclose=()=>setTimeout(connect,pause)
socket.onmessage=({data})=>{if(typeof data==='string')return facts(JSON.parse(data))
const next=URL.createObjectURL(data);picture.onload=()=>{URL.revokeObjectURL(url);url=next;send({shown:1})};picture.src=next}}
connect(TICKET)
if(drives){const place=(e)=>{const b=picture.getBoundingClientRect();return{x:(e.clientX-b.left)/b.width,y:(e.clientY-b.top)/b.height}}
const mods=(e)=>(e.altKey?1:0)|(e.ctrlKey?2:0)|(e.metaKey?4:0)|(e.shiftKey?8:0),names=['left','middle','right'],input=q('catch')
const mouse=(type)=>(e)=>{if(e.pointerType==='touch')return;e.preventDefault();if(type==='mousePressed')input.focus({preventScroll:true})
send({type,...place(e),button:type==='mouseMoved'?'none':names[e.button]||'none',buttons:e.buttons,clicks:e.detail||(type==='mouseMoved'?0:1),modifiers:mods(e)})}
picture.addEventListener('pointerdown',mouse('mousePressed'));picture.addEventListener('pointerup',mouse('mouseReleased'));let moved=0
picture.addEventListener('pointermove',(e)=>{const n=performance.now();if(n-moved>15){moved=n;mouse('mouseMoved')(e)}})
picture.addEventListener('contextmenu',(e)=>e.preventDefault());picture.addEventListener('dragstart',(e)=>e.preventDefault())
picture.addEventListener('wheel',(e)=>{e.preventDefault();send({type:'mouseWheel',...place(e),dx:e.deltaX,dy:e.deltaY,modifiers:mods(e)})},{passive:false})
for(const type of['touchStart','touchMove','touchEnd'])picture.addEventListener(type.toLowerCase(),(e)=>{e.preventDefault();const t=e.touches[0]||e.changedTouches[0]
input.focus({preventScroll:true});send({type,...place(t)})},{passive:false})
input.addEventListener('keydown',(e)=>{if(e.isComposing||((e.ctrlKey||e.metaKey)&&e.key==='v'))return;e.preventDefault()
const typed=e.key.length===1&&!e.ctrlKey&&!e.metaKey?e.key:e.key==='Enter'?'\\r':'';send({type:typed?'keyDown':'rawKeyDown',key:e.key,code:e.code,keyCode:e.keyCode,text:typed,modifiers:mods(e)})})
input.addEventListener('keyup',(e)=>send({type:'keyUp',key:e.key,code:e.code,keyCode:e.keyCode,modifiers:mods(e)}))
input.addEventListener('compositionend',(e)=>{send({type:'text',text:e.data});input.value=''})
input.addEventListener('paste',(e)=>{e.preventDefault();send({type:'text',text:e.clipboardData.getData('text')})})
q('bar').onsubmit=(e)=>{e.preventDefault();let to=q('url').value.trim();if(!/^[a-z]+:/i.test(to))to='https://'+to;send({type:'go',url:to});q('url').blur()}
q('back').onclick=()=>send({type:'back'});q('reload').onclick=()=>send({type:'reload'})}`

export interface ViewPage {
  html: string
  headers: Record<string, string>
}

export function viewPage({
  id,
  ticket,
  drives,
  nonce,
}: {
  id: string
  ticket: string
  drives: boolean
  nonce: string
}): ViewPage {
  const script = SCRIPT.replaceAll('DRIVES', String(drives)).replace('ID', id).replace('TICKET', JSON.stringify(ticket))
  const off = drives ? '' : ' disabled'
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Live session</title><style nonce="${nonce}">${STYLE}</style></head><body>
<header><button id="back" aria-label="Back"${off}>\u2190</button><button id="reload" aria-label="Reload"${off}>\u21bb</button>
<form id="bar"><input id="url" aria-label="Address" autocomplete="off" spellcheck="false"${drives ? '' : ' readonly'}></form>
<nav id="tabs" aria-label="Tabs"></nav><span id="who" role="status">Connecting\u2026</span></header>
<main><img id="picture" alt="The page of the session" draggable="false"></main>
<textarea id="catch" aria-label="Keyboard of the session" autocapitalize="off" autocomplete="off"></textarea>
<script nonce="${nonce}">${script}</script></body></html>`
  const policy = `default-src 'none'; img-src blob: data:; connect-src 'self' ws: wss:; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`
  return {
    html,
    headers: { 'content-security-policy': policy, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  }
}
