// The live view's script: shows frames and who drives, and sends mouse, wheel, keys, touch, clipboard and IME input.

export const VIEW_SCRIPT = String.raw`
const { id, drives, ticket: first } = VIEW
const at = (name) => document.getElementById(name)
const picture = at('picture')
let socket, shown = '', pause = 500, over = false

const send = (message) => { if (socket && socket.readyState === 1) socket.send(JSON.stringify(message)) }
const say = (words, kind) => { at('who').textContent = words; at('dot').dataset.kind = kind }
const many = (count, one, more) => count === 1 ? '1 ' + one : count + ' ' + more

function facts(f) {
  if ('copied' in f) { if (f.copied) navigator.clipboard?.writeText(f.copied).catch(() => {}); return }
  if (document.activeElement !== at('url')) at('url').value = f.url === 'about:blank' ? '' : f.url
  document.title = f.title || 'Live session'
  const others = f.drivers - (drives ? 1 : 0)
  const who = [drives ? 'You drive' : f.drivers > 0 ? 'Somebody drives' : 'You watch']
  if (drives && others > 0) who.push('with ' + many(others, 'other driver', 'other drivers'))
  const lookers = f.watchers - f.drivers
  if (lookers > (drives ? 0 : 1)) who.push(many(lookers, 'watches', 'watch'))
  if (f.programs > 0) who.push('a program is connected')
  say(who.join(' \u00b7 '), drives ? 'drive' : 'watch')
  at('tabs').replaceChildren(...f.tabs.map((tab) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = tab.title || tab.url || 'New tab'
    button.title = tab.url
    if (tab.current) button.setAttribute('aria-current', 'true')
    button.disabled = !drives
    button.onclick = () => send({ tab: tab.id })
    return button
  }))
  at('tabs').hidden = f.tabs.length < 2
  at('notice').textContent = f.notice || ''
  at('notice').hidden = !f.notice
  if (drives) ask(f.dialog)
}

function ask(dialog) {
  const box = at('question')
  if (!dialog) { if (box.open) box.close(); return }
  at('asked').textContent = dialog.message
  at('reply').hidden = dialog.kind !== 'prompt'
  at('no').hidden = dialog.kind === 'alert'
  if (!box.open) { at('reply').value = dialog.value; box.showModal() }
}

async function connect(ticket) {
  if (over) return
  if (!ticket) {
    const answer = await fetch(location.pathname + '?ticket=1').catch(() => undefined)
    if (answer && (answer.status === 410 || answer.status === 404)) { over = true; say('The session has ended', 'over'); document.body.dataset.over = '1'; return }
    if (!answer || !answer.ok) { say('Connecting again\u2026', 'wait'); setTimeout(connect, pause = Math.min(8000, pause * 2)); return }
    ticket = (await answer.json()).ticket
  }
  socket = new WebSocket((location.origin + location.pathname).replace(/^http/, 'ws').replace(/\/live(\/[^/]*){3}$/, '') + '/live/' + id + '/socket/' + ticket)
  socket.binaryType = 'blob'
  socket.onopen = () => { pause = 500 }
  socket.onclose = () => setTimeout(connect, pause)
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') return facts(JSON.parse(data))
    const next = URL.createObjectURL(data)
    picture.onload = picture.onerror = () => { URL.revokeObjectURL(shown); shown = next; document.body.dataset.seen = '1'; send({ shown: 1 }) }
    picture.src = next
  }
}
connect(first)

function drive() {
  const input = at('keys')
  const names = ['left', 'middle', 'right']
  const place = (e) => { const box = picture.getBoundingClientRect(); return { x: (e.clientX - box.left) / box.width, y: (e.clientY - box.top) / box.height } }
  const held = (e) => (e.altKey ? 1 : 0) | (e.ctrlKey ? 2 : 0) | (e.metaKey ? 4 : 0) | (e.shiftKey ? 8 : 0)
  const focus = () => input.focus({ preventScroll: true })
  let clicks = 0, last = 0, moved = 0, pointing = false
  const point = (is) => { pointing = is; document.body.toggleAttribute('data-pointing', is) }
  // The recorder of the dashboard asks for the next press to name an element instead of pressing it.
  addEventListener('message', (e) => { if (e.origin === location.origin && e.source === parent && e.data?.orb === 'point') point(e.data.on) })
  const mouse = (type) => (e) => {
    if (e.pointerType === 'touch' && !pointing) return
    e.preventDefault()
    if (pointing) {
      if (type !== 'mouseReleased') return
      send({ type: 'point', ...place(e) })
      point(false)
      parent.postMessage({ orb: 'pointed' }, location.origin)
      return
    }
    if (type === 'mousePressed') { focus(); picture.setPointerCapture(e.pointerId); clicks = e.timeStamp - last < 400 ? clicks + 1 : 1; last = e.timeStamp }
    const moves = type === 'mouseMoved'
    send({ type, ...place(e), button: moves ? 'none' : names[e.button] || 'none', buttons: e.buttons, clicks: moves ? 0 : Math.min(clicks, 3), modifiers: held(e) })
  }
  picture.addEventListener('pointerdown', mouse('mousePressed'))
  picture.addEventListener('pointerup', mouse('mouseReleased'))
  picture.addEventListener('pointermove', (e) => { if (e.timeStamp - moved > 15) { moved = e.timeStamp; mouse('mouseMoved')(e) } })
  for (const name of ['contextmenu', 'dragstart']) picture.addEventListener(name, (e) => e.preventDefault())
  picture.addEventListener('wheel', (e) => { e.preventDefault(); send({ type: 'mouseWheel', ...place(e), dx: e.deltaX, dy: e.deltaY, modifiers: held(e) }) }, { passive: false })
  const fingers = (type) => (e) => { if (pointing) return; e.preventDefault(); focus(); send({ type, points: [...e.touches].slice(0, 5).map(place) }) }
  for (const type of ['touchStart', 'touchMove', 'touchEnd', 'touchCancel']) picture.addEventListener(type.toLowerCase(), fingers(type), { passive: false })
  picture.addEventListener('focus', focus)
  let composing = false
  input.addEventListener('keydown', (e) => {
    const command = e.ctrlKey || e.metaKey
    if (e.isComposing || e.keyCode === 229) return
    if (command && e.key.toLowerCase() === 'v') return
    if (e.key === 'Escape' && e.shiftKey) { at('type').focus(); return }
    e.preventDefault()
    if (command && /^[cx]$/i.test(e.key)) send({ type: 'copy' })
    const typed = e.key.length === 1 && !command ? e.key : e.key === 'Enter' ? '\r' : ''
    send({ type: typed ? 'keyDown' : 'rawKeyDown', key: e.key, code: e.code, keyCode: e.keyCode, text: typed, modifiers: held(e) })
  })
  input.addEventListener('keyup', (e) => { if (!e.isComposing && e.keyCode !== 229) send({ type: 'keyUp', key: e.key, code: e.code, keyCode: e.keyCode, modifiers: held(e) }) })
  input.addEventListener('compositionstart', () => { composing = true })
  input.addEventListener('compositionend', (e) => { composing = false; if (e.data) send({ type: 'text', text: e.data }); input.value = '' })
  // Keyboards of phones send no keys, only what came of them.
  input.addEventListener('input', (e) => {
    if (composing || e.isComposing) return
    if (e.inputType === 'insertText' && e.data) send({ type: 'text', text: e.data })
    if (e.inputType === 'deleteContentBackward') for (const type of ['rawKeyDown', 'keyUp']) send({ type, key: 'Backspace', code: 'Backspace', keyCode: 8 })
    input.value = ' '
    input.setSelectionRange(1, 1)
  })
  input.addEventListener('paste', (e) => { e.preventDefault(); send({ type: 'text', text: e.clipboardData.getData('text') }) })
  at('bar').onsubmit = (e) => {
    e.preventDefault()
    const to = at('url').value.trim()
    if (to) send({ type: 'go', url: /^[a-z]+:/i.test(to) ? to : 'https://' + to })
    focus()
  }
  for (const name of ['back', 'forward', 'reload']) at(name).onclick = () => send({ type: name })
  at('type').onclick = focus
  at('yes').onclick = () => { send({ type: 'dialog', accept: true, text: at('reply').value }); at('question').close() }
  at('no').onclick = () => { send({ type: 'dialog', accept: false }); at('question').close() }
  at('question').addEventListener('cancel', () => send({ type: 'dialog', accept: false }))
  at('save').onclick = () => { at('saved').textContent = ''; at('profile').showModal() }
  at('leave').onclick = () => at('profile').close()
  at('keep').onsubmit = async (e) => {
    e.preventDefault()
    const answer = await fetch(location.pathname, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ profile: at('name').value.trim() }) }).catch(() => undefined)
    const reply = answer ? await answer.json().catch(() => ({})) : {}
    at('saved').textContent = reply.success ? 'Saved. Scrapes with this profile are signed in from now on.' : reply.error || 'It could not be saved.'
  }
}
if (drives) drive()
`

