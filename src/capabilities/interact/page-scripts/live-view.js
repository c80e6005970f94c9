// The live view: shows frames and who drives, and sends mouse, wheel, keys, touch, clipboard and IME input.
export function showSession({ id, drives, ticket: first }) {
  const at = (name) => /** @type {any} */ (document.getElementById(name))
  const picture = at('picture')
  let socket,
    shown = '',
    pause = 500,
    over = false

  const send = (message) => {
    if (socket && socket.readyState === 1) socket.send(JSON.stringify(message))
  }
  const say = (words, kind) => {
    at('who').textContent = words
    at('dot').dataset.kind = kind
  }
  const many = (count, one, more) => (count === 1 ? `1 ${one}` : `${count} ${more}`)

  function facts(f) {
    if ('copied' in f) {
      if (f.copied) navigator.clipboard?.writeText(f.copied).catch(() => {})
      return
    }
    if (document.activeElement !== at('url')) at('url').value = f.url === 'about:blank' ? '' : f.url
    document.title = f.title || 'Live session'
    const others = f.drivers - (drives ? 1 : 0)
    const who = [drives ? 'You drive' : f.drivers > 0 ? 'Somebody drives' : 'You watch']
    if (drives && others > 0) who.push(`with ${many(others, 'other driver', 'other drivers')}`)
    const lookers = f.watchers - f.drivers
    if (lookers > (drives ? 0 : 1)) who.push(many(lookers, 'watches', 'watch'))
    if (f.programs > 0) who.push('a program is connected')
    say(who.join(' \u00b7 '), drives ? 'drive' : 'watch')
    at('tabs').replaceChildren(
      ...f.tabs.map((tab) => {
        const button = document.createElement('button')
        button.type = 'button'
        button.textContent = tab.title || tab.url || 'New tab'
        button.title = tab.url
        if (tab.current) button.setAttribute('aria-current', 'true')
        button.disabled = !drives
        button.onclick = () => send({ tab: tab.id })
        return button
      }),
    )
    at('tabs').hidden = f.tabs.length < 2
    at('notice').textContent = f.notice || ''
    at('notice').hidden = !f.notice
    if (drives) ask(f.dialog)
  }

  function ask(dialog) {
    const box = at('question')
    if (!dialog) {
      if (box.open) box.close()
      return
    }
    at('asked').textContent = dialog.message
    at('reply').hidden = dialog.kind !== 'prompt'
    at('no').hidden = dialog.kind === 'alert'
    if (!box.open) {
      at('reply').value = dialog.value
      box.showModal()
    }
  }

  async function connect(ticket) {
    if (over) return
    if (!ticket) {
      const answer = await fetch(`${location.pathname}?ticket=1`).catch(() => undefined)
      if (answer && (answer.status === 410 || answer.status === 404)) {
        over = true
        say('The session has ended', 'over')
        document.body.dataset.over = '1'
        return
      }
      if (!answer?.ok) {
        say('Connecting again\u2026', 'wait')
        pause = Math.min(8000, pause * 2)
        setTimeout(connect, pause)
        return
      }
      ticket = (await answer.json()).ticket
    }
    socket = new WebSocket(
      (location.origin + location.pathname).replace(/^http/, 'ws').replace(/\/live(\/[^/]*){3}$/, '') +
        '/live/' +
        id +
        '/socket/' +
        ticket,
    )
    socket.binaryType = 'blob'
    socket.onopen = () => {
      pause = 500
    }
    socket.onclose = () => setTimeout(connect, pause)
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') return facts(JSON.parse(data))
      const next = URL.createObjectURL(data)
      picture.onload = picture.onerror = () => {
        URL.revokeObjectURL(shown)
        shown = next
        document.body.dataset.seen = '1'
        send({ shown: 1 })
      }
      picture.src = next
    }
  }
  void connect(first)

  function drive() {
    const input = at('keys')
    const names = ['left', 'middle', 'right']
    const place = (e) => {
      const box = picture.getBoundingClientRect()
      return { x: (e.clientX - box.left) / box.width, y: (e.clientY - box.top) / box.height }
    }
    const held = (e) => (e.altKey ? 1 : 0) | (e.ctrlKey ? 2 : 0) | (e.metaKey ? 4 : 0) | (e.shiftKey ? 8 : 0)
    const focus = () => input.focus({ preventScroll: true })
    let clicks = 0,
      last = 0,
      moved = 0,
      pointing = false
    const point = (is) => {
      pointing = is
      document.body.toggleAttribute('data-pointing', is)
    }
    // The recorder of the dashboard asks for the next press to name an element instead of pressing it.
    addEventListener('message', (e) => {
      if (e.origin === location.origin && e.source === parent && e.data?.orb === 'point') point(e.data.on)
    })
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
      if (type === 'mousePressed') {
        focus()
        picture.setPointerCapture(e.pointerId)
        clicks = e.timeStamp - last < 400 ? clicks + 1 : 1
        last = e.timeStamp
      }
      const moves = type === 'mouseMoved'
      send({
        type,
        ...place(e),
        button: moves ? 'none' : names[e.button] || 'none',
        buttons: e.buttons,
        clicks: moves ? 0 : Math.min(clicks, 3),
        modifiers: held(e),
      })
    }
    picture.addEventListener('pointerdown', mouse('mousePressed'))
    picture.addEventListener('pointerup', mouse('mouseReleased'))
    picture.addEventListener('pointermove', (e) => {
      if (e.timeStamp - moved > 15) {
        moved = e.timeStamp
        mouse('mouseMoved')(e)
      }
    })
    for (const name of ['contextmenu', 'dragstart']) picture.addEventListener(name, (e) => e.preventDefault())
    picture.addEventListener(
      'wheel',
      (e) => {
        e.preventDefault()
        send({ type: 'mouseWheel', ...place(e), dx: e.deltaX, dy: e.deltaY, modifiers: held(e) })
      },
      { passive: false },
    )
    const fingers = (type) => (e) => {
      if (pointing) return
      e.preventDefault()
      focus()
      send({ type, points: [...e.touches].slice(0, 5).map(place) })
    }
    for (const type of ['touchStart', 'touchMove', 'touchEnd', 'touchCancel'])
      picture.addEventListener(type.toLowerCase(), fingers(type), { passive: false })
    picture.addEventListener('focus', focus)
    let composing = false
    input.addEventListener('keydown', (e) => {
      const command = e.ctrlKey || e.metaKey
      if (e.isComposing || e.keyCode === 229) return
      if (command && e.key.toLowerCase() === 'v') return
      if (e.key === 'Escape' && e.shiftKey) {
        at('type').focus()
        return
      }
      e.preventDefault()
      if (command && /^[cx]$/i.test(e.key)) send({ type: 'copy' })
      const typed = e.key.length === 1 && !command ? e.key : e.key === 'Enter' ? '\r' : ''
      send({
        type: typed ? 'keyDown' : 'rawKeyDown',
        key: e.key,
        code: e.code,
        keyCode: e.keyCode,
        text: typed,
        modifiers: held(e),
      })
    })
    input.addEventListener('keyup', (e) => {
      if (!e.isComposing && e.keyCode !== 229)
        send({ type: 'keyUp', key: e.key, code: e.code, keyCode: e.keyCode, modifiers: held(e) })
    })
    input.addEventListener('compositionstart', () => {
      composing = true
    })
    input.addEventListener('compositionend', (e) => {
      composing = false
      if (e.data) send({ type: 'text', text: e.data })
      input.value = ''
    })
    // Keyboards of phones send no keys, only what came of them.
    input.addEventListener('input', (e) => {
      if (composing || e.isComposing) return
      if (e.inputType === 'insertText' && e.data) send({ type: 'text', text: e.data })
      if (e.inputType === 'deleteContentBackward')
        for (const type of ['rawKeyDown', 'keyUp']) send({ type, key: 'Backspace', code: 'Backspace', keyCode: 8 })
      input.value = ' '
      input.setSelectionRange(1, 1)
    })
    input.addEventListener('paste', (e) => {
      e.preventDefault()
      send({ type: 'text', text: e.clipboardData.getData('text') })
    })
    at('bar').onsubmit = (e) => {
      e.preventDefault()
      const to = at('url').value.trim()
      if (to) send({ type: 'go', url: /^[a-z]+:/i.test(to) ? to : `https://${to}` })
      focus()
    }
    for (const name of ['back', 'forward', 'reload']) at(name).onclick = () => send({ type: name })
    at('type').onclick = focus
    at('yes').onclick = () => {
      send({ type: 'dialog', accept: true, text: at('reply').value })
      at('question').close()
    }
    at('no').onclick = () => {
      send({ type: 'dialog', accept: false })
      at('question').close()
    }
    at('question').addEventListener('cancel', () => send({ type: 'dialog', accept: false }))
    at('save').onclick = () => {
      at('saved').textContent = ''
      at('profile').showModal()
    }
    at('leave').onclick = () => at('profile').close()
    at('keep').onsubmit = async (e) => {
      e.preventDefault()
      const answer = await fetch(location.pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ profile: at('name').value.trim() }),
      }).catch(() => undefined)
      const reply = answer ? await answer.json().catch(() => ({})) : {}
      at('saved').textContent = reply.success
        ? 'Saved. Scrapes with this profile are signed in from now on.'
        : reply.error || 'It could not be saved.'
    }
  }
  if (drives) drive()
}
