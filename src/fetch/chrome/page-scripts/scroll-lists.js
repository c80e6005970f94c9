// Scrolls the lists of a page to their end and puts the rows together again that the page has recycled.
export async function scrollLists(name, limits) {
  /** @type {any} */
  const state = window[name] ?? { requests: 0 }
  const { items, bytes, ms, slowestMs } = limits
  const later = state.setTimeout ?? setTimeout
  const nextFrame = state.nextFrame ?? requestAnimationFrame
  // A page that is not shown gets its frames late.
  let [frames, frameAt] = [0, 0]
  const frame = () =>
    new Promise((resolve) => {
      nextFrame((at) => {
        if (at !== frameAt) [frames, frameAt] = [frames + 1, at]
        later(resolve, 0)
      })
      later(resolve, 150)
    })
  // What the page has not drawn for so long, although it was drawn, does not come.
  const isOver = (since, framesBefore, ms) => performance.now() - since > ms && frames >= framesBefore + 3
  const ends = performance.now() + ms
  const page = document.scrollingElement ?? document.documentElement
  const [COVER_MS, GROW_MS, REQUEST_MS, WINDOW, TALL] = [800, 1500, slowestMs, 600, 5000]
  let [rows, size, total, ended] = [0, 0, 0, 'end']
  const heightOf = (scroller) => (scroller === page ? innerHeight : scroller.clientHeight)
  const bottomOf = (scroller) => (scroller === page ? innerHeight : scroller.getBoundingClientRect().bottom)

  const findScrollers = () => {
    const found = [...document.querySelectorAll('*')]
      .slice(0, 20000)
      .filter(
        (one) =>
          one !== page &&
          one.clientHeight > 100 &&
          one.scrollHeight > one.clientHeight + 50 &&
          one.clientHeight * one.clientWidth > innerHeight * innerWidth * 0.1 &&
          /auto|scroll/.test(getComputedStyle(one).overflowY),
      )
    const area = (one) => one.clientHeight * one.clientWidth
    return [page, ...found.sort((a, b) => area(b) - area(a)).slice(0, 3)]
  }

  // The element with the most children that look alike and stand below each other.
  const findList = (root) => {
    let [best, most] = [null, 3]
    const walker = document.createTreeWalker(root === page ? document.body : root, 1)
    for (
      let node = /** @type {any} */ (walker.currentNode), count = 0;
      node && count < 5000;
      node = walker.nextNode(), count++
    ) {
      if (node.childElementCount < most || node.closest('svg, select, head')) continue
      const alike = new Map()
      for (const child of [...node.children].slice(-200)) {
        const kind = child.localName + (child.classList[0] ?? '')
        const tops = alike.get(kind) ?? alike.set(kind, new Set()).get(kind)
        const { top, height } = child.getBoundingClientRect()
        if (height > 0) tops.add(Math.round(top))
      }
      const score = Math.max(0, ...[...alike.values()].map((tops) => tops.size))
      if (score > most) [best, most] = [node, score]
    }
    return best
  }

  const indexOf = (row) => {
    for (const one of [row, row.firstElementChild])
      for (const { name, value } of one?.attributes ?? [])
        if (/(^|-)(row-?|item-?)?index$|posinset$/.test(name) && /^\d{1,9}$/.test(value)) return value
    return ''
  }
  const keyOf = (row) => {
    const text = (row.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 2000)
    const target =
      row.querySelector('a[href]')?.getAttribute('href') ?? row.querySelector('img')?.getAttribute('src') ?? ''
    return text === '' && target === '' ? '' : `${indexOf(row)}|${text}|${target}`
  }
  const isFull = () => {
    if (rows >= items) ended = 'items'
    else if (size >= bytes) ended = 'bytes'
    else if (performance.now() >= ends) ended = 'time'
    return ended !== 'end'
  }

  const follow = async (scroller) => {
    const kept = new Map()
    const clones = []
    let [list, first, firstKey, recycles, counted] = [null, null, '', false, 0]
    const before = rows
    const openList = () => {
      if (list?.isConnected) return
      list = findList(scroller)
      counted = 0
      const marked = list?.closest('[aria-rowcount]') ?? list?.querySelector(':scope > [aria-setsize]')
      total = Math.max(
        total,
        Number(marked?.getAttribute('aria-rowcount') ?? marked?.getAttribute('aria-setsize')) || 0,
      )
    }
    const placed = () => {
      const children = [...(list?.children ?? [])]
      return (children.length > WINDOW ? children.slice(-WINDOW) : children)
        .map((row) => ({ row, box: row.getBoundingClientRect() }))
        .filter(({ box }) => box.height > 0)
        .sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left)
    }
    const collect = (found) => {
      const all = list?.childElementCount ?? 0
      if (first && (!first.isConnected || keyOf(first) !== firstKey)) recycles = true
      if (!recycles && all > WINDOW) {
        // It keeps its rows: they are all there at the end.
        for (; counted < all; counted++) size += list.children[counted].outerHTML.length
        rows = before + all
        return
      }
      const keys = found.map(({ row }) => keyOf(row))
      const inWindow = new Map()
      for (const key of keys) inWindow.set(key, (inWindow.get(key) ?? 0) + 1)
      found.forEach(({ row, box }, at) => {
        const key = keys[at]
        if (key === '') return
        if (!first) [first, firstKey] = [row, key]
        const place =
          box.top + (scroller === page ? scrollY : scroller.scrollTop - scroller.getBoundingClientRect().top)
        const places = kept.get(key)
        // Of several rows in view with equal text, the place identifies each.
        if (places && (inWindow.get(key) === 1 || places.some((one) => Math.abs(one - place) < box.height / 2))) return
        if (places) places.push(place)
        else kept.set(key, [place])
        if (rows >= items || size >= bytes) return
        const clone = row.cloneNode(true)
        clones.push(clone)
        size += clone.outerHTML.length
        rows += 1
      })
    }
    const isCovered = (found) =>
      scroller.scrollTop + heightOf(scroller) >= scroller.scrollHeight - 2 ||
      (found.at(-1)?.box.bottom ?? Infinity) >= bottomOf(scroller) - 2
    // A taller list draws more rows at a time, if it adapts.
    const enlarge = async () => {
      const { style } = scroller
      const before = style.cssText
      style.setProperty('max-height', 'none', 'important')
      style.setProperty('height', `${TALL}px`, 'important')
      dispatchEvent(new Event('resize'))
      for (const since = performance.now(); performance.now() - since < COVER_MS; ) {
        await frame()
        openList()
        if (isCovered(placed())) return
      }
      style.cssText = before
      dispatchEvent(new Event('resize'))
    }
    scroller.scrollTop = 0
    openList()
    if (scroller !== page && scroller.scrollHeight > 2 * TALL && (list?.childElementCount ?? Infinity) < WINDOW)
      await enlarge()
    for (;;) {
      await frame()
      openList()
      let found = placed()
      for (const [since, before] = [performance.now(), frames]; ; ) {
        const isLate = performance.now() >= ends || performance.now() - since > REQUEST_MS
        if (isLate || (state.requests === 0 && (isCovered(found) || isOver(since, before, COVER_MS)))) break
        await frame()
        openList()
        found = placed()
      }
      collect(found)
      if (isFull()) break
      const top = scroller.scrollTop
      const height = scroller.scrollHeight
      scroller.scrollTop = top + Math.max(100, heightOf(scroller) * 0.9)
      if (scroller.scrollTop > top) continue
      for (const [since, before] = [performance.now(), frames]; scroller.scrollHeight <= height; await frame()) {
        const isLate = performance.now() >= ends || performance.now() - since > REQUEST_MS
        if (isLate || (state.requests === 0 && isOver(since, before, GROW_MS))) break
      }
      if (scroller.scrollHeight <= height) {
        collect(placed())
        break
      }
    }
    if (recycles && list && clones.length > list.childElementCount) list.replaceChildren(...clones)
  }
  for (const scroller of findScrollers()) {
    if (scroller.scrollHeight <= heightOf(scroller) + 50) continue
    await follow(scroller)
    if (ended !== 'end') break
  }
  return { rows, total, ended }
}
