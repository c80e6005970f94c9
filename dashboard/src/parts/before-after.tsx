// Two pictures of one page over each other: the slider shows more of one and less of the other. Where they differ is boxed.
import { useEffect, useState } from 'preact/hooks'

interface Box {
  top: number
  bottom: number
  left: number
  right: number
}

export function BeforeAfter({ before, after }: { before: string; after: string }) {
  const [share, setShare] = useState(50)
  const [box, setBox] = useState<Box>()
  useEffect(() => {
    let isGone = false
    void difference(before, after).then((found) => {
      if (!isGone) setBox(found)
    })
    return () => {
      isGone = true
    }
  }, [before, after])
  const percent = (value: number) => `${(value * 100).toFixed(2)}%`
  return (
    <figure class="stack">
      <div class="before-after">
        <img src={after} alt="The page after the change" />
        <img src={before} alt="The page before the change" style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }} />
        {box && (
          <div
            class="changed-box"
            aria-hidden="true"
            style={{
              top: percent(box.top),
              left: percent(box.left),
              height: percent(box.bottom - box.top),
              width: percent(box.right - box.left),
            }}
          />
        )}
        <div class="before-after-line" aria-hidden="true" style={{ left: `${share}%` }} />
      </div>
      <label class="field">
        Before or after
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          onInput={(event) => setShare(Number(event.currentTarget.value))}
        />
      </label>
    </figure>
  )
}

/** Pictures are compared at this size at most: fine enough for one digit that changed, in whichever font. */
const MAX_ACROSS = 800
const MAX_HEIGHT = 8000

/** The smallest box around everything that differs, in shares of the picture; nothing when it cannot be told. */
async function difference(before: string, after: string): Promise<Box | undefined> {
  try {
    const pictures = await Promise.all([before, after].map(loadImage))
    const tall = Math.max(...pictures.map(({ naturalHeight, naturalWidth }) => naturalHeight / naturalWidth))
    const across = Math.max(1, Math.min(MAX_ACROSS, Math.floor(MAX_HEIGHT / tall)))
    const height = Math.min(MAX_HEIGHT, Math.ceil(across * tall))
    const [one, other] = pictures.map((picture) => pixels(picture, across, height))
    let box: Box | undefined
    for (let y = 0; y < height; y++)
      for (let x = 0; x < across; x++) {
        const at = (y * across + x) * 4
        const off =
          Math.abs(one![at]! - other![at]!) +
          Math.abs(one![at + 1]! - other![at + 1]!) +
          Math.abs(one![at + 2]! - other![at + 2]!)
        if (off < 48) continue
        box ??= { top: y, bottom: y, left: x, right: x }
        box.bottom = y + 1
        box.left = Math.min(box.left, x)
        box.right = Math.max(box.right, x + 1)
      }
    if (!box) return undefined
    return { top: box.top / height, bottom: box.bottom / height, left: box.left / across, right: box.right / across }
  } catch {
    return undefined
  }
}

function loadImage(src: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const picture = new Image()
    picture.onload = () => resolve(picture)
    picture.onerror = reject
    picture.src = src
  })
}

function pixels(picture: HTMLImageElement, across: number, height: number): Uint8ClampedArray {
  const canvas = document.createElement('canvas')
  canvas.width = across
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.drawImage(picture, 0, 0, across, Math.round((across * picture.naturalHeight) / picture.naturalWidth))
  return context.getImageData(0, 0, across, height).data
}
