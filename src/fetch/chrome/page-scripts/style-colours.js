// Colours as the browser paints them.

const canvas = document.createElement('canvas')
canvas.width = canvas.height = 1
const brush = canvas.getContext('2d', { willReadFrequently: true })
const knownColours = new Map()
const readBack = (text) => {
  if (!brush || !text || text === 'none') return { rgb: [0, 0, 0], alpha: 0 }
  brush.clearRect(0, 0, 1, 1)
  brush.fillStyle = '#000'
  brush.fillStyle = text
  brush.fillRect(0, 0, 1, 1)
  const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data
  return { rgb: [r, g, b], alpha: a / 255 }
}
export const parse = (text) => {
  let made = knownColours.get(text)
  if (made) return made
  const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text)
  made = plain
    ? { rgb: [+plain[1], +plain[2], +plain[3]], alpha: plain[4] === undefined ? 1 : +plain[4] }
    : readBack(text)
  if (knownColours.size < 2000) knownColours.set(text, made)
  return made
}
export const over = ({ rgb, alpha }, under) => rgb.map((one, n) => one * alpha + under[n] * (1 - alpha))
export const hex = (rgb) =>
  '#' +
  rgb
    .map((one) =>
      Math.max(0, Math.min(255, Math.round(one)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