const DARK =
  'color-scheme:dark;--paper:#121716;--card:#1a2120;--sunken:#0b0f0e;--ink:#e9eeec;--soft:#b4bfbc;--line:#2b3533;--accent:#5cc9bc;--on:#06201d;--warn:#f0b464'

export const VIEW_STYLE = `:root{color-scheme:light;--paper:#fbfaf8;--card:#fff;--sunken:#ecebe7;--ink:#1c2322;--soft:#4d5856;--line:#d9d6cf;--accent:#0f6b63;--on:#fff;--warn:#8a4b00}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}:root[data-theme=dark]{${DARK}}
*{box-sizing:border-box}html{font:15px ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:0;display:flex;flex-direction:column;height:100vh;height:100dvh;background:var(--sunken);color:var(--ink)}
header{display:flex;flex-wrap:wrap;gap:6px;align-items:center;padding:8px 10px;background:var(--card);border-bottom:1px solid var(--line)}
button,input{font:inherit;color:inherit}
button{min-height:34px;padding:4px 10px;background:none;border:1px solid transparent;border-radius:8px;cursor:pointer;color:var(--soft)}
button:hover:not(:disabled){background:var(--sunken);color:var(--ink)}button:disabled{cursor:default;opacity:.6}
button.icon{min-width:34px;padding:4px;font-size:17px;line-height:1}button.edge{border-color:var(--line);background:var(--card)}
button.main{background:var(--accent);color:var(--on)}button.main:hover:not(:disabled){background:var(--accent);color:var(--on);filter:brightness(1.1)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
#bar{flex:1 1 200px;display:flex;min-width:0}
input{min-height:34px;width:100%;padding:4px 12px;background:var(--paper);border:1px solid var(--line);border-radius:17px;text-overflow:ellipsis}
#notice{margin:0;padding:10px 14px;background:var(--accent);color:var(--on,#fff)}#notice[hidden]{display:none}
#tabs{display:flex;gap:4px;overflow-x:auto;padding:6px 10px 0;background:var(--card);border-bottom:1px solid var(--line)}#tabs[hidden]{display:none}
#tabs button{flex:0 1 190px;min-width:90px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-align:left;border-radius:8px 8px 0 0;font-size:13px}
#tabs button[aria-current]{background:var(--sunken);color:var(--ink);font-weight:600;opacity:1}
main{flex:1;position:relative;display:flex;align-items:center;justify-content:center;min-height:0;padding:10px}
#picture{max-width:100%;max-height:100%;background:#fff;border-radius:6px;box-shadow:0 1px 3px rgb(0 0 0/18%),0 6px 24px rgb(0 0 0/12%);touch-action:none;visibility:hidden;user-select:none;-webkit-user-select:none}
[data-seen] #picture{visibility:visible}[data-over] #picture{opacity:.35;filter:grayscale(1)}
[data-pointing] #picture{cursor:crosshair;outline:2px solid var(--warn);outline-offset:2px}
#wait{position:absolute;color:var(--soft)}[data-seen] #wait{display:none}
main:focus-within #picture{outline:2px solid var(--accent);outline-offset:2px}
footer{display:flex;gap:8px;align-items:center;min-height:38px;padding:4px 12px;font-size:13px;color:var(--soft);background:var(--card);border-top:1px solid var(--line)}
#dot{flex:none;width:9px;height:9px;border-radius:50%;background:var(--line)}#dot[data-kind=drive]{background:var(--accent)}#dot[data-kind=watch]{background:#8b938f}#dot[data-kind=wait]{background:var(--warn)}
#who{flex:1;min-width:0}#keys{position:fixed;left:0;bottom:0;width:1px;height:1px;padding:0;border:0;opacity:0;resize:none;pointer-events:none;font-size:16px}
@media(max-width:40rem){main{align-items:flex-start}#bar{order:0;flex-basis:150px}}
dialog{width:min(26rem,calc(100vw - 2rem));padding:18px;border:1px solid var(--line);border-radius:12px;background:var(--card);color:var(--ink);box-shadow:0 1rem 4rem rgb(0 0 0/30%)}dialog::backdrop{background:rgb(10 16 15/45%)}
dialog h2{margin:0 0 6px;font-size:17px}dialog p{margin:0 0 12px;color:var(--soft);font-size:14px;overflow-wrap:anywhere;white-space:pre-wrap}dialog input{border-radius:8px;margin-bottom:12px}dialog input[hidden]{display:none}
.row{display:flex;gap:8px;justify-content:flex-end}#saved:empty{display:none}#saved{margin:12px 0 0}`
