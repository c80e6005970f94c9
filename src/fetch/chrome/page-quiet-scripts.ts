// Scripts that detect when a page is done: one counts pending work from the start, the other waits until none is left.

export interface PageQuietness {
  quiet: boolean
  consent: boolean
  lazy: boolean
  /** The page waits for frames to be drawn, or may: it has hardly any text yet. */
  wantsFrames: boolean
  reading: boolean
  /** Frames that the page waits for were not drawn in time, so content may be missing. */
  undrawn: boolean
  /** Hardly any text yet. */
  thin: boolean
}

export interface QuietLimits {
  stillMs: number
  /** A busy page whose text has not changed for this long is done. */
  steadyMs: number
  framesMs: number
  budgetMs: number
  drawn: boolean
}

/**
 * Runs before any page script, in every frame. Counts timers, requests and observers through proxies; dialogs are
 * answered unless a flow does.
 */
export const makeActivityWatchScript = (name: string, keepsDialogs = false): string => `(() => {
  const name = ${JSON.stringify(name)}
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
    const native = owner && owner[key]
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
      try { return work.apply(this, given) } finally { state.depth = before }
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
      state.timers.delete('frame ' + id)
      const before = state.depth
      state.depth = depth
      try { return args[0](time) } finally { state.depth = before }
    }
    id = Reflect.apply(native, self, [run])
    state.timers.set('frame ' + id, 0)
    return id
  })
  wrap(window, 'cancelAnimationFrame', (native, self, args) => {
    state.timers.delete('frame ' + args[0])
    return Reflect.apply(native, self, args)
  })
  wrap(window, 'fetch', (native, self, args) => {
    const answer = Reflect.apply(native, self, args)
    state.requests++
    const done = () => { state.requests-- }
    answer.then(done, done)
    return answer
  })
  wrap(XMLHttpRequest.prototype, 'send', (native, self, args) => {
    state.requests++
    self.addEventListener('loadend', () => { state.requests-- }, { once: true })
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
  const MOVES = ['transitionend', 'transitionstart', 'transitionrun', 'animationend', 'animationstart', 'animationiteration']
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
  for (const key of MOVES.map((name) => 'on' + name)) {
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
  for (const [key, answer] of ${keepsDialogs} ? [] : [['alert', undefined], ['confirm', false], ['prompt', null], ['print', undefined]])
    wrap(window, key, () => answer)
  wrap(window, 'open', (native, self, args) => (++state.opened > 3 ? null : Reflect.apply(native, self, args)))
})()`

