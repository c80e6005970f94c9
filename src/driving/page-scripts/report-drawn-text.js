// Runs in the world of the page and has no values: it reports what is drawn, before the picture is shown.
export function reportDrawnText(drawn) {
  for (const name of ['fillText', 'strokeText']) {
    const draw = CanvasRenderingContext2D.prototype[name]
    CanvasRenderingContext2D.prototype[name] = function (text, ...rest) {
      const { canvas } = this
      if (canvas instanceof HTMLCanvasElement) {
        const at = canvas.isConnected ? canvas : document
        at.dispatchEvent(new CustomEvent(drawn, { detail: String(text), bubbles: true }))
      }
      return draw.call(this, text, ...rest)
    }
  }
}
