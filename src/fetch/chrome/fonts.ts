// Whether this machine has letters for Chinese, Japanese and Korean. A browser without them reads such pages as it should,
// but its pictures show boxes, and that must be said. Fonts are known by their file names: looking into each is not worth it.
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

const FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '/usr/X11R6/lib/X11/fonts', '/Library/Fonts']
const HOME_FOLDERS = ['.fonts', '.local/share/fonts', 'Library/Fonts']
const MAX_DEPTH = 5
const MAX_FOLDERS = 2000
const EAST_ASIAN =
  /cjk|noto(?:sans|serif)(?:mono)?(?:sc|tc|hk|jp|kr)\b|source-?han|wqy|wenquan|droidsansfallback|uming|ukai|arphic|takao|ipa(?:ex)?[gm]|vl-?gothic|mplus|nanum|baekmuk|unbatang|undotum|unifont|pingfang|hiragino|applesdgothic|msyh|simsun|meiryo|malgun/i
const FONT_FILE = /\.(?:ttf|ttc|otf|otc|pcf(?:\.gz)?)$/i

export const EAST_ASIAN_TEXT = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/
export const NO_EAST_ASIAN_FONT =
  'No font for Chinese, Japanese and Korean is installed, so screenshots show boxes for them unless a page brings its own; Debian has one in `fonts-noto-cjk`.'

/** Asks once; fonts are not installed under a running browser. */
export function eastAsianFonts(): () => Promise<boolean> {
  let known: Promise<boolean> | undefined
  return () => {
    known ??= look([...FOLDERS, ...HOME_FOLDERS.map((folder) => join(homedir(), folder))])
    return known
  }
}

async function look(folders: readonly string[]): Promise<boolean> {
  let level = folders
  let seen = 0
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = []
    for (const folder of level) {
      if (++seen > MAX_FOLDERS) return false
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      if (entries.some(({ name }) => FONT_FILE.test(name) && EAST_ASIAN.test(name))) return true
      next.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)))
    }
    level = next
  }
  return false
}
