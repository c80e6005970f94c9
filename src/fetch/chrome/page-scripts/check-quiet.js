// Waits until nothing is pending in the page, its text stays as it is, or the time is up.
export async function checkQuiet(name, limits) {
  /** @type {any} */
  const state = window[name] ?? { timers: new Map(), requests: 0, observers: 0 }
  const { stillMs, steadyMs, framesMs, budgetMs, drawn } = limits
  const native = state.setTimeout ?? setTimeout
  const started = performance.now()
  let changed = started - stillMs / 2
  const observer = new MutationObserver(() => {
    changed = performance.now()
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
  const SILENT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE'])
  const textLength = (enough = Infinity) => {
    let length = 0
    // The document itself: right after the first byte it has no element yet.
    const walker = document.createTreeWalker(document, 4)
    for (let count = 0; count < 5000 && length < enough && walker.nextNode(); count++) {
      const node = walker.currentNode
      if (!SILENT.has(node.parentNode?.nodeName)) length += (node.nodeValue ?? '').trim().length
    }
    return length
  }
  const leaving = () => {
    const refresh = document.querySelector('meta[http-equiv="refresh" i]')?.getAttribute('content') ?? ''
    const [, seconds, target] = /^\s*([\d.]+)\s*[;,]\s*(?:url\s*=)?\s*(\S+)/i.exec(refresh) ?? []
    return target && Number(seconds) <= 10 ? Number(seconds) * 1000 + 500 : 0
  }
  // Asking for animations makes the browser compute the style of the whole page; it is asked only where a script waits for one.
  const awaitsMoves = () =>
    (state.awaitsMoves ?? true) || !!document.querySelector('[ontransitionend], [onanimationend]')
  const moves = (mostMs) =>
    awaitsMoves() &&
    document.getAnimations().some(({ effect, currentTime }) => {
      const endTime = Number(effect?.getComputedTiming().endTime)
      return Number.isFinite(endTime) && endTime - Number(currentTime ?? 0) <= mostMs
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
    nextFrame(() =>
      nextFrame(() => {
        framed = true
      }),
    )
  }
  if (drawn) awaitFrames()
  let leavesAt = 0
  const WAITING =
    '[aria-busy="true"], [class*="skeleton" i], [class*="shimmer" i], [class*="placeholder-glow"], [class*="spinner" i], [class*="loading" i]'
  const waits = () =>
    /^\s*(loading|please wait|one moment|l\u00e4dt|wird geladen|chargement|cargando|caricamento)/i.test(
      (document.body?.textContent ?? '').slice(0, 200),
    ) ||
    [...document.querySelectorAll(WAITING)]
      .slice(0, 50)
      .some((one) => one.checkVisibility?.() && one.getClientRects().length > 0)
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
    await new Promise((resolve) => {
      native(resolve, Math.min(100, pause))
    })
  }
  observer.disconnect()
  const consent = !!document.querySelector(
    '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [id*="gdpr" i], [class*="gdpr" i], [class*="cmp-" i], [id*="cmp" i], #usercentrics-root, #didomi-host, [id^="sp_message"]',
  )
  const lazy =
    state.observers > 0 ||
    !!document.querySelector(
      'img[data-src]:not([src]), img[data-lazy-src], img[data-original], img[data-srcset]:not([srcset])',
    )
  const thin = textLength(200) < 200
  const wantsFrames =
    !!state.wantsFrames || (!drawn && (thin || !!document.querySelector('iframe[loading="lazy"]') || moves(Infinity)))
  return { quiet, consent, lazy, wantsFrames, reading: document.readyState === 'loading', undrawn: isLate(), thin }
}
