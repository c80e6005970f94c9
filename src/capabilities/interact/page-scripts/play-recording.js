// Plays a session's recording: timed frames, and a list of steps.
export function playRecording() {
  const film = JSON.parse(document.getElementById('film').textContent)
  const at = (name) => /** @type {any} */ (document.getElementById(name)),
    seek = at('seek'),
    picture = at('picture')
  const clock = (ms) => {
    const s = Math.floor(ms / 1000)
    return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
  }
  seek.max = film.ms
  let now = 0,
    playing = false,
    before = 0,
    drawn = -1
  const buttons = film.steps.map(([ms, words]) => {
    const item = document.createElement('li'),
      button = document.createElement('button'),
      when = document.createElement('span'),
      text = document.createElement('div')
    button.type = 'button'
    when.textContent = clock(ms)
    text.textContent = words
    button.append(when, text)
    button.onclick = () => {
      now = ms
      draw()
    }
    item.append(button)
    at('steps').append(item)
    return button
  })
  if (buttons.length === 0) at('none').hidden = false
  function lastBefore(list) {
    let low = 0,
      high = list.length
    while (low < high) {
      const mid = (low + high) >> 1
      if (list[mid][0] <= now) low = mid + 1
      else high = mid
    }
    return low - 1
  }
  function draw() {
    const frame = Math.max(0, lastBefore(film.frames))
    if (frame !== drawn && film.frames[frame]) {
      drawn = frame
      picture.src = `data:image/jpeg;base64,${film.frames[frame][1]}`
    }
    const step = lastBefore(film.steps)
    for (const [n, button] of buttons.entries())
      if (n === step) button.setAttribute('aria-current', 'step')
      else button.removeAttribute('aria-current')
    seek.value = now
    at('time').textContent = `${clock(now)} / ${clock(film.ms)}`
  }
  function tick(time) {
    if (!playing) return
    now = Math.min(film.ms, now + (time - before) * Number(at('speed').value))
    before = time
    draw()
    if (now >= film.ms) return stop()
    requestAnimationFrame(tick)
  }
  function stop() {
    playing = false
    at('play').textContent = 'Play'
  }
  at('play').onclick = () => {
    if (playing) return stop()
    if (now >= film.ms) now = 0
    playing = true
    before = performance.now()
    at('play').textContent = 'Pause'
    requestAnimationFrame(tick)
  }
  seek.oninput = () => {
    now = Number(seek.value)
    draw()
  }
  draw()
}