export const makeQuietCheckScript = (name: string, limits: QuietLimits): string => `(async () => {
  const state = window[${JSON.stringify(name)}] ?? { timers: new Map(), requests: 0, observers: 0 }
  const { stillMs, steadyMs, framesMs, budgetMs, drawn } = ${JSON.stringify(limits)}
  const native = state.setTimeout ?? setTimeout
  const started = performance.now()
  let changed = started - stillMs / 2
  const observer = new MutationObserver(() => { changed = performance.now() })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
  const SILENT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE'])
  const textLength = (enough = Infinity) => {
    let length = 0
    // The document itself: right after the first byte it has no element yet.
    const walker = document.createTreeWalker(document, 4)
    for (let count = 0; count < 5000 && length < enough && walker.nextNode(); count++) {
      const node = walker.currentNode
      if (!SILENT.has(node.parentNode?.nodeName)) length += node.data.trim().length
    }
    return length
  }
  const leaving = () => {
    const refresh = document.querySelector('meta[http-equiv="refresh" i]')?.content ?? ''
    const [, seconds, target] = /^\\s*([\\d.]+)\\s*[;,]\\s*(?:url\\s*=)?\\s*(\\S+)/i.exec(refresh) ?? []
    return target && Number(seconds) <= 10 ? Number(seconds) * 1000 + 500 : 0
  }
  // Asking for animations makes the browser compute the style of the whole page; it is asked only where a script waits for one.
  const awaitsMoves = () =>
    (state.awaitsMoves ?? true) || !!document.querySelector('[ontransitionend], [onanimationend]')
  const moves = (mostMs) =>
    awaitsMoves() &&
    document.getAnimations().some(({ effect, currentTime }) => {
      const { endTime } = effect?.getComputedTiming() ?? {}
      return Number.isFinite(endTime) && endTime - (currentTime ?? 0) <= mostMs
    })
  // Other pages share the compositor: a page that is drawn may wait long for its next frames, and cannot be steady before.
  const LATE_MS = 500
  const nextFrame = state.nextFrame ?? requestAnimationFrame
  let framed = true
  let framesSince = started
  let moved = false
  const isLate = () => !framed && performance.now() - framesSince > LATE_MS
  const awaitFrames = () => {
    framed = false
    framesSince = performance.now()
    nextFrame(() => nextFrame(() => { framed = true }))
  }
  if (drawn) awaitFrames()
  let leavesAt = 0
  const WAITING = '[aria-busy="true"], [class*="skeleton" i], [class*="shimmer" i], [class*="placeholder-glow"], [class*="spinner" i], [class*="loading" i]'
  const waits = () =>
    /^\\s*(loading|please wait|one moment|l\\u00e4dt|wird geladen|chargement|cargando|caricamento)/i.test(
      (document.body?.textContent ?? '').slice(0, 200),
    ) || [...document.querySelectorAll(WAITING)].slice(0, 50).some((one) => one.checkVisibility?.() && one.getClientRects().length > 0)
  let length = textLength()
  // Time in which the page had the CPU: one that was kept from running has not shown that it is done.
  const MAX_STEP_MS = 200
  const RESTLESS_MS = 500
  let steady = 0
  let rest = 0
  let last = started
  let measured = started
  let quiet = false
  for (;;) {
    const now = performance.now()
    const spent = now - started
    if (spent > budgetMs || (state.wantsFrames && !drawn)) break
    const step = Math.min(now - last, MAX_STEP_MS)
    steady += step
    rest = changed > last ? 0 : rest + step
    last = now
    if (now - measured > 200 && changed > measured) {
      const fresh = textLength()
      measured = now
      if (Math.abs(fresh - length) > length * 0.03) {
        length = fresh
        steady = 0
      }
    }
    const thin = length < 200
    const horizon = now + (thin ? 3000 : 1200)
    let soonest = Infinity
    for (const due of state.timers.values()) soonest = Math.min(soonest, due)
    const timers = soonest < horizon
    const loading = document.readyState === 'loading' || (document.readyState !== 'complete' && spent < 1500)
    // The tag may come after the first look at the page.
    leavesAt ||= leaving()
    const moving = drawn && moves(thin ? 3000 : 1200)
    // What waits for a frame, as do the events of transitions, gets it much later on a busy machine.
    const waitsForFrame = soonest === 0
    if (drawn && framed && (moving || moved || waitsForFrame)) awaitFrames()
    moved = moving
    const unframed = !framed && now - framesSince < framesMs
    if (unframed && isLate()) steady = 0
    const drawing = unframed || moving
    const busy = timers || state.requests > 0 || loading || spent < leavesAt || drawing
    // A page that says it is loading, and changes several times a second, is not done between two changes.
    const restless = thin && rest < RESTLESS_MS
    if (!busy && now - changed >= stillMs && !((spent < 4000 || restless) && waits())) {
      quiet = true
      break
    }
    const isSteady = !thin && spent >= leavesAt && !loading && steady > steadyMs
    if (isSteady && !(state.requests > 0 && waits())) break
    // The page waits for nothing but its next timer: check again when that fires.
    const idle = timers && state.requests === 0 && !loading && !drawing ? soonest - now : 0
    const untilStill = stillMs - (now - changed)
    const pause = !busy && untilStill > 0 ? untilStill + 1 : Math.max(25, idle)
    await new Promise((resolve) => { native(resolve, Math.min(100, pause)) })
  }
  observer.disconnect()
  const consent = !!document.querySelector(
    '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [id*="gdpr" i], [class*="gdpr" i], [class*="cmp-" i], [id*="cmp" i], #usercentrics-root, #didomi-host, [id^="sp_message"]',
  )
  const lazy =
    state.observers > 0 || !!document.querySelector('img[data-src]:not([src]), img[data-lazy-src], img[data-original], img[data-srcset]:not([srcset])')
  const thin = textLength(200) < 200
  const wantsFrames =
    !!state.wantsFrames || (!drawn && (thin || !!document.querySelector('iframe[loading="lazy"]') || moves(Infinity)))
  return { quiet, consent, lazy, wantsFrames, reading: document.readyState === 'loading', undrawn: isLate(), thin }
})()`
