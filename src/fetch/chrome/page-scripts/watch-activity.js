// Runs before any script of the page, in every frame. Counts timers, requests and observers through proxies; dialogs are
// answered unless a flow does.
export function watchActivity(name, keepsDialogs) {
  if (window[name]) return
  const state = { timers: new Map(), requests: 0, observers: 0, opened: 0, depth: 0, awaitsMoves: false }
  Object.defineProperty(window, name, { value: state })
  state.setTimeout = window.setTimeout.bind(window)
  const nextFrame = window.requestAnimationFrame.bind(window)
  state.nextFrame = nextFrame
  // Observers report in the next frame and their changes appear in the one after: count two frames as pending work.
  const awaitFrames = () => {
    state.wantsFrames = true
    if (state.timers.has('frames')) return
    state.timers.set('frames', 0)
    nextFrame(() => nextFrame(() => state.timers.delete('frames')))
  }
  const wrap = (owner, key, apply) => {
    const native = owner?.[key]
    if (typeof native === 'function') owner[key] = new Proxy(native, { apply })
  }
  wrap(window, 'setTimeout', (native, self, args) => {
    const [work, ms = 0] = args
    const depth = state.depth + 1
    // Long timers and chains of timers are a page's heartbeat, not its work.
    if (typeof work !== 'function' || !(ms <= 3000) || depth > 6 || state.timers.size > 500)
      return Reflect.apply(native, self, args)
    let id
    const run = function (...given) {
      state.timers.delete(id)
      const before = state.depth
      state.depth = depth
      try {
        return work.apply(this, given)
      } finally {
        state.depth = before
      }
    }
    id = Reflect.apply(native, self, [run, ...args.slice(1)])
    state.timers.set(id, performance.now() + Number(ms || 0))
    return id
  })
  wrap(window, 'clearTimeout', (native, self, args) => {
    state.timers.delete(args[0])
    return Reflect.apply(native, self, args)
  })
  wrap(window, 'requestAnimationFrame', (native, self, args) => {
    state.wantsFrames = true
    const depth = state.depth + 1
    // An animation is no work either.
    if (typeof args[0] !== 'function' || depth > 6) return Reflect.apply(native, self, args)
    let id
    const run = (time) => {
      state.timers.delete(`frame ${id}`)
      const before = state.depth
      state.depth = depth
      try {
        return args[0](time)
      } finally {
        state.depth = before
      }
    }
    id = Reflect.apply(native, self, [run])
    state.timers.set(`frame ${id}`, 0)
    return id
  })
  wrap(window, 'cancelAnimationFrame', (native, self, args) => {
    state.timers.delete(`frame ${args[0]}`)
    return Reflect.apply(native, self, args)
  })
  wrap(window, 'fetch', (native, self, args) => {
    const answer = Reflect.apply(native, self, args)
    state.requests++
    const done = () => {
      state.requests--
    }
    answer.then(done, done)
    return answer
  })
  wrap(XMLHttpRequest.prototype, 'send', (native, self, args) => {
    state.requests++
    self.addEventListener(
      'loadend',
      () => {
        state.requests--
      },
      { once: true },
    )
    return Reflect.apply(native, self, args)
  })
  for (const key of ['IntersectionObserver', 'ResizeObserver'])
    window[key] = new Proxy(window[key], {
      construct(native, args, self) {
        if (key === 'IntersectionObserver') state.observers++
        awaitFrames()
        return Reflect.construct(native, args, self)
      },
    })
  const MOVES = [
    'transitionend',
    'transitionstart',
    'transitionrun',
    'animationend',
    'animationstart',
    'animationiteration',
  ]
  wrap(EventTarget.prototype, 'addEventListener', (native, self, args) => {
    const on = self ?? window
    if (args[0] === 'scroll' && on === window) state.observers++
    if (args[0] === 'beforeunload' && on === window) return
    if (MOVES.includes(args[0])) state.awaitsMoves = true
    return Reflect.apply(native, on, args)
  })
  wrap(Element.prototype, 'animate', (native, self, args) => {
    state.awaitsMoves = true
    return Reflect.apply(native, self, args)
  })
  for (const key of MOVES.map((name) => `on${name}`)) {
    const slot = Object.getOwnPropertyDescriptor(HTMLElement.prototype, key)
    if (!slot?.set) continue
    const set = new Proxy(slot.set, {
      apply(native, self, args) {
        state.awaitsMoves = true
        return Reflect.apply(native, self, args)
      },
    })
    Object.defineProperty(HTMLElement.prototype, key, { ...slot, set })
  }
  for (const [key, answer] of keepsDialogs
    ? []
    : [
        ['alert', undefined],
        ['confirm', false],
        ['prompt', null],
        ['print', undefined],
      ])
    wrap(window, key, () => answer)
  wrap(window, 'open', (native, self, args) => (++state.opened > 3 ? null : Reflect.apply(native, self, args)))
}
