// Scrolls down in steps and back, within a budget; a page that grows is followed a few times.
export async function scrollDown(budgetMs, grows) {
  const budget = performance.now() + budgetMs
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const root = document.scrollingElement ?? document.documentElement
  let grown = 0
  while (performance.now() < budget) {
    const before = root.scrollHeight
    root.scrollTop += Math.max(200, innerHeight * 0.9)
    await pause(40)
    if (root.scrollTop + innerHeight < root.scrollHeight - 4) continue
    // A page hears of a scroll with a frame, and a busy browser gives it late.
    let isDrawn = false
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        isDrawn = true
      }),
    )
    for (let quiet = 0; quiet < 400 && root.scrollHeight <= before && performance.now() < budget; ) {
      await pause(50)
      if (isDrawn) quiet += 50
    }
    if (root.scrollHeight <= before || ++grown > grows) break
  }
  root.scrollTop = 0
  return grown
}
